import * as z from "zod/mini";
import type { InputProblem } from "../api/errors.ts";
import { pullRequestHead } from "./head-branch.ts";
import { part } from "./lenient.ts";
import type { Runner } from "./runner.ts";

const payload = z.object({ pull_request: part({ head: pullRequestHead }) });

/** The events of a pull request that GitHub gives no secrets for when it comes from a fork. */
const WITHOUT_SECRETS = ["pull_request", "pull_request_review", "pull_request_review_comment"];

/** What to do about an API key that is not there, by what started the job. */
export function missingKey(runner: Runner): InputProblem {
  return { input: "api-key", problem: `is missing: ${wayOut(runner)}`, missing: true };
}

function wayOut(runner: Runner): string {
  if (runner.actor === "dependabot[bot]") {
    return "runs that Dependabot started get no secrets but Dependabot's own; set `EVIDENCE_API_KEY` among those";
  }
  if (isOfFork(runner)) {
    return "GitHub gives no secrets to pull requests from forks; leave this step out for them";
  }
  return "set the secret `EVIDENCE_API_KEY`, or pass `api-key`";
}

/** A fork that was deleted since has no name any more. */
function isOfFork({ eventName = "", event, repository = "" }: Runner): boolean {
  const { pull_request: pullRequest } = z.parse(payload, event);
  const from = pullRequest?.head?.repo?.full_name ?? "";
  return WITHOUT_SECRETS.includes(eventName) && from.toLowerCase() !== repository.toLowerCase();
}

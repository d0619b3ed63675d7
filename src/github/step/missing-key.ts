import type { InputProblem } from "../../api/client/errors.ts";
import { isFromFork } from "../event/event-pull-request.ts";
import type { Runner } from "./runner.ts";

/** Events without secrets if the pull request comes from a fork. */
const WITHOUT_SECRETS = ["pull_request", "pull_request_review", "pull_request_review_comment"];

interface Credentials {
  readonly auth: "auto" | "key" | "oidc";
  /** Whether the job can request an identity token. */
  readonly hasToken: boolean;
}

/** The problem of missing credentials, with advice for the job's trigger. */
export function missingKey(runner: Runner, { auth, hasToken }: Credentials): InputProblem {
  const code = "auth.credentials_missing";
  if (auth === "oidc") {
    const why = hasToken ? NO_SERVICE : isOfFork(runner) ? NO_TOKEN_FOR_FORKS : NO_TOKEN;
    return { input: "auth", code, problem: `is oidc, but ${why}` };
  }
  const problem = `is missing: ${keylessWay(runner, { auth, hasToken })}${wayOut(runner)}`;
  return { input: "api-key", code, problem, missing: true };
}

const NO_TOKEN_FOR_FORKS = "GitHub gives no tokens to pull requests from forks; skip this step for them";
const ADD_PERMISSION = "add `id-token: write` to the `permissions` of the job and of the jobs that call it";
const NO_SERVICE = "no service is set; add `base-url`, the address of a service that trusts this workflow";
const NO_TOKEN = `the job may not request a token; ${ADD_PERMISSION}`;

/** Advice to authenticate without a key, if the workflow can prove its identity. */
function keylessWay(runner: Runner, { auth, hasToken }: Credentials): string {
  if (auth === "key" || isOfFork(runner)) return "";
  if (hasToken) return "add `base-url`, the address of a service of your own that trusts this workflow; or ";
  return `${ADD_PERMISSION}, if a service of your own trusts this workflow; or `;
}

function wayOut(runner: Runner): string {
  if (isOfDependabot(runner)) {
    return "set `EVIDENCE_API_KEY` among Dependabot's secrets: runs that Dependabot starts get no other secrets";
  }
  if (isOfFork(runner)) {
    return "GitHub gives no secrets to pull requests from forks; skip this step for them";
  }
  return "add `api-key: ${{ secrets.EVIDENCE_API_KEY }}` to the step, and set that secret";
}

/** Runs started by Dependabot get the tokens that their workflow requests, but no repository secrets. */
function isOfDependabot({ actor }: Runner): boolean {
  return actor === "dependabot[bot]";
}

function isOfFork(runner: Runner): boolean {
  return WITHOUT_SECRETS.includes(runner.eventName ?? "") && isFromFork(runner);
}

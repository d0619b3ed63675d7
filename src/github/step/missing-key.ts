import type { InputProblem } from "../../api/client/errors.ts";
import { isFromFork } from "../event/event-pull-request.ts";
import type { Runner } from "./runner.ts";

/** The events of a pull request that GitHub gives no secrets for when it comes from a fork. */
const WITHOUT_SECRETS = ["pull_request", "pull_request_review", "pull_request_review_comment"];

interface Asked {
  /** How the step is to say who it is. */
  readonly auth: "auto" | "key" | "oidc";
  /** The job can have a token that says which workflow it is. */
  readonly hasToken: boolean;
}

/** What to do where the step cannot say who it is, by what started the job. */
export function missingKey(runner: Runner, { auth, hasToken }: Asked): InputProblem {
  const code = "auth.credentials_missing";
  if (auth === "oidc") {
    const why = hasToken ? NO_SERVICE : isOfFork(runner) ? NO_TOKEN_FOR_FORKS : NO_TOKEN;
    return { input: "auth", code, problem: `is oidc, but ${why}` };
  }
  const problem = `is missing: ${keylessWay(runner, { auth, hasToken })}${wayOut(runner)}`;
  return { input: "api-key", code, problem, missing: true };
}

const NO_TOKEN_FOR_FORKS = "GitHub gives no tokens to pull requests from forks; leave this step out for them";
const ADD_PERMISSION = "add `id-token: write` to the `permissions` of the job and of those that call it";
const NO_SERVICE = "no service is named; add `base-url`, the address of one that trusts this workflow";
const NO_TOKEN = `the job may not ask for a token; ${ADD_PERMISSION}`;

/** Without a key, where the workflow can prove who it is. */
function keylessWay(runner: Runner, { auth, hasToken }: Asked): string {
  if (auth === "key" || isOfFork(runner)) return "";
  if (hasToken) return "add `base-url`, the address of a service of your own that trusts this workflow; or ";
  return `${ADD_PERMISSION}, where a service of your own trusts this workflow; or `;
}

function wayOut(runner: Runner): string {
  if (isOfDependabot(runner)) {
    return "set `EVIDENCE_API_KEY` among Dependabot's secrets: runs that it started get no others";
  }
  if (isOfFork(runner)) {
    return "GitHub gives no secrets to pull requests from forks; leave this step out for them";
  }
  return "add `api-key: ${{ secrets.EVIDENCE_API_KEY }}` to the step, and set that secret";
}

/** Its runs get the tokens that their workflow asks for, but none of the repository's secrets. */
function isOfDependabot({ actor }: Runner): boolean {
  return actor === "dependabot[bot]";
}

function isOfFork(runner: Runner): boolean {
  return WITHOUT_SECRETS.includes(runner.eventName ?? "") && isFromFork(runner);
}

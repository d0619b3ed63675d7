import {
  type EnvironmentProtection,
  readEnvironmentProtection,
} from "../../github/api/environment-protection.ts";
import { gitHubAddress } from "../../github/api/github-address.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { Change } from "./changes.ts";
import { type CommitEvidence, evidenceOf } from "./evidence.ts";
import type { Query } from "./query.ts";

export interface Findings {
  /** Newest first. */
  readonly changes: readonly Change[];
  readonly candidateEvidence: CommitEvidence;
  /** Undefined if not requested, or if GitHub did not return it. */
  readonly protection: EnvironmentProtection | undefined;
}

interface Question extends Query {
  readonly token: string | undefined;
}

/** Gathers evidence and pull requests of the commits to deploy, and the required reviewers. */
export async function gather(question: Question, context: ActionContext): Promise<Findings> {
  const { flow, candidate } = question;
  const commits = question.comparison.commits.toReversed();
  const [pullRequestsOf, evidence, protection] = await Promise.all([
    pullRequests(
      commits.map(({ sha }) => sha),
      question,
      context,
    ),
    // A long comparison lists only the first commits, without the candidate.
    evidenceOf(
      commits.some(({ sha }) => sha === candidate) ? commits : [{ sha: candidate }, ...commits],
      flow,
      context,
    ),
    protectionOf(question, context),
  ]);
  return {
    changes: commits.map((commit) => {
      const found = pullRequestsOf.get(commit.sha);
      return { commit, ...(found && { pullRequests: found }), evidence: evidence(commit.sha) };
    }),
    candidateEvidence: evidence(candidate),
    protection,
  };
}

async function pullRequests(
  commits: readonly string[],
  { token }: Question,
  { runner, signal, warn }: ActionContext,
) {
  const address = gitHubAddress(runner, token, signal);
  if (address === undefined || commits.length === 0) return new Map();
  const { pullRequestsOfCommits } = await import("../../github/api/commit-pull-requests.ts");
  return pullRequestsOfCommits({ ...address, commits, warn });
}

async function protectionOf({ gitHubEnvironment, token }: Question, { runner, signal, warn }: ActionContext) {
  const address = gitHubAddress(runner, token, signal);
  if (address === undefined || gitHubEnvironment === undefined) return undefined;
  const outcome = await readEnvironmentProtection(address, gitHubEnvironment);
  if ("answer" in outcome) return outcome.answer;
  const what = `returned no reviewers of environment '${gitHubEnvironment}'`;
  warn(outcome.fault.explain(address.apiUrl, what, "The required reviewers are unknown."));
  return undefined;
}

import { InputError } from "../../api/client/errors.ts";
import { getArtifactCommit } from "../../api/resources/approvals.ts";
import { asCommitSha } from "../../github/api/commit-facts.ts";
import { type Comparison, compareCommits } from "../../github/api/comparison.ts";
import { commitOf } from "../../github/event/commit.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { Runner } from "../../github/step/runner.ts";
import { adviseMissing } from "../missing-advice.ts";

/** The question, and the candidate compared with the running commit. */
export interface Query {
  readonly flow: string;
  /** The service's environment. */
  readonly environment: string;
  /** GitHub's environment. */
  readonly gitHubEnvironment: string | undefined;
  readonly candidate: string;
  /** Null when none runs, undefined in a dry run. */
  readonly running: string | null | undefined;
  readonly comparison: Comparison;
}

interface Question extends Pick<Query, "flow" | "environment" | "gitHubEnvironment"> {
  /** The workflow's own commit unless given. */
  readonly candidate: string | undefined;
  readonly token: string | undefined;
}

export async function askQuery({ token, ...question }: Question, context: ActionContext): Promise<Query> {
  const candidate = candidateOf(context.runner, question.candidate);
  const running = await askRunningCommit(question, context);
  const comparison = await compare(running, { candidate, token }, context);
  return { ...question, candidate, running, comparison };
}

/** @throws {InputError} unless it is a full commit SHA: a branch may move between the check and the approval */
function candidateOf(runner: Runner, given: string | undefined): string {
  const sha = given === undefined ? commitOf(runner) : asCommitSha(given);
  if (sha !== undefined) return sha;
  const problem =
    given === undefined
      ? "is required, because the job has no commit"
      : `must be a full commit SHA of 40 hexadecimal digits, not '${given}'`;
  const advice = (given === undefined && runner.ci?.advice.commit) || "";
  throw new InputError([{ input: "candidate", problem }], { advice });
}

async function askRunningCommit(
  { flow, environment }: Pick<Query, "flow" | "environment">,
  context: ActionContext,
): Promise<Query["running"]> {
  try {
    const reply = await context.call(getArtifactCommit, { flowName: flow, envName: environment });
    return reply?.body.commitSha;
  } catch (error) {
    // Users often give GitHub's environment in place of the service's.
    const advice = `Check \`flow\` and \`environment\`. '${environment}' must be an environment that is reported to the service, not a GitHub environment of the repository.`;
    throw adviseMissing(error, advice);
  }
}

const UNKNOWN: Comparison = { status: "unknown", commits: [], complete: false };

async function compare(
  running: Query["running"],
  { candidate, token }: { candidate: string; token: string | undefined },
  { runner, signal, warn }: ActionContext,
): Promise<Comparison> {
  if (!running) return UNKNOWN;
  const base = asCommitSha(running);
  if (base !== undefined) return compareCommits({ runner, base, head: candidate, token, signal, warn });
  warn(
    `The service reports '${running}' as the running commit. The value is not a full commit SHA, so the commits were not compared.`,
  );
  return UNKNOWN;
}

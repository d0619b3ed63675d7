import { ApiError } from "../../api/client/errors.ts";
import { getArtifactCommit } from "../../api/resources/approvals.ts";
import type { ActionContext } from "../../github/step/action.ts";

export interface Question {
  readonly flow: string;
  /** The service's environment. */
  readonly environment: string;
}

/** The commit that runs; null when none does, undefined when nobody was asked: in a dry run. */
export async function askRunningCommit(
  { flow, environment }: Question,
  context: ActionContext,
): Promise<string | null | undefined> {
  try {
    const reply = await context.call(getArtifactCommit, { flowName: flow, envName: environment });
    return reply?.body.commitSha;
  } catch (error) {
    throw explained(error, environment);
  }
}

/** Whoever protects an environment at GitHub easily takes its name for the one that reports go to. */
function explained(error: unknown, environment: string): unknown {
  if (!(error instanceof ApiError && error.missing)) return error;
  return error.explained({
    advice: `Check flow and environment: '${environment}' is looked for among the environments that report-env reports, not among those of the repository at GitHub.`,
  });
}

import { ApiError } from "../../api/client/errors.ts";
import { getArtifactCommit } from "../../api/resources/approvals.ts";
import type { ActionContext } from "../../github/step/action.ts";

export interface Question {
  readonly flow: string;
  readonly environment: string;
}

/** The running commit; null when none runs, undefined in a dry run. */
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

/** Explains a 404: users often give GitHub's environment in place of the service's. */
function explained(error: unknown, environment: string): unknown {
  if (!(error instanceof ApiError && error.missing)) return error;
  return error.explained({
    advice: `Check flow and environment: '${environment}' is looked for among the environments that report-env reports, not among those of the repository at GitHub.`,
  });
}

import { isUnavailable } from "../api/client/errors.ts";
import type { ActionContext } from "../github/step/action.ts";
import { choice } from "../github/step/input.ts";

const SITUATION =
  "What to do when the service cannot be reached or cannot serve: fail the step, or warn and go on";

export const onUnavailable = {
  "on-unavailable": choice({
    choices: ["fail", "warn"],
    default: "fail",
    description: `${SITUATION}. A refusal always fails.`,
  }),
};

/** Evidence can be spooled, because it stays valid. */
export const onUnavailableOrSpool = {
  "on-unavailable": choice({
    choices: ["fail", "warn", "spool"],
    default: "fail",
    description: `${SITUATION}, or go on and \`spool\`: keep it as a workflow artifact, for the action \`replay\` to record later. A refusal always fails.`,
  }),
};

/**
 * Runs work that needs the service. If the service is unavailable and `mode` is `warn`, warns and returns undefined.
 */
export async function tolerateUnavailable<T>(
  mode: "fail" | "warn",
  { warn }: ActionContext,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (mode === "fail" || !isUnavailable(error)) throw error;
    warn(`Nothing was recorded: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

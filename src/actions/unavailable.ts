import { isUnavailable } from "../api/client/errors.ts";
import type { ActionContext } from "../github/step/action.ts";
import { choice } from "../github/step/input.ts";

const SITUATION = "Behavior if the service is unreachable or unavailable: `fail`, or `warn` and continue";

export const onUnavailable = {
  "on-unavailable": choice({
    choices: ["fail", "warn"],
    default: "fail",
    description: `${SITUATION}. A rejected request always fails.`,
  }),
};

/** Evidence can be spooled, because it stays valid. */
export const onUnavailableOrSpool = {
  "on-unavailable": choice({
    choices: ["fail", "warn", "spool"],
    default: "fail",
    description: `${SITUATION}. \`spool\` continues and keeps the record for \`replay\`, which uploads it later: in GitHub Actions as a workflow artifact, elsewhere in a folder. A rejected request always fails.`,
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

import type { ActionContext } from "../../github/step/action.ts";
import type { Attested } from "./attest-one.ts";

/**
 * Reads the checklist of the first trail whose template matched or missed a record. Undefined when the service reported
 * no match.
 */
export function checklistFor(attested: readonly Attested[], context: ActionContext) {
  const one = attested.find(({ match }) => match?.result === "met" || match?.result === "unmet");
  return one && (async () => (await import("../trail-checklist.ts")).readChecklistTables(one, context));
}

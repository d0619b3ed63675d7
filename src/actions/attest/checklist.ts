import type { ActionContext } from "../../github/step/action.ts";
import type { Table } from "../../github/step/summary.ts";
import type { Attested } from "./attest-one.ts";

/**
 * Reads the checklist of the trail that records are on, where the service said with its answer that the template of
 * the trail asks for records of the sort. Undefined where there is nothing to show, or nobody said.
 */
export function checklistFor(
  attested: readonly Attested[],
  context: ActionContext,
): (() => Promise<readonly Table[]>) | undefined {
  const one = attested.find(({ match }) => match?.result === "met" || match?.result === "unmet");
  return one && (async () => (await import("../trail-checklist.ts")).readChecklistTables(one, context));
}

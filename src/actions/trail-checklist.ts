import { call } from "../api/client/call.ts";
import type { Connection } from "../api/client/connection.ts";
import {
  type Checklist,
  type ChecklistLine,
  checklistOf,
  countsText,
  linesOf,
  type SlotState,
} from "../api/resources/checklist.ts";
import { getTrail } from "../api/resources/trails.ts";
import type { ActionContext } from "../github/step/action.ts";
import type { Table } from "../github/step/summary.ts";
import { Deadline } from "../net/deadline.ts";

/** In seconds. The table only adds to a summary. */
const TIME_LIMIT = 3;
/** Further lines are on the trail's page. */
export const MAX_LINES = 50;

/** Signs, because states must differ by more than color. */
const STATES: Readonly<Record<SlotState, string>> = {
  failing: "❌ failing",
  missing: "⬜ missing",
  overridden: "⚠️ overridden",
  passing: "✅ passing",
};

/** The checklist of a trail as summary tables. Errors here never fail the step, because its work is done. */
export async function readChecklistTables(
  { flow, trail }: { readonly flow: string; readonly trail: string },
  { connection, info }: Pick<ActionContext, "connection" | "info">,
): Promise<readonly Table[]> {
  try {
    const { body } = await call(withLimit(connection), getTrail, { flowName: flow, trailName: trail });
    return [checklistTable(checklistOf(body.complianceStatus))];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    info(`The summary has no checklist of trail '${trail}': ${why}`);
    return [];
  }
}

/** Limits the time of each call to less than that of all. */
function withLimit(connection: Connection): Connection {
  return {
    ...connection,
    within: (work) =>
      connection.within(async ({ signal }) => {
        using deadline = new Deadline(TIME_LIMIT, signal);
        return await work(deadline);
      }),
  };
}

/** A table without rows is not shown. */
export function checklistTable(checklist: Checklist): Table {
  return {
    title: countsText(checklist.counts),
    columns: ["Slot", "Kind", "State"],
    rows: linesOf(checklist).map((line) => [line.name, kindText(line), stateText(line)]),
    most: MAX_LINES,
  };
}

export function kindText({ type }: ChecklistLine): string {
  return type === "*" ? "any" : type;
}

/** `❌ failing`; an unexpected failure shows both words. */
export function stateText({ state, isUnexpected }: ChecklistLine): string {
  if (!isUnexpected) return STATES[state];
  return state === "passing" ? "➕ not in the template" : `${STATES[state]}, not in the template`;
}

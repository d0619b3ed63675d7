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

/** How long a step waits for a table that only adds to its summary, in seconds. */
const TIME_LIMIT = 3;
/** More lines are for the trail's page. */
export const MAX_LINES = 50;

/** Each state with a sign of its own: they differ by more than their color. */
const STATES: Readonly<Record<SlotState, string>> = {
  failing: "❌ failing",
  missing: "⬜ missing",
  overridden: "⚠️ overridden",
  passing: "✅ passing",
};

/** The checklist of a trail as tables of a summary. The step's work is done: nothing that fails here fails the step. */
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

/** The connection with less time for each call than it has for all of them. */
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

/** It has no rows, and so is not shown, where nothing is asked for and nothing is there. */
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

/** `❌ failing`; of what fails and was not asked for it says both. */
export function stateText({ state, isUnexpected }: ChecklistLine): string {
  if (!isUnexpected) return STATES[state];
  return state === "passing" ? "➕ not asked for" : `${STATES[state]}, not asked for`;
}

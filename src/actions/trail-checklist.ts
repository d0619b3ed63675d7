import {
  type Checklist,
  type ChecklistLine,
  type CheckState,
  checklistCount,
  checklistOf,
} from "../api/checklist.ts";
import { getTrail } from "../api/trails.ts";
import type { ActionContext } from "../github/action.ts";
import type { Table } from "../github/summary.ts";

/** How long a step waits for a table that only adds to its summary, in milliseconds. */
const TIME_LIMIT_MS = 3_000;
/** More lines are for the trail's page. */
export const MAX_LINES = 50;

/** Each state with a sign of its own: they differ by more than their color. */
const STATES: Readonly<Record<CheckState, string>> = {
  failing: "❌ failing",
  missing: "⬜ missing",
  overridden: "⚠️ overridden",
  passing: "✅ passing",
  unexpected: "➕ not asked for",
};

/** The checklist of a trail as tables of a summary. The step's work is done: nothing that fails here fails the step. */
export async function readChecklistTables(
  { flow, trail }: { readonly flow: string; readonly trail: string },
  { call, info }: Pick<ActionContext, "call" | "info">,
): Promise<readonly Table[]> {
  try {
    const reply = await withinLimit(call(getTrail, { flowName: flow, trailName: trail }));
    const checklist = reply && checklistOf(reply.body.complianceStatus);
    return checklist === undefined || checklist.lines.length === 0 ? [] : [checklistTable(checklist)];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    info(`The summary has no checklist of trail '${trail}': ${why}`);
    return [];
  }
}

function withinLimit<T>(work: Promise<T>): Promise<T> {
  const seconds = TIME_LIMIT_MS / 1000;
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`the service did not tell it within ${seconds} s`));
    const timer = setTimeout(late, TIME_LIMIT_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function checklistTable(checklist: Checklist): Table {
  return {
    title: checklistCount(checklist),
    columns: ["Slot", "Kind", "State"],
    rows: checklist.lines.map((line) => [line.name, kindText(line), stateText(line)]),
    most: MAX_LINES,
  };
}

export function kindText({ kind }: ChecklistLine): string {
  return kind === "*" ? "any" : kind;
}

/** `❌ failing`; of what fails and was not asked for it says both. */
export function stateText({ state, isUnexpected }: ChecklistLine): string {
  return `${STATES[state]}${isUnexpected && state !== "unexpected" ? ", not asked for" : ""}`;
}

import type { AnswerOf } from "../../api/operation.ts";
import { type Checklist, checklistOf, countsText, linesOf } from "../../api/resources/checklist.ts";
import type { getTrail } from "../../api/resources/trails.ts";
import { code } from "../../github/step/inert-code.ts";
import { webAddress } from "../../github/step/summary.ts";
import { kindText, MAX_LINES, stateText } from "../trail-checklist.ts";

/** Characters of a name: GitHub accepts 65,536 in a comment. */
const MAX_NAME = 300;
/** Characters of a kind, which a template may give at any length. */
const MAX_KIND = 100;

type Trail = AnswerOf<typeof getTrail>;
type State = Trail["complianceState"];

const MARKS: Readonly<Record<State, string>> = { COMPLIANT: "✅", "NON-COMPLIANT": "❌", INCOMPLETE: "⬜" };

/** A trail as shown at GitHub. */
export interface TrailReport {
  readonly state: State;
  /** `NON-COMPLIANT: 7 of 9 present, 1 failing` */
  readonly title: string;
  readonly checklist: Checklist;
  /** GitHub Markdown, in which every name is code. */
  readonly text: string;
}

/** @param place the trail, with the address of its page */
export function trailReport(
  trail: Pick<Trail, "complianceState" | "complianceStatus">,
  place: { readonly flow: string; readonly trail: string; readonly url: string },
): TrailReport {
  const { complianceState: state, complianceStatus } = trail;
  const checklist = checklistOf(complianceStatus);
  const count = countsText(checklist.counts);
  const lines = linesOf(checklist);
  const shown = lines.slice(0, MAX_LINES);
  const rows = shown.map(
    (line) => `| ${stateText(line)} | ${code(line.name, MAX_NAME)} | ${code(kindText(line), MAX_KIND)} |`,
  );
  const table =
    rows.length === 0 ? [] : [["| State | Slot | Kind |", "| :--- | :--- | :--- |", ...rows].join("\n")];
  const further = lines.length - shown.length;
  const address = webAddress(place.url);
  return {
    state,
    title: `${state}: ${count}`,
    checklist,
    text: [
      `### ${MARKS[state]} ${state}`,
      `Trail ${code(place.trail, MAX_NAME)} of flow ${code(place.flow, MAX_NAME)}: ${count}.`,
      ...table,
      ...(further > 0 ? [`… and ${further} more.`] : []),
      ...(address === undefined ? [] : [`[Open the trail](<${address}>)`]),
    ].join("\n\n"),
  };
}

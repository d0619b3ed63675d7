import { html } from "hono/html";
import type { ChecklistPart, Slot } from "../../../api/checklist.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { empty } from "./empty.ts";
import { link } from "./link.ts";
import { type Table, table } from "./table.ts";
import { text } from "./text.ts";
import { time, utc } from "./time.ts";
import { type Verdict, verdict } from "./verdict.ts";

const WORDS: Readonly<Record<Slot["state"], Verdict>> = {
  failing: "NON-COMPLIANT",
  missing: "MISSING",
  overridden: "OVERRIDDEN",
  passing: "COMPLIANT",
};

interface Shape {
  readonly id: string;
  readonly caption: string;
  readonly part: ChecklistPart;
  /** The path of the attestation of an id. */
  href(attestationId: string): string;
  /** When an attestation was recorded, by id, in Unix seconds. */
  readonly recordedAt: ReadonlyMap<string, number>;
}

/** The slots of a trail or of one of its artifacts, each with its state. */
export function checklistTable(
  { id, caption, part, href, recordedAt }: Shape,
  { here }: Pick<PageRequest, "here">,
): Table {
  return table<Slot>({
    id,
    caption,
    columns: [
      {
        head: "Attestation",
        cell: ({ name, attestationId }) =>
          attestationId === undefined ? text(name) : link(href(attestationId), name),
        csv: ({ name }) => name,
      },
      { head: "State", cell: stateOf, csv: ({ state }) => WORDS[state] },
      { head: "Type", cell: ({ type }) => (type === "*" ? "any" : text(type)), csv: ({ type }) => type },
      {
        head: "Asked for",
        cell: ({ isUnexpected }) => (isUnexpected ? "no" : "yes"),
        csv: ({ isUnexpected }) => (isUnexpected ? "no" : "yes"),
      },
      {
        head: "Recorded",
        cell: ({ attestationId = "" }) =>
          recordedAt.has(attestationId) ? time(recordedAt.get(attestationId)) : "",
        csv: ({ attestationId = "" }) => {
          const at = recordedAt.get(attestationId);
          return at === undefined ? null : utc(at);
        },
      },
    ],
    rows: part.slots,
    empty: empty("No attestation is asked for, and none was made."),
    here,
  });
  /** An override is shown with the verdict that it replaced. */
  function stateOf({ state, overriddenId, isCompliant }: Slot): Html {
    if (overriddenId === undefined) return verdict(WORDS[state]);
    return html`${verdict("OVERRIDDEN")} to ${isCompliant ? "COMPLIANT" : "NON-COMPLIANT"}, ${link(href(overriddenId), "before")}`;
  }
}

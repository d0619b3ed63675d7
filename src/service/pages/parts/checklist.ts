import { html } from "hono/html";
import type { ChecklistPart, Slot } from "../../../api/resources/checklist.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { empty } from "./empty.ts";
import { link } from "./link.ts";
import { originColumn } from "./origin.ts";
import { type Table, table } from "./table.ts";
import { text } from "./text.ts";
import { time, utc } from "./time.ts";
import { complianceVerdict, overriddenText, overriddenVerdict, type Verdict, verdict } from "./verdict.ts";

const WORDS: Readonly<Record<Slot["state"], Verdict>> = {
  failing: "NON-COMPLIANT",
  missing: "MISSING",
  overridden: "OVERRIDDEN",
  passing: "COMPLIANT",
};

/** An attestation that was made for a slot. */
interface MadeForSlot {
  readonly id: string;
  readonly isCompliant: boolean;
  readonly isOverride: boolean;
  /** Unix seconds. */
  readonly at: number;
}

/** Earlier attestations of a slot that are listed: the latest wins, the others are history. */
const EARLIER = 20;

interface Shape {
  readonly id: string;
  readonly caption: string;
  readonly part: ChecklistPart;
  /** The path of the attestation of an id. */
  href(attestationId: string): string;
  /** The attestations that were made for a slot, the latest first. */
  recordsOf(slot: Slot): readonly MadeForSlot[];
}

/** The slots of a trail or of one of its artifacts, each with its state. */
export function checklistTable(
  { id, caption, part, href, recordsOf }: Shape,
  { here }: Pick<PageRequest, "here">,
): Table {
  const latestOf = (slot: Slot) => recordsOf(slot).find((made) => made.id === slot.attestationId);
  return table<Slot>({
    id,
    caption,
    columns: [
      {
        head: "Attestation",
        cell: nameOf,
        csv: ({ name }) => name,
      },
      {
        head: "State",
        cell: stateOf,
        csv: (slot) => (isOverride(slot) ? overriddenText(slot.isCompliant) : WORDS[slot.state]),
      },
      { head: "Type", cell: ({ type }) => (type === "*" ? "any" : text(type)), csv: ({ type }) => type },
      {
        head: "Asked for",
        cell: ({ isUnexpected }) => (isUnexpected ? "no" : "yes"),
        csv: ({ isUnexpected }) => (isUnexpected ? "no" : "yes"),
      },
      {
        head: "Recorded",
        cell: (slot) => {
          const latest = latestOf(slot);
          return html`${latest === undefined ? "" : time(latest.at)}${earlier(slot)}`;
        },
        csv: (slot) => {
          const latest = latestOf(slot);
          return latest && utc(latest.at);
        },
      },
      originColumn,
    ],
    rows: part.slots,
    empty: empty("No attestation is asked for, and none was made."),
    here,
  });
  function nameOf({ name, attestationId }: Slot): Html {
    return attestationId === undefined ? text(name) : link(href(attestationId), name);
  }
  function earlier(slot: Slot): Html {
    const before = recordsOf(slot).filter((made) => made.id !== slot.attestationId);
    if (before.length === 0) return html``;
    const listed = before.slice(0, EARLIER).map(
      (
        made,
      ) => html`<li><a href="${href(made.id)}">${time(made.at)}</a> ${made.isOverride ? overriddenVerdict(made.isCompliant) : complianceVerdict(made.isCompliant)}</li>
`,
    );
    const more = before.length > EARLIER ? html`<li>and ${before.length - EARLIER} before them</li>` : "";
    return html`<details><summary>${before.length} earlier</summary><ul class="plain">${listed}${more}</ul></details>`;
  }
  /** An override of a slot without an attestation overrides none. */
  function isOverride(slot: Slot): boolean {
    return slot.overriddenId !== undefined || latestOf(slot)?.isOverride === true;
  }
  /** An override is shown with a link to what it overrides. */
  function stateOf(slot: Slot): Html {
    if (!isOverride(slot)) return verdict(WORDS[slot.state]);
    const { overriddenId, isCompliant } = slot;
    const before = overriddenId === undefined ? "" : html`, ${link(href(overriddenId), "before")}`;
    return html`${overriddenVerdict(isCompliant)}${before}`;
  }
}

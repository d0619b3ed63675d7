import type { ChecklistPart, Slot } from "../../../api/resources/checklist.ts";
import type { PageRequest } from "../page.ts";
import { type Html, html, link, plainList } from "../parts/html.ts";
import { originColumn } from "../parts/records.ts";
import { linkCell, type Table, table, typeCell, wordCell } from "../parts/table.ts";
import { time, utc } from "../parts/time.ts";
import {
  complianceVerdict,
  overriddenText,
  overriddenVerdict,
  type Verdict,
  verdict,
} from "../parts/verdict.ts";
import type { recordsIn } from "./events.ts";

const WORDS: Readonly<Record<Slot["state"], Verdict>> = {
  failing: "NON-COMPLIANT",
  missing: "MISSING",
  overridden: "OVERRIDDEN",
  passing: "COMPLIANT",
};

/** Earlier attestations of a slot that are listed: the latest wins, the others are history. */
const EARLIER = 20;

interface Shape {
  readonly id: string;
  readonly caption: string;
  readonly part: ChecklistPart;
  href(attestationId: string): string;
  /** The attestations of a slot, the latest first. */
  recordsOf(slot: Slot): ReturnType<ReturnType<typeof recordsIn>["of"]>;
}

export function checklistTable(request: PageRequest, { id, caption, part, href, recordsOf }: Shape): Table {
  const latestOf = (slot: Slot) => recordsOf(slot).find((made) => made.id === slot.attestationId);
  return table<Slot>(request, {
    id,
    caption,
    columns: {
      Attestation: ({ name, attestationId }) =>
        attestationId === undefined ? name : linkCell(href(attestationId), name),
      State: stateCell,
      Type: ({ type }) => typeCell(type),
      "Asked for": ({ isUnexpected }) => wordCell(isUnexpected ? "no" : "yes"),
      Recorded: (slot) => {
        const at = latestOf(slot)?.at;
        if (at === undefined) return { html: earlier(slot), csv: null };
        return { html: html`${time(at)}${earlier(slot)}`, csv: utc(at) };
      },
      ...originColumn,
    },
    rows: part.slots,
    empty: "No attestation is asked for, and none was made.",
  });

  function earlier(slot: Slot): Html {
    const before = recordsOf(slot).filter((made) => made.id !== slot.attestationId);
    if (before.length === 0) return html``;
    const listed = before.slice(0, EARLIER).map(({ id, at, isOverride, isCompliant }) => {
      const shown = isOverride ? overriddenVerdict(isCompliant) : complianceVerdict(isCompliant);
      return html`<a href="${href(id)}">${time(at)}</a> ${shown}`;
    });
    const more = before.length > EARLIER ? [html`and ${before.length - EARLIER} before them`] : [];
    return html`<details><summary>${before.length} earlier</summary>${plainList([...listed, ...more])}</details>`;
  }

  /** An override links to what it overrides. An override of a slot without an attestation overrides none. */
  function stateCell(slot: Slot) {
    const { overriddenId, isCompliant, state } = slot;
    if (overriddenId === undefined && latestOf(slot)?.isOverride !== true) {
      return { html: verdict(WORDS[state]), csv: WORDS[state] };
    }
    const before = overriddenId === undefined ? "" : html`, ${link(href(overriddenId), "before")}`;
    return { html: html`${overriddenVerdict(isCompliant)}${before}`, csv: overriddenText(isCompliant) };
  }
}

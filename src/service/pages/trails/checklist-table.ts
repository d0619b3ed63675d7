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

/** Maximum number of earlier attestations to list per slot. The newest counts; the others are history. */
const EARLIER = 20;

interface Shape {
  readonly id: string;
  readonly caption: string;
  readonly part: ChecklistPart;
  href(attestationId: string): string;
  /** The attestations of a slot, newest first. */
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
      Required: ({ isUnexpected }) => wordCell(isUnexpected ? "no" : "yes"),
      Recorded: (slot) => {
        const at = latestOf(slot)?.at;
        if (at === undefined) return { html: earlier(slot), csv: null };
        return { html: html`${time(at)}${earlier(slot)}`, csv: utc(at) };
      },
      ...originColumn,
    },
    rows: part.slots,
    empty: "No attestations required or recorded.",
  });

  function earlier(slot: Slot): Html {
    const before = recordsOf(slot).filter((made) => made.id !== slot.attestationId);
    if (before.length === 0) return html``;
    const listed = before.slice(0, EARLIER).map(({ id, at, isOverride, isCompliant }) => {
      const shown = isOverride ? overriddenVerdict(isCompliant) : complianceVerdict(isCompliant);
      return html`<a href="${href(id)}">${time(at)}</a> ${shown}`;
    });
    const more = before.length > EARLIER ? [html`and ${before.length - EARLIER} more`] : [];
    return html`<details><summary>${before.length} earlier</summary>${plainList([...listed, ...more])}</details>`;
  }

  /** Links an override to the attestation that it overrides, if there is one. */
  function stateCell(slot: Slot) {
    const { overriddenId, isCompliant, state } = slot;
    if (overriddenId === undefined && latestOf(slot)?.isOverride !== true) {
      return { html: verdict(WORDS[state]), csv: WORDS[state] };
    }
    const before = overriddenId === undefined ? "" : html`, ${link(href(overriddenId), "previous result")}`;
    return { html: html`${overriddenVerdict(isCompliant)}${before}`, csv: overriddenText(isCompliant) };
  }
}

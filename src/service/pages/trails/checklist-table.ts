import type { ChecklistPart, Slot } from "../../../api/resources/checklist.ts";
import type { PageRequest } from "../page.ts";
import { type Html, html, link, plainList, row, text } from "../parts/html.ts";
import { originColumn, originMark } from "../parts/records.ts";
import { type Table, table, timeCell } from "../parts/table.ts";
import { shortTime, time } from "../parts/time.ts";
import {
  complianceVerdict,
  overriddenText,
  overriddenVerdict,
  type Verdict,
  verdict,
} from "../parts/verdict.ts";
import type { Recorded } from "./events.ts";

const WORDS: Readonly<Record<Slot["state"], Verdict>> = {
  failing: "NON-COMPLIANT",
  missing: "MISSING",
  overridden: "OVERRIDDEN",
  passing: "COMPLIANT",
};

/** Maximum number of earlier attestations to list per slot. The newest counts; the others are history. */
const EARLIER = 20;

interface RecordedSlot extends Slot {
  readonly latest: Recorded | undefined;
  /** Newest first. */
  readonly before: readonly Recorded[];
}

interface Shape {
  readonly id: string;
  readonly caption: string;
  readonly part: ChecklistPart;
  href(attestationId: string): string;
  /** The attestations of a slot, newest first. */
  recordsOf(slot: Slot): readonly Recorded[];
  /** Summaries of the newest attestations, by id. */
  readonly summaries: ReadonlyMap<string, string>;
}

export function checklistTable(request: PageRequest, shape: Shape): Table {
  const { id, caption, part, href, recordsOf, summaries } = shape;
  const rows = part.slots.map((slot): RecordedSlot => {
    const records = recordsOf(slot);
    const isLatest = ({ id }: Recorded) => id === slot.attestationId;
    return { ...slot, latest: records.find(isLatest), before: records.filter((each) => !isLatest(each)) };
  });
  return table<RecordedSlot>(request, {
    id,
    caption,
    isOfRows: true,
    columns: {
      Attestation: (slot) => ({ html: slotRow(slot), csv: slot.name }),
      State: stateCell,
      Type: { cell: ({ type }) => type, isForCsv: true },
      Required: { cell: ({ isUnexpected }) => (isUnexpected ? "no" : "yes"), isForCsv: true },
      Recorded: { cell: ({ latest }) => timeCell(latest?.at), isForCsv: true },
      Origin: { cell: originColumn.Origin, isForCsv: true },
    },
    rows,
    empty: "No attestations required or recorded.",
  });

  function slotRow(slot: RecordedSlot): Html {
    const { name, attestationId, type, isUnexpected, originState, latest } = slot;
    const at = latest?.at;
    const title = attestationId === undefined ? text(name) : link(href(attestationId), name);
    const summary = summaries.get(attestationId ?? "");
    const details = [
      summary === undefined ? undefined : text(summary),
      html`${type === "*" ? "any type" : text(type)}`,
      isUnexpected ? html`not in the template` : undefined,
      at === undefined ? undefined : shortTime(at),
      originState ? originMark(originState).html : undefined,
    ];
    return row(title, details);
  }

  function earlier({ before }: RecordedSlot): Html {
    if (before.length === 0) return html``;
    const listed = before.slice(0, EARLIER).map(({ id, at, isOverride, isCompliant }) => {
      const shown = isOverride ? overriddenVerdict(isCompliant) : complianceVerdict(isCompliant);
      return html`<a href="${href(id)}">${time(at)}</a> ${shown}`;
    });
    const more = before.length > EARLIER ? [html`and ${before.length - EARLIER} more`] : [];
    return html`<details><summary>${before.length} earlier</summary>${plainList([...listed, ...more])}</details>`;
  }

  /** Links an override to the attestation that it overrides, if there is one. */
  function stateCell(slot: RecordedSlot) {
    const { overriddenId, isCompliant, state, latest } = slot;
    if (overriddenId === undefined && latest?.isOverride !== true) {
      return { html: html`${verdict(WORDS[state])}${earlier(slot)}`, csv: WORDS[state] };
    }
    const before = overriddenId === undefined ? "" : html`, ${link(href(overriddenId), "previous result")}`;
    return {
      html: html`${overriddenVerdict(isCompliant)}${before}${earlier(slot)}`,
      csv: overriddenText(isCompliant),
    };
  }
}

import { html } from "hono/html";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { link } from "../parts/link.ts";
import { type Table, table } from "../parts/table.ts";
import { duration, time, utc } from "../parts/time.ts";
import { complianceVerdict } from "../parts/verdict.ts";

type Listed = AnsweredBy<"listSnapshots">[number];

/** The height of the highest bar. */
const HEIGHT = 28;
const GAP = 2;
/** The narrowest and the widest bar. */
const [NARROW, WIDE] = [6, 60];

/** Snapshots as bars, the latest at the right: the longer one held, the wider it is, by its logarithm. */
export function snapshotBars(snapshots: readonly Listed[], now: number): Html {
  if (snapshots.length < 2) return html``;
  let x = 0;
  const bars = snapshots.toReversed().map((each) => {
    const width = Math.min(WIDE, NARROW + 4 * Math.log2(1 + secondsOf(each, now) / 60));
    const { tone, word, height } = shown(each);
    const bar = html`<rect class="${tone}" x="${x.toFixed(1)}" y="${HEIGHT - height}" width="${width.toFixed(1)}" height="${height}"><title>Snapshot ${each.index}: ${word}</title></rect>`;
    x += width + GAP;
    return bar;
  });
  return html`<figure class="bars table" tabindex="0"><svg width="${Math.ceil(x)}" height="${HEIGHT}" role="img" aria-label="The last ${snapshots.length} snapshots, the latest at the right: the longer one held, the wider, and the higher the better. The table below says the same.">${bars}</svg></figure>`;
}

/** Verdicts differ by the height of their bars, for who does not tell the colours apart. */
function shown({ state }: Listed) {
  if (state === null || state === undefined) return { tone: "unknown", word: "UNKNOWN", height: 10 } as const;
  return state
    ? ({ tone: "ok", word: "COMPLIANT", height: HEIGHT } as const)
    : ({ tone: "fail", word: "NON-COMPLIANT", height: 18 } as const);
}

/** Snapshots as a table. */
export function snapshotTable(
  { environment, snapshots, empty }: { environment: string; snapshots: readonly Listed[]; empty: Html },
  { to, here, now }: Pick<PageRequest, "to" | "here" | "now">,
): Table {
  return table<Listed>({
    id: "snapshots",
    caption: "Snapshots, the latest first",
    columns: [
      {
        head: "Snapshot",
        cell: ({ index }) => link(to.page("environments", environment, "snapshots", index), String(index)),
        csv: ({ index }) => index,
      },
      {
        head: "State",
        cell: ({ state }) => complianceVerdict(state),
        csv: (each) => shown(each).word,
      },
      { head: "From", cell: ({ from }) => time(from), csv: ({ from }) => utc(from) },
      {
        head: "To",
        cell: (each) => (each.to === 0 ? "now" : time(each.to)),
        csv: (each) => (each.to === 0 ? "now" : utc(each.to)),
      },
      {
        head: "Held for",
        cell: (each) => duration(secondsOf(each, now)),
        csv: (each) => Math.round(secondsOf(each, now)),
      },
    ],
    rows: snapshots,
    empty,
    here,
  });
}

function secondsOf({ from, to }: Listed, now: number): number {
  return Math.max(0, (to === 0 ? now : to) - from);
}

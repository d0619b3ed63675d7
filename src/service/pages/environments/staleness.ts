import { html } from "hono/html";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import { duration } from "../parts/time.ts";

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
/** A report is late after so many times as long as there usually is between two. */
const TIMES = 3;
/** Snapshots of which the usual time between two is known. */
const ENOUGH = 4;

type Listed = Pick<AnsweredBy<"listSnapshots">[number], "from">;

/**
 * How old the last report of an environment may be, in seconds. Of reports that told nothing new only the last is
 * known, so snapshots stand for reports: those come at least as often.
 */
function lateAfter(snapshots: readonly Listed[]): number {
  if (snapshots.length < ENOUGH) return DAY;
  const starts = snapshots.map(({ from }) => from).sort((one, other) => one - other);
  const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? start));
  const [median = DAY] = gaps.sort((one, other) => one - other).slice(Math.floor(gaps.length / 2));
  return Math.min(DAY, Math.max(HOUR, TIMES * median));
}

/** Warns of a last report that is older than it should be. */
export function staleness(
  { type, lastReportedAt }: Pick<AnsweredBy<"getEnvironment">, "type" | "lastReportedAt">,
  snapshots: readonly Listed[],
  now: number,
): Html {
  if (type === "logical" || !lastReportedAt) return html``;
  const age = now - lastReportedAt;
  const late = lateAfter(snapshots);
  if (age <= late) return html``;
  return html`<p class="warn"><strong>The last report is ${duration(age)} old.</strong> What runs may have changed since: one is expected at least every ${duration(late)}.</p>`;
}

import type { TrendSeries } from "../../../api/resources/trends.ts";
import type { PageRequest } from "../page.ts";
import { html, link, text } from "../parts/html.ts";
import { lastMoment, type Period } from "../parts/period.ts";
import { type Table, table } from "../parts/table.ts";

/** Maximum number of controls in a request for trends. */
const AT_ONCE = 50;
/** Maximum number of requests, each of which reads the figures of the whole period. */
const MAX_REQUESTS = 10;

/** Decisions of each control by month, for all months of the period. */
export async function controlGrid(period: Period, request: PageRequest): Promise<Table> {
  const { may, to } = request;
  const isAllowed = may("listControls") && may("getTrends");
  const { names, series, total } = isAllowed ? await decisionsIn(period, request) : NOTHING;
  const [first] = series;
  const months = (first?.buckets ?? []).map(({ start }, index) => ({
    month: new Date(start * 1000).toISOString().slice(0, 7),
    index,
  }));
  return table<TrendSeries>(request, {
    id: "controls",
    caption: "Decisions of the whole organization, by months of the period",
    position: total > series.length ? `the first ${series.length} of ${total} controls` : "",
    columns: {
      Control: ({ scope: { name } }) => ({
        html: html`${link(to.page("controls", name), name)} <span class="quiet">${text(names.get(name))}</span>`,
        csv: name,
      }),
      ...Object.fromEntries(
        months.map(({ month, index }) => [month, (each: TrendSeries) => cellOf(each, index)]),
      ),
    },
    rows: series,
    empty: "No controls yet.",
  });
}

interface Decisions {
  /** Names of the controls by identifier. */
  readonly names: Map<string, string>;
  readonly series: TrendSeries[];
  /** Number of controls. */
  readonly total: number;
}

const NOTHING: Decisions = { names: new Map(), series: [], total: 0 };

async function decisionsIn({ start, end }: Period, { call, now }: PageRequest): Promise<Decisions> {
  const names = new Map<string, string>();
  const series: TrendSeries[] = [];
  // A period that begins in the future has no decisions, and no months.
  if (start > now) return NOTHING;
  const time = { from: String(start), to: String(Math.min(lastMoment(end), now)) };
  let total = 0;
  for (let page = 1, pages = 1; page <= Math.min(pages, MAX_REQUESTS); page++) {
    const { controls, totalPages, totalCount } = await call("listControls", { page, perPage: AT_ONCE });
    [pages, total] = [totalPages, totalCount];
    if (controls.length === 0) break;
    for (const { identifier, name } of controls) names.set(identifier, name);
    const control = controls.map(({ identifier }) => identifier);
    const answer = await call("getTrends", { control, bucket: "month", figures: ["decisions"], ...time });
    series.push(...answer.series.filter(({ scope }) => scope.type === "control"));
  }
  return { names, series, total };
}

/** `12 ✓ 1 ✗`, with words for those who hear it. */
function cellOf({ buckets }: TrendSeries, index: number) {
  const { compliant = 0, nonCompliant = 0 } = buckets[index]?.decisions ?? {};
  if (compliant + nonCompliant === 0) return null;
  const failed = nonCompliant === 0 ? "" : html` <span class="fail">${nonCompliant} failed</span>`;
  const passed = compliant === 0 ? "" : html`<span class="ok">${compliant} passed</span>`;
  return { html: html`${passed}${failed}`, csv: `${compliant} passed ${nonCompliant} failed` };
}

import type { TrendSeries } from "../../../api/resources/trends.ts";
import type { PageRequest } from "../page.ts";
import { html, link, text } from "../parts/html.ts";
import { type Table, table } from "../parts/table.ts";

const MONTHS = 12;
/** Maximum number of controls. */
const CONTROLS = 50;

/** Decisions of each control by month. */
export async function controlGrid(request: PageRequest): Promise<Table> {
  const { call, may, now, to } = request;
  const { controls } = may("listControls")
    ? await call("listControls", { page: 1, perPage: CONTROLS })
    : { controls: [] };
  const names = new Map(controls.map(({ identifier, name }) => [identifier, name]));
  const series = names.size === 0 || !may("getTrends") ? [] : await seriesOf([...names.keys()], now, call);
  const [first] = series;
  const months = (first?.buckets ?? []).map(({ start }, index) => ({
    month: new Date(start * 1000).toISOString().slice(0, 7),
    index,
  }));
  return table<TrendSeries>(request, {
    id: "controls",
    caption: "Decisions of the whole organization, last 12 months",
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

async function seriesOf(
  control: string[],
  now: number,
  call: PageRequest["call"],
): Promise<readonly TrendSeries[]> {
  const date = new Date(now * 1000);
  const from = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - MONTHS + 1, 1)).toISOString();
  const { series } = await call("getTrends", { control, bucket: "month", from });
  return series.filter(({ scope }) => scope.type === "control");
}

/** `12 ✓ 1 ✗`, with words for those who hear it. */
function cellOf({ buckets }: TrendSeries, index: number) {
  const { compliant = 0, nonCompliant = 0 } = buckets[index]?.decisions ?? {};
  if (compliant + nonCompliant === 0) return null;
  const failed = nonCompliant === 0 ? "" : html` <span class="fail">${nonCompliant} failed</span>`;
  const passed = compliant === 0 ? "" : html`<span class="ok">${compliant} passed</span>`;
  return { html: html`${passed}${failed}`, csv: `${compliant} passed ${nonCompliant} failed` };
}

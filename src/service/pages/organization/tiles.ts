import type { TrendBucket } from "../../../api/resources/trends.ts";
import type { PageRequest } from "../page.ts";
import { trendLine } from "../parts/charts.ts";
import { type Html, html } from "../parts/html.ts";
import { tile } from "../parts/tiles.ts";
import type { ListedEnvironment } from "./environment-cards.ts";

interface Figures {
  readonly environments: readonly ListedEnvironment[];
  /** Weeks, oldest first. The last one is not over. */
  readonly buckets: readonly TrendBucket[];
}

/** Four figures, three of them with their change from the week before and a line of 12 weeks. */
export function tiles({ environments, buckets }: Figures, { to, may }: PageRequest): Html {
  const evaluated = environments.filter(({ state }) => state !== null && state !== undefined);
  const compliant = evaluated.filter(({ state }) => state === true).length;
  const deployments = (query: string) =>
    may("listDeployments") ? `${to.page("deployments")}${query}` : undefined;
  return html`<ul class="tiles">
${tile({ label: "Environments compliant", figure: evaluated.length === 0 ? "–" : `${compliant} of ${evaluated.length}`, href: to.page("environments"), note: withoutResult(environments.length - evaluated.length) })}
${weekTile({ label: "Trails compliant", unit: "%", href: to.page("flows"), values: buckets.map(percentOf), isPercent: true })}
${weekTile({ label: "Deployments a week", href: deployments(""), values: buckets.map((each) => each.deployments?.count ?? 0) })}
${weekTile({ label: "Without review", href: deployments("?review=none"), values: buckets.map((each) => each.deployments?.withoutReview ?? 0) })}
</ul>`;
}

function withoutResult(count: number): Html {
  return count === 0 ? html`` : html`${count} without a result yet`;
}

function percentOf({ trails }: TrendBucket): number | null {
  if (trails === undefined) return null;
  const all = trails.compliant + trails.nonCompliant + trails.incomplete;
  return all === 0 ? null : Math.round((100 * trails.compliant) / all);
}

interface WeekTile {
  readonly label: string;
  readonly unit?: string;
  readonly href: string | undefined;
  /** By week, oldest first. */
  readonly values: readonly (number | null)[];
  readonly isPercent?: true;
}

/** The figure of the last complete week, or of the present one if it is the first. */
function weekTile({ label, unit = "", href, values, isPercent }: WeekTile): Html {
  const complete = values.slice(0, -1);
  const isFirst = complete.every((value) => value === null || value === 0);
  const value = isFirst ? values.at(-1) : complete.at(-1);
  const before = isFirst ? null : complete.at(-2);
  const about = `${label} by week, the last ${complete.length} weeks`;
  return tile({
    label,
    figure: value === null || value === undefined ? "–" : `${value}${unit}`,
    href,
    note: html`${isFirst ? "this week" : "last week"}${changeOf(value, before, isPercent)}`,
    line: trendLine(complete, about),
  });
}

function changeOf(
  value: number | null | undefined,
  before: number | null | undefined,
  isPercent?: true,
): string {
  if (typeof value !== "number" || typeof before !== "number") return "";
  const change = value - before;
  const points = isPercent ? (Math.abs(change) === 1 ? " point" : " points") : "";
  if (change === 0) return ", same as the week before";
  return `, ${Math.abs(change)}${points} ${change > 0 ? "more" : "fewer"} than the week before`;
}

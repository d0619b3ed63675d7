import type { TrendBucket } from "../../../api/resources/trends.ts";
import type { PageRequest } from "../page.ts";
import { trendLine } from "../parts/charts.ts";
import { type Html, html } from "../parts/html.ts";
import { dayOf, daysOf } from "../parts/period.ts";
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
  const deployments = (week: TrendBucket, more: Readonly<Record<string, string>> = {}) =>
    may("listDeployments")
      ? `${to.page("deployments")}?${new URLSearchParams({ ...more, ...daysOf(week) })}`
      : undefined;
  return html`<ul class="tiles">
${tile({ label: "Environments compliant", figure: evaluated.length === 0 ? "–" : `${compliant} of ${evaluated.length}`, href: to.page("environments"), note: withoutResult(environments.length - evaluated.length) })}
${weekTile(buckets, { label: "Trails compliant", unit: "%", hrefOf: (week) => trailsPath(week, to), figureOf: percentOf, isPercent: true })}
${weekTile(buckets, { label: "Deployments a week", hrefOf: (week) => deployments(week), figureOf: (each) => each.deployments?.count ?? 0 })}
${weekTile(buckets, { label: "Without review", hrefOf: (week) => deployments(week, { review: "none" }), figureOf: (each) => each.deployments?.withoutReview ?? 0 })}
</ul>`;
}

/** The path of the trails that began in a week. */
export function trailsPath({ start, end }: TrendBucket, to: PageRequest["to"]): string {
  const q = `after:${dayOf(start)} before:${dayOf(end)}`;
  return `${to.page("search")}?${new URLSearchParams({ kind: "trail", q })}`;
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
  /** Leads to what the figure of a week counts. */
  hrefOf(week: TrendBucket): string | undefined;
  figureOf(week: TrendBucket): number | null;
  readonly isPercent?: true;
}

/** The figure of the last complete week, or of the present one if it is the first. */
function weekTile(
  weeks: readonly TrendBucket[],
  { label, unit = "", hrefOf, figureOf, isPercent }: WeekTile,
): Html {
  const complete = weeks.slice(0, -1).map(figureOf);
  const isFirst = complete.every((value) => value === null || value === 0);
  const week = weeks.at(isFirst ? -1 : -2);
  const value = week && figureOf(week);
  const before = isFirst ? null : complete.at(-2);
  const about = `${label} by week, the last ${complete.length} weeks`;
  return tile({
    label,
    figure: value === null || value === undefined ? "–" : `${value}${unit}`,
    href: week && hrefOf(week),
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

import type { TrendBucket } from "../../../api/resources/trends.ts";
import type { PageRequest } from "../page.ts";
import type { Day } from "../parts/charts.ts";
import { dayOf } from "../parts/period.ts";
import { DAY } from "../parts/time.ts";

/** The days of each environment, by name. Empty without the right to trends. */
export async function stripsOf(
  environments: readonly { readonly name: string }[],
  days: number,
  request: PageRequest,
): Promise<ReadonlyMap<string, readonly Day[]>> {
  const { call, may, now } = request;
  const names = environments.map(({ name }) => name);
  if (!may("getTrends") || names.length === 0) return new Map();
  const from = String(now - (days - 1) * DAY);
  const { series } = await call("getTrends", { env: names, bucket: "day", from, figures: ["states"] });
  return new Map(
    series
      .filter(({ scope }) => scope.type === "environment")
      .map(({ scope, buckets }) => [scope.name, buckets.map((each) => stripDay(scope.name, each, request))]),
  );
}

/** A day with a link to the last snapshot of the day. */
function stripDay(
  name: string,
  { start, end, compliantSeconds = 0, nonCompliantSeconds = 0, unknownSeconds = 0 }: TrendBucket,
  { to, now }: PageRequest,
): Day {
  const day = dayOf(start);
  const at = new Date(Math.min(end - 1, now) * 1000).toISOString().slice(0, 19);
  const href = to.page("environments", name, "snapshots", `@{${at}}`);
  if (nonCompliantSeconds > 0)
    return { day, tone: "fail", word: "non-compliant for a part or all of the day", href };
  if (unknownSeconds > compliantSeconds) return { day, tone: "unknown", word: "unknown", href };
  return compliantSeconds > 0
    ? { day, tone: "ok", word: "compliant", href }
    : { day, tone: "none", word: "no reports" };
}

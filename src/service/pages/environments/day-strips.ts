import type { TrendBucket } from "../../../api/resources/trends.ts";
import type { PageRequest } from "../page.ts";
import type { Day } from "../parts/charts.ts";
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
      .map(({ scope, buckets }) => {
        const snapshots = request.to.page("environments", scope.name, "snapshots");
        return [scope.name, buckets.map((each) => stripDay(snapshots, each, now))];
      }),
  );
}

/** A day in UTC with a link to the last snapshot of the day. @param snapshots address of all snapshots */
function stripDay(
  snapshots: string,
  { end, compliantSeconds = 0, nonCompliantSeconds = 0, unknownSeconds = 0 }: TrendBucket,
  now: number,
): Day {
  const at = new Date(Math.min(end - 1, now) * 1000).toISOString().slice(0, 19);
  const day = at.slice(0, 10);
  const href = `${snapshots}/${encodeURIComponent(`@{${at}}`)}`;
  if (nonCompliantSeconds > 0)
    return { day, tone: "fail", word: "non-compliant for a part or all of the day", href };
  if (unknownSeconds > compliantSeconds) return { day, tone: "unknown", word: "unknown", href };
  return compliantSeconds > 0
    ? { day, tone: "ok", word: "compliant", href }
    : { day, tone: "none", word: "no reports" };
}

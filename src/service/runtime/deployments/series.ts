import type { DeploymentSeries } from "../../../api/resources/deployments.ts";
import { invalidInput } from "../../kernel/errors.ts";
import { DAY, type Window, windowOf } from "../../kernel/window.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { type Build, leadTimeOf, secondsOf } from "../running/builds.ts";
import { type Deployment, type DeploymentFilter, oldestDeployments } from "../running/deployments.ts";

/** Maximum number of deployments in a series. */
const MAX_DEPLOYMENTS = 50_000;
/** Maximum length of the window of a series. */
const MAX_DAYS = 400;

/** The window of a series. @throws Invalid if it is too long */
export function seriesWindow(params: Parameters<typeof windowOf>[0], now: number): Window {
  const window = windowOf(params, now);
  if (window.until - window.from <= MAX_DAYS * DAY) return window;
  throw invalidInput({ "query.start_ts": `The window must not be longer than ${MAX_DAYS} days` });
}

/** All deployments of a window, oldest first. @param field the start of the window @throws Invalid for too many */
export async function boundedDeployments(
  db: Database,
  filter: DeploymentFilter & Window,
  field = "start_ts",
): Promise<Deployment[]> {
  const all = await oldestDeployments(db, filter, MAX_DEPLOYMENTS + 1);
  if (all.length > MAX_DEPLOYMENTS) {
    const most = MAX_DEPLOYMENTS.toLocaleString("en");
    throw invalidInput({
      [`query.${field}`]: `The window has more than ${most} deployments. Choose a shorter one`,
    });
  }
  return all;
}

/** Mean and median of the numbers per day, with days that have none. Days begin with the window. */
export function perDay(times: readonly number[], { from, until }: Window) {
  const days = Math.max(1, Math.ceil((until - from) / DAY));
  const counts = Array.from({ length: days }, () => 0);
  for (const time of times) {
    const day = Math.min(days - 1, Math.floor((time - from) / DAY));
    counts[day] = (counts[day] ?? 0) + 1;
  }
  return { perDay: times.length / days, medianPerDay: medianOf(counts) ?? 0 };
}

/** The middle value, or the mean of the two middle ones. Null without values. */
function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/** Times and lead times of deployments to one environment. */
export function seriesOf(
  { id, name, type }: Pick<Tables["environments"], "id" | "name" | "type">,
  deployments: readonly Deployment[],
  builds: ReadonlyMap<string, Build>,
): DeploymentSeries {
  const times = deployments.map((deployment) => leadTimeOf(deployment, builds.get(deployment.fingerprint)));
  const without = (reason: string) => times.filter((time) => time === reason).length;
  const shown = deployments.flatMap((deployment, place) => {
    const time = times[place];
    return time === undefined || time === "initial" ? [] : [{ ...deployment, time }];
  });
  return {
    environmentId: id,
    name,
    type,
    count: shown.length,
    deployedAt: shown.map(({ deployedAt }) => deployedAt),
    leadTimeSeconds: shown.map(({ time }) => secondsOf(time)),
    excluded: {
      initial: without("initial"),
      redeployments: without("redeployments"),
      noCommit: without("no_commit"),
      negative: without("negative"),
    },
  };
}

import type { TrendBucket } from "../../../api/resources/trends.ts";
import { worstReason } from "../environments/environment-state.ts";
import { type AnsweredBy, ifFound } from "../operation-calls.ts";
import type { PageRequest } from "../page.ts";
import { type Day, dayStrip } from "../parts/charts.ts";
import { type Html, html, link } from "../parts/html.ts";
import { shortTime } from "../parts/time.ts";
import { complianceVerdict } from "../parts/verdict.ts";

export type ListedEnvironment = Extract<
  AnsweredBy<"listEnvironments">,
  { environments: unknown }
>["environments"][number];

const DAYS = 30;
/** Artifacts among which the worst reason is searched. */
const READ = 100;

/** A card for each environment: its result, the worst reason, and the last 30 days. */
export async function environmentCards(
  environments: readonly ListedEnvironment[],
  request: PageRequest,
): Promise<Html> {
  if (environments.length === 0) return html``;
  const strips = await stripsOf(environments, DAYS, request);
  const cards = await Promise.all(
    environments.map(async (environment) => {
      const { name, state, lastChangedAt } = environment;
      const reason = state === false ? await reasonIn(name, request) : undefined;
      return html`<li class="card">
<p class="name">${complianceVerdict(state)}${link(request.to.page("environments", name), name)}</p>
<p class="quiet">${reason ?? html`Last change: ${shortTime(lastChangedAt)}`}</p>
${dayStrip(strips.get(name) ?? [], `${name}, the last ${DAYS} days`)}
</li>`;
    }),
  );
  return html`<h2>Environments</h2>
<ul class="cards">${cards}</ul>`;
}

async function reasonIn(envName: string, request: PageRequest): Promise<Html | undefined> {
  const given = { envName, snapshotExpression: "-1", page: 1, perPage: READ };
  const latest = await ifFound(request.call("getSnapshot", given));
  return latest && worstReason(latest.artifacts, request);
}

/** The days of each environment, by name. */
export async function stripsOf(
  environments: readonly Pick<ListedEnvironment, "name">[],
  days: number,
  { call, may, now }: PageRequest,
): Promise<ReadonlyMap<string, readonly Day[]>> {
  const names = environments.map(({ name }) => name);
  if (!may("getTrends") || names.length === 0) return new Map();
  const from = String(now - (days - 1) * 86_400);
  const { series } = await call("getTrends", { env: names, bucket: "day", from });
  return new Map(
    series
      .filter(({ scope }) => scope.type === "environment")
      .map(({ scope, buckets }) => [scope.name, buckets.map((each) => dayOf(each, now))]),
  );
}

function dayOf({ start, end, nonCompliantSeconds = 0, unknownSeconds = 0 }: TrendBucket, now: number): Day {
  const day = new Date(start * 1000).toISOString().slice(0, 10);
  if (nonCompliantSeconds > 0)
    return { day, tone: "fail", word: "non-compliant for a part or all of the day" };
  if (unknownSeconds >= (Math.min(end, now) - start) / 2) return { day, tone: "unknown", word: "unknown" };
  return { day, tone: "ok", word: "compliant" };
}

import type { TrendBucket, TrendFigures, TrendSeries } from "../../../api/resources/trends.ts";
import { requireControl } from "../../evidence/controls/records.ts";
import { flowIdsInScope } from "../../evidence/flows/list.ts";
import { requireFlow } from "../../evidence/flows/records.ts";
import { requireSoleRepo } from "../../evidence/repos/records.ts";
import type { Organization } from "../../kernel/caller.ts";
import { entityTag } from "../../kernel/entity-tag.ts";
import { Forbidden, invalidInput } from "../../kernel/errors.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Call, Handler } from "../../operation/handler.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { chosenEnvironments } from "../deployments/chosen-environments.ts";
import { chosenFlows } from "../deployments/chosen-flows.ts";
import { windowOfTexts } from "../deployments/window.ts";
import { type Bucket, bucketsBetween } from "./buckets.ts";
import { trendsCsv } from "./csv.ts";
import { decisionCounts } from "./decision-counts.ts";
import { fingerprintsOfFlows } from "./deployment-facts.ts";
import { type DeploymentFacts, deploymentFigures } from "./deployment-figures.ts";
import { type StateSeconds, stateSeconds } from "./environment-states.ts";
import { factsBetween } from "./known-facts.ts";
import { trailCounts, trailCountsOfRepos } from "./trail-counts.ts";

const DEFAULT_WEEKS = 12;

type Params = Call<"getTrends">["params"];
type Environment = Tables["environments"];

export const getTrends: Handler<"getTrends"> = async (call, context) => {
  const { generatedAt, ...figures } = await trends(call, context);
  return { status: 200, headers: cached(() => JSON.stringify(figures)), body: { ...figures, generatedAt } };
};

export const getTrendsCsv: Handler<"getTrendsCsv"> = async (call, context) => {
  const text = trendsCsv((await trends(call, context)).series);
  const file = { name: "trends.csv", mediaType: "text/csv", content: new TextEncoder().encode(text) };
  return { status: 200, headers: cached(() => text), body: file };
};

/** Lets caches keep the response if they ask each time whether it still applies. */
function cached(content: () => string): Record<string, string> {
  return {
    // Pages need none.
    get etag() {
      return entityTag(content());
    },
    "cache-control": "private, no-cache",
  };
}

type TrendsCall = Pick<Call<"getTrends">, "org" | "caller" | "params">;

/** @throws Forbidden, Invalid or NotFound */
async function trends({ org, caller: { scope }, params }: TrendsCall, { store, now }: ServiceContext) {
  const generatedAt = now();
  const { bucket: unit, tz, control, repo, envTag, flowTag } = params;
  if (scope !== null && (control ?? repo)) throw new Forbidden();
  const { until, buckets } = timeOf(params, generatedAt);
  const from = buckets[0]?.start ?? until;
  const series = await store.readTogether(async (db) => {
    const all = await chosenEnvironments(db, org, { tags: envTag, scope });
    const named = await namedScopes(db, org, { ...params, all });
    const flowIds = await chosenFlows(db, org, { tags: flowTag, scope });
    const request = { orgId: org.id, environments: all, controls: control, from, until, now: generatedAt };
    const has = (figures: TrendFigures) => params.figures?.includes(figures) ?? true;
    const facts = has("deployments")
      ? await ofFlows(db, flowIds, await factsBetween(store.read, db, request))
      : undefined;
    const seconds = has("states")
      ? await stateSeconds(db, all, { buckets, until, now: generatedAt })
      : undefined;
    const trailFlows = flowIds ?? (await flowIdsInScope(db, org.id, scope));
    return seriesOf(db, { org, flowIds, trailFlows, named, all, has, facts, seconds, buckets });
  });
  return { from, to: until, bucket: unit, tz, generatedAt, series };
}

/** The facts of artifacts that some of the flows reported. Undefined flows are all. */
async function ofFlows(
  db: Database,
  flowIds: readonly string[] | undefined,
  facts: readonly DeploymentFacts[],
): Promise<readonly DeploymentFacts[]> {
  if (flowIds === undefined) return facts;
  const reported = [...(await fingerprintsOfFlows(db, flowIds, facts)).values()];
  const fingerprints = new Set(reported.flatMap((ofFlow) => [...ofFlow]));
  return facts.filter(({ fingerprint }) => fingerprints.has(fingerprint));
}

/** @throws Invalid */
function timeOf({ from, to, weeks, bucket: unit, tz }: Params, now: number) {
  if (from && weeks !== undefined)
    throw invalidInput({ "query.weeks": "Set either from or weeks, not both" });
  const days = ((weeks ?? DEFAULT_WEEKS) - 1) * 7;
  const window = windowOfTexts({ from, to }, { now, days });
  const until = Math.min(window.until, now);
  if (window.from > until) throw invalidInput({ "query.from": "from must not be in the future" });
  if (window.from < 0) throw invalidInput({ "query.from": "from must not be before 1970" });
  return { until, buckets: bucketsBetween(window.from, until, { unit, tz }) };
}

type Named = Awaited<ReturnType<typeof namedScopes>>;

/** @throws NotFound */
async function namedScopes(
  db: Database,
  org: Organization,
  { flow, env, control, repo, all }: Params & Pick<Known, "all">,
) {
  const each = async <Found>(names: readonly string[] = [], find: (name: string) => Promise<Found>) => {
    const found: Found[] = [];
    for (const name of new Set(names)) found.push(await find(name));
    return found;
  };
  return {
    flows: await each(flow, (name) => requireFlow(db, org, name)),
    environments: await each(env, async (name) => {
      const read = all.filter((known) => known.name === name);
      const own = read.length > 0 ? read : await chosenEnvironments(db, org, { names: [name], scope: null });
      return { name, members: idsOf(own) };
    }),
    controls: await each(control, (identifier) => requireControl(db, org, identifier)),
    repos: await each(repo, (id) => requireSoleRepo(db, org.id, { name: id, id })),
  };
}

interface Known {
  org: Organization;
  /** Flows with the tags. Undefined for all. */
  flowIds: readonly string[] | undefined;
  /** Flows whose trails count for the organization. Undefined for all. */
  trailFlows: readonly string[] | undefined;
  named: Named;
  /** Physical environments that the figures cover. */
  all: readonly Environment[];
  /** Whether the figures were requested. */
  has: (figures: TrendFigures) => boolean;
  /** Undefined if they were not requested. */
  facts: readonly DeploymentFacts[] | undefined;
  /** By environment. Undefined if they were not requested. */
  seconds: ReadonlyMap<string, StateSeconds[]> | undefined;
  buckets: readonly Bucket[];
}

async function seriesOf(db: Database, known: Known): Promise<TrendSeries[]> {
  const { org, flowIds, trailFlows, named, all, has, facts, seconds, buckets } = known;
  const bucketsOf = (...figures: (readonly Partial<TrendBucket>[])[]): TrendBucket[] =>
    buckets.map((bucket, place) => Object.assign({ ...bucket }, ...figures.map((each) => each[place])));
  const trailsOf = async (place: Parameters<typeof trailCounts>[1]) =>
    has("trails") ? (await trailCounts(db, place, buckets)).map((trails) => ({ trails })) : [];
  const deployments = (matches: (facts: DeploymentFacts) => boolean) =>
    facts ? deploymentFigures(facts.filter(matches), buckets) : [];
  const states = (ids: readonly string[]) => (seconds ? sumOfSeconds(ids, seconds, buckets) : []);

  const ofEverything = bucketsOf(
    await trailsOf(trailFlows ? { flowIds: trailFlows } : { orgId: org.id }),
    facts ? deploymentFigures(facts, buckets) : [],
    states(idsOf(all)),
  );
  const reported = await fingerprintsOfFlows(db, idsOf(named.flows), facts ?? []);
  const flows: TrendSeries[] = [];
  for (const { id, name } of named.flows) {
    const counted = flowIds === undefined || flowIds.includes(id) ? [id] : [];
    const counts = await trailsOf({ flowIds: counted });
    const figures = deployments(({ fingerprint }) => reported.get(id)?.has(fingerprint) ?? false);
    flows.push({ scope: { type: "flow", name }, buckets: bucketsOf(counts, figures) });
  }
  const environments = named.environments.map(({ name, members }): TrendSeries => {
    const ids = members.filter((member) => all.some(({ id }) => id === member));
    const figures = deployments(({ environmentId }) => ids.includes(environmentId));
    const scopeOf = { type: "environment", name } as const;
    return { scope: scopeOf, environments: ids.length, buckets: bucketsOf(figures, states(ids)) };
  });
  const decidable = has("decisions") ? named.controls : [];
  const decided = await decisionCounts(
    db,
    org.id,
    decidable.map(({ identifier }) => identifier),
    buckets,
  );
  const controls = named.controls.map(({ identifier: name }): TrendSeries => {
    const counts = (decided.get(name) ?? []).map((decisions) => ({ decisions }));
    return { scope: { type: "control", name }, buckets: bucketsOf(counts) };
  });
  const counted = has("trails") ? idsOf(named.repos) : [];
  const begun = await trailCountsOfRepos(db, { repoIds: counted, flowIds }, buckets);
  const repos = named.repos.map(({ id, name }): TrendSeries => {
    const trails = (begun.get(id) ?? []).map((counts) => ({ trails: counts }));
    const figures = deployments(({ repoId }) => repoId === id);
    return { scope: { type: "repo", name }, buckets: bucketsOf(trails, figures) };
  });
  const organization: TrendSeries = {
    scope: { type: "organization", name: org.name },
    environments: all.length,
    buckets: ofEverything,
  };
  return [organization, ...flows, ...environments, ...controls, ...repos];
}

function sumOfSeconds(
  ids: readonly string[],
  seconds: ReadonlyMap<string, StateSeconds[]>,
  buckets: readonly Bucket[],
): Pick<TrendBucket, "compliantSeconds" | "nonCompliantSeconds" | "unknownSeconds">[] {
  return buckets.map((_, place) => {
    const sum = (field: keyof StateSeconds) =>
      ids.reduce((total, id) => total + (seconds.get(id)?.[place]?.[field] ?? 0), 0);
    return {
      compliantSeconds: sum("compliant"),
      nonCompliantSeconds: sum("nonCompliant"),
      unknownSeconds: sum("unknown"),
    };
  });
}

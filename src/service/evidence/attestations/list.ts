import type { ExpressionBuilder, RawBuilder } from "kysely";
import type { Position } from "../../kernel/cursor.ts";
import type { Slice } from "../../kernel/paging.ts";
import { countRows, isAmong, listed, listedNumbersJson, ROW_COUNT } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { type SeriesFilter, selectSeries } from "./series.ts";
import { type StoredAttestation, selectStored, withAttachments } from "./stored.ts";

/** Unix seconds. */
export interface Period {
  /** Inclusive. */
  from?: number | undefined;
  /** Exclusive. */
  to?: number | undefined;
}

export interface ListFilter extends SeriesFilter, Period {
  after?: Position | undefined;
  trailId?: string | undefined;
}

/** Newest first. @throws UnansweredPatterns */
export async function newestAttestations(db: Database, orgId: string, filter: ListFilter, limit: number) {
  return storedAt(db, await newestPlaces(db, orgId, filter, limit));
}

async function newestPlaces(db: Database, orgId: string, filter: ListFilter, limit: number) {
  const { trailId, from = 0, to = LATEST, after = LAST } = filter;
  // A trail implies its organization, whose index has the order but not the trail.
  if (isUnconditional(filter) && trailId !== undefined)
    return placesOfTrail(db, { trailId, from, to, ...after, limit });
  const places = placesIn(db, filter, limit);
  if (isUnconditional(filter)) return places.where("attestations.org_id", "=", orgId).execute();
  // A trail has few attestations and many series.
  if (trailId !== undefined && filter.namePattern === undefined) {
    return places.where("attestations.series_id", "in", seriesIds(db, orgId, filter)).execute();
  }
  return newestOfSeries(db, orgId, filter, limit);
}

function seriesIds(db: Database, orgId: string, filter: ListFilter) {
  return db.selectFrom(selectSeries(db, orgId, filter).as("series")).select("series.id");
}

function isUnconditional(filter: SeriesFilter): boolean {
  const { name, namePattern, flows, flowIds, types, isCompliant } = filter;
  return [name, namePattern, flows, flowIds, types, isCompliant].every(
    (condition) => condition === undefined,
  );
}

/** Series per statement. SQLite combines at most 500 queries. */
const SERIES_PER_QUERY = 200;

/** Reads the newest attestations of each series from an index, then selects the newest of these. */
async function newestOfSeries(db: Database, orgId: string, filter: ListFilter, limit: number) {
  const series = await leadingSeries(db, orgId, filter, limit);
  let newest: Position[] = [];
  for (let start = 0; start < series.length; start += SERIES_PER_QUERY) {
    const [first, ...rest] = series
      .slice(start, start + SERIES_PER_QUERY)
      .map((id) => placesIn(db, filter, limit).where("attestations.series_id", "=", id))
      .map((places) => db.selectFrom(places.as("place")).selectAll());
    if (!first) break;
    const found = await rest.reduce((all, each) => all.unionAll(each), first).execute();
    newest = [...newest, ...found].sort(newestFirst).slice(0, limit);
  }
  return newest;
}

/** The series with the newest attestations. Returns more than `limit` only if several were recorded at the same time. */
async function leadingSeries(db: Database, orgId: string, filter: ListFilter, limit: number) {
  const rows = await selectSeries(db, orgId, filter)
    .select(({ selectFrom }) =>
      selectFrom("attestations")
        .select(({ fn }) => fn.max("attestations.created_at").as("created_at"))
        .whereRef("attestations.series_id", "=", "attestation_series.id")
        .where((eb) => eb.and(conditions(eb, filter)))
        .as("newest"),
    )
    .execute();
  const isNamed = nameTest(filter, new Set(rows.map(({ name }) => name)));
  const ranked = rows
    .flatMap(({ id, name, newest }) => (newest !== null && isNamed(name) ? [{ id, newest }] : []))
    .sort((a, b) => b.newest - a.newest);
  const bound = ranked[limit - 1]?.newest ?? Number.NEGATIVE_INFINITY;
  return idsOf(ranked.filter(({ newest }) => newest >= bound));
}

function nameTest({ namePattern }: ListFilter, names: ReadonlySet<string>): (name: string) => boolean {
  if (!namePattern) return () => true;
  const { pattern, answers } = namePattern;
  answers.ask(pattern, names);
  answers.requireAll();
  return (name) => answers.isFound(pattern, name);
}

function newestFirst(a: Position, b: Position): number {
  return b.createdAt - a.createdAt || b.sequence - a.sequence;
}

/** After all times and sequence numbers. */
const LATEST = Number.MAX_SAFE_INTEGER;
const LAST: Position = { createdAt: LATEST, sequence: LATEST };

interface OfTrail extends Position {
  trailId: string;
  from: number;
  to: number;
  limit: number;
}

const placesOfTrail = prepared((db, given: Given<OfTrail>) => {
  const after = { createdAt: given("createdAt"), sequence: given("sequence") };
  const bounds = { trailId: given("trailId"), from: given("from"), to: given("to"), after };
  return placesIn(db, bounds, given("limit"));
});

type Value<T> = T | RawBuilder<T>;

interface Bounds {
  readonly from?: Value<number> | undefined;
  readonly to?: Value<number> | undefined;
  readonly after?: { readonly [Field in keyof Position]: Value<number> } | undefined;
  readonly trailId?: Value<string> | undefined;
}

function placesIn(db: Database, bounds: Bounds, limit: Value<number>) {
  return db
    .selectFrom("attestations")
    .select(["attestations.created_at as createdAt", "attestations.sequence"])
    .where((eb) => eb.and(conditions(eb, bounds)))
    .orderBy("attestations.created_at", "desc")
    .orderBy("attestations.sequence", "desc")
    .limit(limit);
}

function conditions(eb: ExpressionBuilder<Tables, "attestations">, { from, to, after, trailId }: Bounds) {
  const time = "attestations.created_at";
  return [
    ...(trailId === undefined ? [] : [eb("attestations.trail_id", "=", trailId)]),
    ...(from === undefined ? [] : [eb(time, ">=", from)]),
    ...(to === undefined ? [] : [eb(time, "<", to)]),
    ...(after === undefined
      ? []
      : [
          eb(time, "<=", after.createdAt),
          eb.or([eb(time, "<", after.createdAt), eb("attestations.sequence", "<", after.sequence)]),
        ]),
  ];
}

const selectAt = prepared((db, given: Given<{ sequences: string }>) =>
  selectStored(db)
    .where("attestations.sequence", "in", listedNumbersJson(given("sequences")))
    .orderBy("attestations.created_at", "desc")
    .orderBy("attestations.sequence", "desc"),
);

async function storedAt(db: Database, places: readonly Position[]): Promise<StoredAttestation[]> {
  if (places.length === 0) return [];
  const rows = await selectAt(db, { sequences: JSON.stringify(places.map(({ sequence }) => sequence)) });
  return withAttachments(db, rows);
}

/** Newest first, with the total. */
export async function pageOfFlow(db: Database, flowId: string, { limit, offset, ...period }: Period & Slice) {
  let counting = db.selectFrom("attestations").where("flow_id", "=", flowId);
  if (period.from !== undefined) counting = counting.where("created_at", ">=", period.from);
  if (period.to !== undefined) counting = counting.where("created_at", "<", period.to);
  const total = await countRows(counting.select(ROW_COUNT));
  if (offset >= total) return { total, attestations: [] };
  const places = await placesIn(db, period, limit)
    .where("attestations.flow_id", "=", flowId)
    .offset(offset)
    .execute();
  return { total, attestations: await storedAt(db, places) };
}

export interface CommitFilter {
  commits: readonly string[];
  flowId?: string | undefined;
  flowIds?: readonly string[] | undefined;
  name?: string | undefined;
  type?: string | undefined;
}

/** Newest first. */
export async function attestationsOfCommits(
  db: Database,
  orgId: string,
  { commits, flowId, flowIds, name, type }: CommitFilter,
): Promise<StoredAttestation[]> {
  let query = selectStored(db)
    .where("attestations.org_id", "=", orgId)
    .where("attestations.commit_sha", "in", listed(commits))
    .where(isAmong("attestations.flow_id", flowIds))
    .orderBy("attestations.sequence", "desc");
  if (flowId !== undefined) query = query.where("attestations.flow_id", "=", flowId);
  if (name !== undefined) query = query.where("attestations.name", "=", name);
  if (type !== undefined) {
    query = query.where("attestations.series_id", "in", seriesOfType(db, orgId, type));
  }
  return withAttachments(db, await query.execute());
}

function seriesOfType(db: Database, orgId: string, type: string) {
  return db
    .selectFrom("attestation_series")
    .select("id")
    .where("org_id", "=", orgId)
    .where("type", "=", type);
}

import type { TrendBucket } from "../../../api/resources/trends.ts";
import { countsBetween, type Place } from "../../store/counts-between.ts";
import { isAmong, listed, listedJson } from "../../store/dialect.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { ComplianceState, Database } from "../../store/tables.ts";
import { type Bucket, placeIn } from "./buckets.ts";

type Counts = NonNullable<TrendBucket["trails"]>;

const FIELDS = [
  ["COMPLIANT", "compliant"],
  ["NON-COMPLIANT", "nonCompliant"],
  ["INCOMPLETE", "incomplete"],
] as const satisfies readonly (readonly [ComplianceState, keyof Counts])[];

interface Values {
  /** JSON arrays. */
  limits: string;
  states: string;
}

const countOfOrg = prepared((db, given: Given<Values & { orgId: string }>) =>
  countsBetween<ComplianceState>(db, { limits: given("limits"), names: given("states") }, (place) =>
    begunIn(db, place).where("org_id", "=", given("orgId")),
  ),
);

const countOfFlows = prepared((db, given: Given<Values & { flowIds: string }>) =>
  countsBetween<ComplianceState>(db, { limits: given("limits"), names: given("states") }, (place) =>
    begunIn(db, place).where("flow_id", "in", listedJson(given("flowIds"))),
  ),
);

function begunIn(db: Database, { start, end, name }: Place<ComplianceState>) {
  return db
    .selectFrom("trails")
    .select(({ fn }) => fn.countAll<number>().as("trails"))
    .where("compliance_state", "=", name)
    .where("created_at", ">=", start)
    .where("created_at", "<", end);
}

/** Trails that began in each bucket, by their present state. */
export async function trailCounts(
  db: Database,
  place: { orgId: string } | { flowIds: readonly string[] },
  buckets: readonly Bucket[],
): Promise<Counts[]> {
  const values = {
    limits: JSON.stringify([
      ...buckets.map(({ start }) => start),
      ...buckets.slice(-1).map(({ end }) => end),
    ]),
    states: JSON.stringify(FIELDS.map(([state]) => state)),
  };
  const rows =
    "orgId" in place
      ? await countOfOrg(db, { ...values, orgId: place.orgId })
      : await countOfFlows(db, { ...values, flowIds: JSON.stringify(place.flowIds) });
  const keyOf = (...key: readonly (string | number)[]) => key.join(" ");
  const counts = new Map(rows.map(({ start, end, name, count }) => [keyOf(start, end, name), count]));
  return buckets.map(({ start, end }) => {
    const count = (state: ComplianceState) => Number(counts.get(keyOf(start, end, state)) ?? 0);
    return {
      compliant: count("COMPLIANT"),
      nonCompliant: count("NON-COMPLIANT"),
      incomplete: count("INCOMPLETE"),
    };
  });
}

/** The trails of each repository, by its id. @param flowIds undefined for all flows */
export async function trailCountsOfRepos(
  db: Database,
  { repoIds, flowIds }: { repoIds: readonly string[]; flowIds: readonly string[] | undefined },
  buckets: readonly Bucket[],
): Promise<ReadonlyMap<string, Counts[]>> {
  const found = new Map(
    repoIds.map((id) => [id, buckets.map((): Counts => ({ compliant: 0, nonCompliant: 0, incomplete: 0 }))]),
  );
  const rows = await db
    .selectFrom("trail_repos")
    .innerJoin("trails", "trails.id", "trail_repos.trail_id")
    .select(["trail_repos.repo_id", "trails.compliance_state", "trails.created_at"])
    .where("trail_repos.repo_id", "in", listed(repoIds))
    .where(isAmong("trails.flow_id", flowIds))
    .where("trails.created_at", ">=", buckets[0]?.start ?? 0)
    .where("trails.created_at", "<", buckets.at(-1)?.end ?? 0)
    .execute();
  for (const { repo_id, compliance_state, created_at } of rows) {
    const counts = found.get(repo_id)?.[placeIn(buckets, created_at)];
    const [, field] = FIELDS.find(([state]) => state === compliance_state) ?? [];
    if (counts && field) counts[field] += 1;
  }
  return found;
}

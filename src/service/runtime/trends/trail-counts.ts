import type { TrendBucket } from "../../../api/resources/trends.ts";
import { isAmong, listed } from "../../store/dialect.ts";
import type { ComplianceState, Database } from "../../store/tables.ts";
import { type Bucket, placeIn } from "./buckets.ts";

type Counts = NonNullable<TrendBucket["trails"]>;

const FIELDS = [
  ["COMPLIANT", "compliant"],
  ["NON-COMPLIANT", "nonCompliant"],
  ["INCOMPLETE", "incomplete"],
] as const satisfies readonly (readonly [ComplianceState, keyof Counts])[];

/** Buckets in one statement, because engines limit the columns of a result. */
const AT_ONCE = 100;

/** Trails that began in each bucket, by their present state. Counted in an index. */
export async function trailCounts(
  db: Database,
  place: { orgId: string } | { flowIds: readonly string[] },
  buckets: readonly Bucket[],
): Promise<Counts[]> {
  const counts: Counts[] = [];
  for (let first = 0; first < buckets.length; first += AT_ONCE) {
    const slice = buckets.slice(first, first + AT_ONCE);
    const row: Readonly<Record<string, unknown>> = await db
      .selectNoFrom(({ selectFrom }) =>
        slice.flatMap(({ start, end }, index) =>
          FIELDS.map(([state, field]) => {
            const trails = selectFrom("trails")
              .select(({ fn }) => fn.countAll<number>().as("trails"))
              .where("compliance_state", "=", state)
              .where("created_at", ">=", start)
              .where("created_at", "<", end);
            return (
              "orgId" in place
                ? trails.where("org_id", "=", place.orgId)
                : trails.where("flow_id", "in", listed(place.flowIds))
            ).as(`${field}${index}`);
          }),
        ),
      )
      .executeTakeFirstOrThrow();
    for (const index of slice.keys()) {
      const count = (field: keyof Counts) => Number(row[`${String(field)}${index}`]);
      counts.push({
        compliant: count("compliant"),
        nonCompliant: count("nonCompliant"),
        incomplete: count("incomplete"),
      });
    }
  }
  return counts;
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

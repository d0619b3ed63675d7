import type { TrendBucket } from "../../../api/resources/trends.ts";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";
import { type Bucket, placeIn } from "./buckets.ts";

type Counts = NonNullable<TrendBucket["decisions"]>;

/** Decisions in each bucket, by control. */
export async function decisionCounts(
  db: Database,
  orgId: string,
  controls: readonly string[],
  buckets: readonly Bucket[],
): Promise<ReadonlyMap<string, Counts[]>> {
  const found = new Map(
    controls.map((control) => [control, buckets.map((): Counts => ({ compliant: 0, nonCompliant: 0 }))]),
  );
  if (controls.length === 0) return found;
  const rows = await db
    .selectFrom("control_decisions")
    .select(["control", "is_compliant", "created_at"])
    .where("org_id", "=", orgId)
    .where("control", "in", listed(controls))
    .where("created_at", ">=", buckets[0]?.start ?? 0)
    .where("created_at", "<", buckets.at(-1)?.end ?? 0)
    .execute();
  for (const { control, is_compliant, created_at } of rows) {
    const counts = found.get(control)?.[placeIn(buckets, created_at)];
    if (counts) counts[is_compliant === 1 ? "compliant" : "nonCompliant"] += 1;
  }
  return found;
}

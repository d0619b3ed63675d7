import { evaluateTrail, type TrailStatus } from "../compliance/evaluate.ts";
import type { Database } from "../store/tables.ts";
import { artifactFactsOf, attestationFactsOf } from "./facts.ts";

/** Trails whose records are in memory at a time. */
const TRAILS_AT_A_TIME = 1_000;

/** The compliance of several trails, by trail, with a fixed number of queries for each thousand of them. */
export async function trailStatuses(
  db: Database,
  trails: readonly { id: string; template: string }[],
): Promise<ReadonlyMap<string, TrailStatus>> {
  const statuses = new Map<string, TrailStatus>();
  for (let start = 0; start < trails.length; start += TRAILS_AT_A_TIME) {
    const some = trails.slice(start, start + TRAILS_AT_A_TIME);
    const ids = some.map(({ id }) => id);
    const artifacts = await artifactFactsOf(db, ids);
    const attestations = await attestationFactsOf(db, ids);
    for (const { id, template } of some) {
      const facts = {
        template: JSON.parse(template),
        artifacts: artifacts.get(id) ?? [],
        attestations: attestations.get(id) ?? [],
      };
      statuses.set(id, evaluateTrail(facts));
    }
  }
  return statuses;
}

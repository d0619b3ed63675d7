import { artifactFactsOf } from "../evidence/compliance/facts.ts";
import { latestAttestationsOf } from "../evidence/compliance/latest.ts";
import { evaluateTrail, type TrailStatus } from "../judging/compliance/evaluate.ts";
import type { Database } from "../store/tables.ts";

/** The compliance of several trails slot by slot, by trail. The number of queries is the same for any number of them. */
export async function trailStatuses(
  db: Database,
  trails: readonly { id: string; template: string }[],
): Promise<ReadonlyMap<string, TrailStatus>> {
  const ids = trails.map(({ id }) => id);
  const artifacts = await artifactFactsOf(db, ids);
  const attestations = await latestAttestationsOf(db, ids);
  return new Map(
    trails.map(({ id, template }) => [
      id,
      evaluateTrail({
        template: JSON.parse(template),
        artifacts: artifacts.get(id) ?? [],
        attestations: attestations.get(id) ?? [],
      }),
    ]),
  );
}

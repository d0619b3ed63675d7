import { listed } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";

export interface ArtifactOfFlow {
  flow_id: string;
  fingerprint: string;
}

/** The numbers of the approvals of several artifacts, each in its flow, in rising order. */
export async function approvalNumbers(
  db: Database,
  artifacts: readonly ArtifactOfFlow[],
): Promise<(artifact: ArtifactOfFlow) => number[]> {
  if (artifacts.length === 0) return () => [];
  const rows = await db
    .selectFrom("approvals")
    .select(["flow_id", "artifact_fingerprint as fingerprint", "number"])
    .where("flow_id", "in", listed([...new Set(artifacts.map(({ flow_id }) => flow_id))]))
    .where(
      "artifact_fingerprint",
      "in",
      listed([...new Set(artifacts.map(({ fingerprint }) => fingerprint))]),
    )
    .execute();
  const keyOf = ({ flow_id, fingerprint }: ArtifactOfFlow) => `${flow_id}/${fingerprint}`;
  // Sorted here, since a sorted query goes through all the approvals of the flows instead.
  const found = Map.groupBy(
    rows.sort((a, b) => a.number - b.number),
    keyOf,
  );
  return (artifact) => (found.get(keyOf(artifact)) ?? []).map(({ number }) => number);
}

import { artifactKey } from "../policies/evaluate-environment.ts";
import type { SnapshotArtifactRecord } from "../records/snapshots.ts";
import { addTrailEvents, type TrailEvent } from "../records/trail-events.ts";
import type { Database } from "../store/tables.ts";
import type { Change } from "./changes.ts";

interface RunningChanges {
  environment: { id: string; name: string };
  /** Of the snapshot. */
  number: number;
  changes: readonly Change[];
  before: readonly SnapshotArtifactRecord[];
  after: readonly SnapshotArtifactRecord[];
}

/** Notes on the trails of artifacts that they started or stopped running. */
export async function noteRunning(
  db: Database,
  { environment, number, changes, before, after }: RunningChanges,
  now: number,
): Promise<void> {
  const changed = new Set(changes.map(artifactKey));
  const known = new Map(
    [...before, ...after]
      .filter(({ flows }) => flows.length > 0)
      .map((artifact) => [artifactKey(artifact), artifact] as const)
      .filter(([key]) => changed.has(key)),
  );
  const events = changes.flatMap((change): TrailEvent[] => {
    const started = change.was === 0;
    if (!started && change.now !== 0) return [];
    const flows = known.get(artifactKey(change))?.flows ?? [];
    return flows.flatMap(({ trailId, templateName, gitCommitInfo }) =>
      trailId === null
        ? []
        : [
            {
              trailId,
              type: started ? "artifact_started_running" : "artifact_stopped_running",
              timestamp: now,
              gitCommitInfo: gitCommitInfo && JSON.stringify(gitCommitInfo),
              details: {
                artifact_fingerprint: change.fingerprint,
                artifact_name: change.name,
                environment_id: environment.id,
                environment_name: environment.name,
                snapshot_index: number,
                ...(started ? { replica_number: change.now } : {}),
                template_reference_name: templateName,
              },
            },
          ],
    );
  });
  await addTrailEvents(db, events);
}

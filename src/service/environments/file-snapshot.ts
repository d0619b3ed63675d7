import { artifactKey } from "../policies/evaluate-environment.ts";
import { provenanceOf } from "../records/artifact-provenance.ts";
import { artifactsOf, insertSnapshot, type SnapshotArtifactRecord } from "../records/snapshots.ts";
import { takeOldestUnfiled, type UnfiledSnapshot } from "../records/unfiled-snapshots.ts";
import type { Database } from "../store/tables.ts";
import { changesBetween } from "./changes.ts";
import { deployedFlows } from "./deployment.ts";
import { instanceName, knownFingerprints } from "./running.ts";
import { noteRunning } from "./trail-notes.ts";

/*
 * A report is answered when all that it says is kept, in one row. To find it by artifact, by event and by trail takes
 * rows in many places, tens of thousands for a large cluster: they are written before the next request that may look,
 * or in a quiet moment. Nobody sees a snapshot that has only some of them.
 */

/**
 * Files the snapshot that has waited longest: it becomes the latest of its environment, with what changed since the
 * one before, and the trails of what started or stopped to run say so.
 *
 * @param upTo the sequence of the last that is to be filed
 * @returns whether there was one
 */
export async function fileOldestSnapshot(db: Database, upTo = Number.MAX_SAFE_INTEGER): Promise<boolean> {
  const snapshot = await takeOldestUnfiled(db, upTo);
  if (snapshot) await file(db, snapshot);
  return snapshot !== undefined;
}

async function file(
  db: Database,
  { environmentId, content, takenAt, ...snapshot }: UnfiledSnapshot,
): Promise<void> {
  const environment = await db
    .selectFrom("environments")
    .select(["id", "org_id", "name", "latest_snapshot_id"])
    .where("id", "=", environmentId)
    .executeTakeFirstOrThrow();
  const latestId = environment.latest_snapshot_id;
  const before = latestId === null ? [] : ((await artifactsOf(db, [latestId])).get(latestId) ?? []);
  const provenance = await provenanceOf(db, environment.org_id, knownFingerprints(content.artifacts));
  const built = content.artifacts.map((artifact) => ({
    ...artifact,
    flows: provenance.get(artifact.fingerprint) ?? [],
  }));
  const deployed = deployedFlows(built, before, takenAt);
  const artifacts = built.map((artifact) => ({
    ...artifact,
    flows: deployed.get(artifactKey(artifact)) ?? [],
  }));
  const changes = changesBetween(before.map(withState), artifacts.map(withState));
  await insertSnapshot(db, { ...snapshot, ...content, environmentId, artifacts, changes }, takenAt);
  await noteRunning(db, { environment, number: snapshot.number, changes, before, after: artifacts }, takenAt);
}

function withState(artifact: SnapshotArtifactRecord) {
  return {
    name: artifact.name,
    fingerprint: artifact.fingerprint,
    compliant: artifact.compliant,
    instances: artifact.instances.map(instanceName),
    provenance: provenanceText(artifact),
  };
}

/** Equal for equal provenance: from which flows and trails, in which order they are given does not matter. */
function provenanceText({ flows }: Pick<SnapshotArtifactRecord, "flows">): string {
  return JSON.stringify(
    flows
      .map(({ flowName, trailName, templateName, commitSha }) =>
        JSON.stringify([flowName, trailName, templateName, commitSha]),
      )
      .sort(),
  );
}

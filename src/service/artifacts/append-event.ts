import { addTrailEvents } from "../evidence/trails/events.ts";
import { fieldsOf } from "../kernel/json-column.ts";
import type { Database } from "../store/tables.ts";

/** An artifact that was just reported to a trail. */
interface ReportedToTrail {
  id: string;
  trailId: string;
  fingerprint: string;
  filename: string;
  templateName: string | null;
  commitSha: string | null;
  repoId: string | null;
  /** The fields that are only ever shown, as JSON. */
  details: string;
}

/** Adds the report of an artifact to the events of its trail. */
export async function appendArtifactEvent(
  db: Database,
  artifact: ReportedToTrail,
  now: number,
): Promise<void> {
  const { git_commit_info } = fieldsOf(artifact.details);
  await addTrailEvents(db, [
    {
      trailId: artifact.trailId,
      type: "artifact_creation_reported",
      timestamp: now,
      gitCommitInfo: git_commit_info === undefined ? null : JSON.stringify(git_commit_info),
      repoId: artifact.repoId,
      details: {
        artifact_fingerprint: artifact.fingerprint,
        artifact_name: artifact.filename,
        artifact_id: artifact.id,
        template_reference_name: artifact.templateName,
        git_commit: artifact.commitSha,
      },
    },
  ]);
}

import { addTrailEvents } from "../evidence/trails/events.ts";
import type { RequestContext } from "../kernel/request-context.ts";
import type { Database } from "../store/tables.ts";

/** An approval that was just recorded. */
interface RecordedApproval {
  id: string;
  number: number;
  flowId: string;
  artifactFingerprint: string;
  /** The name of the environment that it is for. */
  environment: string | null;
  state: string;
  /** JSON: a list, the latest last. */
  reviews: string;
}

/** Adds an approval to the events of the trail that its artifact was last reported to. */
export async function appendApprovalEvent(
  db: Database,
  approval: RecordedApproval,
  { orgId, now }: RequestContext,
): Promise<void> {
  const artifact = await db
    .selectFrom("artifacts")
    .select("trail_id")
    .where("flow_id", "=", approval.flowId)
    .where("fingerprint", "=", approval.artifactFingerprint)
    .where("trail_id", "is not", null)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  const trailId = artifact?.trail_id ?? null;
  if (trailId === null) return;
  const environment = await db
    .selectFrom("environments")
    .select("id")
    .where("org_id", "=", orgId)
    .where("name", "=", approval.environment ?? "")
    .executeTakeFirst();
  const reviews: { approved_by?: string }[] = JSON.parse(approval.reviews);
  await addTrailEvents(db, [
    {
      trailId,
      type: "artifact_approval_reported",
      timestamp: now,
      details: {
        artifact_fingerprint: approval.artifactFingerprint,
        approval_id: approval.id,
        approval_number: approval.number,
        environment_id: environment?.id ?? null,
        state: approval.state,
        reviewer: reviews.at(-1)?.approved_by ?? null,
      },
    },
  ]);
}

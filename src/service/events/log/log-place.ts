import type { Database } from "../../store/tables.ts";
import { indexesOf } from "./leaves.ts";

/** The index of an attestation's event. Undefined until a checkpoint has it. */
export interface LogPlace {
  readonly index: number | undefined;
}

/** Finds an attestation in the log without adding events to it. Undefined if the organization's log has no checkpoint. */
export async function logPlaceOf(
  db: Database,
  orgId: string,
  attestationId: string,
): Promise<LogPlace | undefined> {
  const event = await db
    .selectFrom("events")
    .innerJoin("attestations", "attestations.trail_id", "events.trail_id")
    .innerJoin("logs", "logs.org_id", "events.org_id")
    .select(["events.sequence", "events.digest", "logs.signed_size as size"])
    .where("events.org_id", "=", orgId)
    .where("attestations.id", "=", attestationId)
    .whereRef("events.subject_id", "=", "attestations.id")
    .where("logs.checkpoint", "is not", null)
    .orderBy("events.sequence")
    .executeTakeFirst();
  if (event === undefined) return undefined;
  const [found] = await indexesOf(db, orgId, [event]);
  return { index: found && found.index < event.size ? found.index : undefined };
}

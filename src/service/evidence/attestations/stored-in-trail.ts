import type { Organization } from "../../kernel/caller.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { Database } from "../../store/tables.ts";
import { requireFlow } from "../flows/records.ts";
import { requireTrail } from "../trails/records.ts";
import { findAttestation, type StoredAttestation } from "./stored.ts";

interface Named {
  readonly flowName: string;
  readonly trailName: string;
  readonly attestationId: string;
}

/** An attestation by its ID, in the trail that the path names. @throws NotFound */
export async function requireAttestation(
  db: Database,
  org: Organization,
  { flowName, trailName, attestationId }: Named,
): Promise<StoredAttestation> {
  const flow = await requireFlow(db, org, flowName);
  const trail = await requireTrail(db, org, flow, trailName);
  const found = await findAttestation(db, org.id, attestationId);
  if (found && found.row.trail_id === trail.id) return found;
  throw new NotFound(
    "attestation.not_found",
    `Attestation '${attestationId}' does not exist in trail '${trail.name}' of flow '${flow.name}'`,
  );
}

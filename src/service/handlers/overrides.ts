import { type overrideAttestation, overrideSubmission } from "../../api/attestation-kinds.ts";
import { toWire } from "../../api/wire-names.ts";
import { isOfType } from "../compliance/evaluate.ts";
import { attestationToOverride } from "../compliance/override.ts";
import type { Call, Handler } from "../http/handler.ts";
import { invalidInput, notFound } from "../http-error.ts";
import { attestationFacts } from "../records/attestations.ts";
import { requireFlow } from "../records/flows.ts";
import { artifactFactsOf } from "../records/trail-compliance.ts";
import { requireTrail } from "../records/trails.ts";
import type { Database } from "../store/tables.ts";
import { record } from "./attest.ts";
import { requireBinding } from "./binding.ts";

/** An override is one more attestation of the same name and type, which says which one it overrides. */
export const handleOverrideAttestation: Handler<typeof overrideAttestation> = async (call, context) => {
  const { org, params, body } = call;
  requireBinding(body);
  // Looked up first, because an override makes neither flow nor trail.
  await context.store.readTogether(async (db) =>
    requireTrail(db, org, await requireFlow(db, org, params.flowName), params.trailName),
  );
  const withoutFiles = { ...call, files: { attachmentFile: [] } };
  await record(withoutFiles, context, async (db, { trail }) => {
    const overridden = await findOverridden(db, trail.id, call);
    return {
      type: overridden.type,
      isCompliant: body.newComplianceStatus,
      overriddenId: overridden.id,
      shown: { ...said(body), overridden_attestation_id: overridden.id },
    };
  });
  return { status: 200, body: "OK" };
};

/** @throws HttpError 404 when there is nothing to override, 400 when it is of another type */
async function findOverridden(
  db: Database,
  trailId: string,
  { params, body }: Call<typeof overrideAttestation>,
) {
  const { attestationName: name, originalAttestationType } = body;
  const attestations = await attestationFacts(db, trailId);
  const artifacts = (await artifactFactsOf(db, [trailId])).get(trailId) ?? [];
  const overridden = attestationToOverride(
    { attestations, artifacts },
    {
      name,
      fingerprint: body.artifactFingerprint ?? null,
      targets: body.targetArtifacts ?? [],
      commitSha: body.gitCommitInfo?.sha1 ?? null,
    },
  );
  if (!overridden) {
    throw notFound(
      `Attestation named '${name}' does not exist in trail '${params.trailName}' of flow '${params.flowName}'`,
    );
  }
  if (!isOfType(overridden.type, originalAttestationType)) {
    throw invalidInput({
      original_attestation_type: `The latest attestation named '${name}' is of type '${overridden.type}' [input: ${originalAttestationType}]`,
    });
  }
  return overridden;
}

function said({
  reason,
  newComplianceStatus,
  originalAttestationType,
}: Call<typeof overrideAttestation>["body"]) {
  const wire = toWire(overrideSubmission, { reason, newComplianceStatus, originalAttestationType });
  return typeof wire === "object" && wire !== null ? wire : {};
}

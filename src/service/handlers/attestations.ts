import type { getArtifactAttestation, listTrailAttestations } from "../../api/attestations.ts";
import type { Handler } from "../http/handler.ts";
import { resolveFingerprint } from "../records/artifacts.ts";
import { requireFlow } from "../records/flows.ts";
import { attestationsOfArtifact, attestationsOfTrail } from "../records/stored-attestations.ts";
import { requireTrail } from "../records/trails.ts";
import { recordView } from "./attestation-view.ts";

export const handleGetArtifactAttestation: Handler<typeof getArtifactAttestation> = async (
  { org, params },
  { store, links },
) =>
  store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const fingerprint = await resolveFingerprint(db, { orgName: org.name, flow, prefix: params.fingerprint });
    const query = { flowId: flow.id, fingerprint, name: params.attestationName };
    const found = await attestationsOfArtifact(db, query);
    return { status: 200, body: found.map((stored) => recordView(stored, { org: org.name, links })) };
  });

export const handleListTrailAttestations: Handler<typeof listTrailAttestations> = async (
  { org, params },
  { store, links },
) =>
  store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const trail = await requireTrail(db, org, flow, params.trailName);
    const found = await attestationsOfTrail(db, { trailId: trail.id, name: params.attestationName });
    return { status: 200, body: found.map((stored) => recordView(stored, { org: org.name, links })) };
  });

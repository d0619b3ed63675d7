import type { getArtifactAttestation } from "../../api/attestations.ts";
import { attestationsOfArtifact } from "../attestations/stored.ts";
import { recordView } from "../attestations/view.ts";
import { requireFlow } from "../flows/records.ts";
import type { Handler } from "../operation/handler.ts";
import { resolveFingerprint } from "./records.ts";

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

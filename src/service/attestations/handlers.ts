import type { listTrailAttestations } from "../../api/resources/attestations.ts";
import { attestationsOfTrail } from "../evidence/attestations/stored.ts";
import { requireFlow } from "../evidence/flows/records.ts";
import { requireTrail } from "../evidence/trails/records.ts";
import type { Handler } from "../operation/handler.ts";
import { recordView } from "./view.ts";

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

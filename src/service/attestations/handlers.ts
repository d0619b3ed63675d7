import type { listTrailAttestations } from "../../api/attestations.ts";
import { requireFlow } from "../flows/records.ts";
import type { Handler } from "../operation/handler.ts";
import { requireTrail } from "../trails/records.ts";
import { attestationsOfTrail } from "./stored.ts";
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

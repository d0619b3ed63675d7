import { definePage } from "../page.ts";
import { download } from "../parts/download.ts";
import { requireAttestation } from "./record.ts";

/** The files of an attestation: the one there is, or an archive of all. */
export const attestationEvidence = definePage({
  path: "/:org/flows/:flow/trails/:trail/attestations/:id/evidence",
  audience: "everybody",
  subject: ({ flow, trail }) => ({ kind: "trail", place: flow, name: trail }),
  async show(request) {
    const { params, ask } = request;
    const { attestationId } = await requireAttestation(request, params);
    return download(
      await ask("downloadEvidence", { flowName: params.flow, trailName: params.trail, attestationId }),
    );
  },
});

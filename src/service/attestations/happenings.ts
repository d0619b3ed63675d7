import type { AnySubmission } from "../../api/resources/attestation-fields.ts";
import { flowContent, trailStarted } from "../events/projections/flow-content.ts";
import type { FlowContent, Happening } from "../events/projections/raise.ts";
import type { AddedAttestation } from "../evidence/attestations/records.ts";
import type { OpenTrail } from "../evidence/trails/open-trail.ts";
import { commitOf } from "../notifications/commit.ts";
import type { ServiceContext } from "../operation/context.ts";
import type { Sender } from "../operation/handler.ts";

interface Attested {
  /** Where it was made, as it was before. */
  place: OpenTrail;
  added: AddedAttestation;
  type: string;
  isCompliant: boolean;
}

/** What happens when an attestation is recorded: a trail may begin with it. */
export function attested(
  { org, params, body }: Pick<Sender, "org"> & { params: { trailName: string }; body: AnySubmission },
  { links }: Pick<ServiceContext, "links">,
  { place, added, type, isCompliant }: Attested,
): readonly Happening[] {
  const { trailName } = params;
  const flowName = place.flow.name;
  const { attestationName: name, gitCommitInfo, originUrl } = body;
  const inTrail = (records: OpenTrail["trail"]) => {
    const trail = { name: trailName, records, said: place.said };
    return { org, links, flowName, trail };
  };
  const content = (): FlowContent => {
    const { id, trail, artifact } = added;
    const verdict = isCompliant ? "compliant" : "non-compliant";
    const subject = artifact
      ? `artifact '${artifact.filename}' in trail '${trailName}'`
      : `trail '${trailName}'`;
    return flowContent(inTrail(trail), {
      description: `${trail.verdict.state}: '${name}' of ${subject} of flow '${flowName}' was attested as ${verdict}.`,
      commit: gitCommitInfo ? commitOf(gitCommitInfo) : undefined,
      runUrl: originUrl,
      ...(artifact && {
        artifact: {
          name: artifact.filename,
          fingerprint: artifact.fingerprint,
          html_url: links.artifact(org.name, flowName, artifact.fingerprint, artifact.id),
        },
      }),
      attestation: {
        attestation_id: id,
        name,
        type,
        is_compliant: isCompliant,
        html_url: links.attestation(org.name, flowName, trailName, id),
      },
    });
  };
  return [
    ...(place.isNew ? [trailStarted(inTrail(place.trail))] : []),
    { trigger: "ON_ATTESTATION", place: flowName, each: () => [content()] },
  ];
}

import {
  type attestGeneric,
  genericSubmission,
  type getArtifactAttestation,
} from "../../api/attestations.ts";
import { toWire } from "../../api/wire-names.ts";
import type { Call, Handler } from "../http/handler.ts";
import { once } from "../idempotency.ts";
import { resolveFingerprint } from "../records/artifacts.ts";
import { addAttestation, attestationsOfArtifact } from "../records/attestations.ts";
import { asLinkObjects } from "../records/external-urls.ts";
import { requireFlow } from "../records/flows.ts";
import { recordView } from "./attestation-view.ts";
import { requireBinding, trailToAttest } from "./binding.ts";
import { occasionOf } from "./occasion.ts";

export const handleAttestGeneric: Handler<typeof attestGeneric> = async (call, context) => {
  const { org, params, body, files, identity } = call;
  const occasion = occasionOf(call, context);
  requireBinding(body);
  // Before the record that names them, so that no record ever names a file that is not there.
  await context.attachments.keep(files.attachmentFile);
  return context.store.write((db) =>
    once(db, {
      identity,
      subject: `attestation/${org.id}/${params.flowName}/${params.trailName}/${body.attestationName}`,
      now: occasion.now,
      record: async () => {
        const trail = await trailToAttest(db, { org, ...params, ...body }, occasion);
        await addAttestation(
          db,
          {
            trailId: trail.id,
            name: body.attestationName,
            type: "generic",
            isCompliant: body.isCompliant,
            artifactFingerprint: body.artifactFingerprint ?? null,
            targetArtifacts: body.targetArtifacts ?? [],
            commitSha: body.gitCommitInfo?.sha1 ?? null,
            repoInfo: body.repoInfo,
            details: JSON.stringify(toWire(genericSubmission, details(body))),
            files: files.attachmentFile,
          },
          occasion,
        );
        return { status: 201, body: "OK" } as const;
      },
    }),
  );
};

function details(body: Call<typeof attestGeneric>["body"]): object {
  const { description, originUrl, targetArtifacts, gitCommitInfo, annotations, userData = {} } = body;
  const externalUrls = asLinkObjects(body.externalUrls);
  return { description, originUrl, targetArtifacts, gitCommitInfo, externalUrls, annotations, userData };
}

export const handleGetArtifactAttestation: Handler<typeof getArtifactAttestation> = async (
  { org, params },
  { store, links },
) =>
  store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const fingerprint = await resolveFingerprint(db, { orgName: org.name, flow, prefix: params.fingerprint });
    const query = { flowId: flow.id, fingerprint, name: params.attestationName };
    const found = await attestationsOfArtifact(db, query);
    return {
      status: 200,
      body: found.map((stored) => recordView(stored, { org: org.name, flow: flow.name, links })),
    };
  });

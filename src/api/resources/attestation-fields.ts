import * as z from "zod/mini";
import { attestationName, fingerprint, reference, webAddress } from "../names.ts";
import { defineOperation, insideFlow } from "../operation.ts";
import type { Camel, Schema } from "../wire-names.ts";
import { annotations, FLOW_CREATED_HEADER, originFields } from "./provenance.ts";
import { TEMPLATE_MATCH_HEADER } from "./template-match.ts";

/** Fields of attestations of every kind. */
export const attestationFields = {
  attestation_name: attestationName,
  ...originFields,
  origin_url: z.nullish(webAddress),
  /** Fingerprint of the attested artifact, which must have been reported to the trail. */
  artifact_fingerprint: z.nullish(fingerprint),
  /** Template names of the attested artifacts, which may be reported later. */
  target_artifacts: z.nullish(z.array(attestationName)),
  annotations: z.nullish(annotations),
};

/** Header of a response with the result of the attestation. */
export const COMPLIANT_HEADER = "X-Compliant";

export const anySubmission = z.object(attestationFields);
/** Fields of submissions of every kind. */
export type AnySubmission = Camel<z.infer<typeof anySubmission>>;

export const attestationAnswerHeaders = [TEMPLATE_MATCH_HEADER, COMPLIANT_HEADER, FLOW_CREATED_HEADER];

export const trailParams = z.object({ flow_name: reference, trail_name: reference });

/** Declares the operation that records attestations of one kind. */
export function attestOperation<const Name extends string, S extends Schema>(declaration: {
  name: Name;
  kind: string;
  summary: string;
  schema: S;
}) {
  const { kind, schema, ...words } = declaration;
  return defineOperation({
    ...words,
    route: `POST /attestations/{org}/{flow_name}/trail/{trail_name}/${kind}`,
    access: "attest",
    reach: insideFlow,
    heavy: false,
    params: trailParams,
    body: { kind: "multipart", part: "data_json", schema, files: { attachment_file: { count: "many" } } },
    responses: { 201: z.string() },
    answerHeaders: attestationAnswerHeaders,
    errors: { 404: "The trail does not contain the artifact", 413: "An attachment is over 10 MB" },
    takesIdempotencyKey: true,
    spoolable: true,
  });
}

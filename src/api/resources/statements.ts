import * as z from "zod/mini";
import { fingerprint, reference } from "../names.ts";
import { defineOperation, fileAnswer, insideFlow } from "../operation.ts";
import { shortText } from "../texts.ts";
import { assertQuestion } from "./asserts.ts";
import { trailParams } from "./attestation-fields.ts";

/* Signed statements of in-toto, for gates that verify a result without the service. */

/**
 * Asserts an artifact and signs the result as a statement of in-toto. Returns the DSSE envelope, which is stored and
 * returned again for the same result. Its key is in `/.well-known/evidence-keys.json`.
 */
export const stateVerdict = defineOperation({
  name: "stateVerdict",
  summary: "Sign the result of an assert",
  route: "POST /asserts/{org}/fingerprint/{fingerprint}",
  access: "assert",
  reach: { list: { flows: "flow_name", environments: "environment_name" } },
  heavy: false,
  params: z.object({ fingerprint }),
  query: z.object({
    ...assertQuestion,
    /** Verification summary of SLSA, or simple verification result, which states only what passed. */
    statement: z._default(z.enum(["vsa", "svr"]), "vsa"),
    /** Address of the artifact for its consumers. By default taken from its latest report. */
    resource_uri: z.optional(shortText.check(z.minLength(1))),
    /** `bundle`: the envelope in a Sigstore bundle, for cosign. */
    format: z._default(z.enum(["dsse", "bundle"]), "dsse"),
  }),
  responses: { 200: fileAnswer },
  errors: {
    404: "No such artifact, flow, environment or policy",
    409: "Not compliant for `svr`, or no key for secrets",
  },
  conflictIsFinal: true,
});

/** Signs an attestation as a statement of in-toto by its type. Returns the DSSE envelope, which is stored. */
export const stateAttestation = defineOperation({
  name: "stateAttestation",
  summary: "Sign an attestation",
  route: "POST /attestations/{org}/{flow_name}/trail/{trail_name}/attestation/{attestation_id}/statement",
  access: "assert",
  reach: insideFlow,
  heavy: false,
  params: z.object({ ...trailParams.def.shape, attestation_id: reference }),
  responses: { 200: fileAnswer },
  errors: { 404: "No such attestation, or it is older than the log", 409: "No key for secrets" },
  conflictIsFinal: true,
});

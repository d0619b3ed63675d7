import * as z from "zod/mini";
import { commitSha, fingerprintPrefix, reference } from "../names.ts";
import { defineOperation, fileAnswer, readsCommon, readsFlow } from "../operation.ts";
import { anyItemsPerPage, cursorLinks, cursorPaging, pagination as pageCounts, pageOf } from "../paging.ts";
import { shortText } from "../texts.ts";
import { trailParams } from "./attestation-fields.ts";
import { attestationRecord } from "./attestation-record.ts";

/** Lists the attestations with this name on the artifact, newest first. */
export const getArtifactAttestation = defineOperation({
  ...readsFlow,
  name: "getArtifactAttestation",
  summary: "List the attestations of one name on an artifact",
  route: "GET /attestations/{org}/{flow_name}/artifact/{fingerprint}/{attestation_name}",
  params: z.object({ flow_name: reference, fingerprint: fingerprintPrefix, attestation_name: reference }),
  responses: { 200: z.array(attestationRecord) },
  errors: { 404: "No such flow or artifact" },
});

/** Lists the attestations with this name on the trail, newest first. */
export const listTrailAttestations = defineOperation({
  ...readsFlow,
  name: "listTrailAttestations",
  summary: "List the attestations of one name on a trail",
  route: "GET /attestations/{org}/{flow_name}/trail/{trail_name}/{attestation_name}",
  params: z.object({ ...trailParams.def.shape, attestation_name: reference }),
  responses: { 200: z.array(attestationRecord) },
  errors: { 404: "No such flow or trail" },
});

const pagination = z.nullish(z.looseObject(pageCounts.def.shape));
const period = {
  /** Start, in Unix seconds, inclusive. */
  from_timestamp: z.optional(z.int()),
  /** End, in Unix seconds, exclusive. */
  to_timestamp: z.optional(z.int()),
};

/**
 * Lists the attestations that match the filters, newest first. With `attestation_id`, returns at most that one.
 *
 * @example
 * let after: string | undefined;
 * do {
 *   const { body } = await client.listAttestations({ name: "unit", isCompliant: false, ...(after && { after }) });
 *   for (const record of body.data) report(record);
 *   after = body._links?.next?.after;
 * } while (after !== undefined);
 */
export const listAttestations = defineOperation({
  name: "listAttestations",
  summary: "List attestations",
  route: "GET /attestations/{org}",
  access: "read",
  reach: { list: { flows: "flow" } },
  heavy: false,
  query: z.object({
    attestation_id: z.optional(shortText),
    /** Name of the attestations. */
    name: z.optional(shortText),
    name_regex: z.optional(
      shortText.check(
        z.meta({
          description:
            "Regular expression in RE2 syntax that matches anywhere in the name: at most 1,000 characters and 2,000 states. Excludes `name`.",
        }),
      ),
    ),
    flow: z.optional(z.array(shortText)),
    /** Name of a trail of the flow. Requires exactly one `flow`. */
    trail: z.optional(reference),
    type: z.optional(z.array(shortText)),
    is_compliant: z.optional(z.boolean()),
    ...period,
    ...cursorPaging,
  }),
  responses: {
    200: z.looseObject({
      data: z.array(attestationRecord),
      _links: cursorLinks,
      pagination,
    }),
  },
});

/** Lists the attestations of the flow, newest first. */
export const listFlowAttestations = defineOperation({
  ...readsFlow,
  name: "listFlowAttestations",
  summary: "List the attestations of a flow",
  route: "GET /attestations/{org}/{flow_name}",
  params: z.object({ flow_name: reference }),
  query: z.object({ ...pageOf(anyItemsPerPage, 20), ...period }),
  responses: { 200: z.looseObject({ data: z.array(attestationRecord), pagination }) },
  errors: { 404: "No such flow" },
});

/** Lists the attestations of the given commits, by commit. */
export const listAttestationsForCriteria = defineOperation({
  name: "listAttestationsForCriteria",
  summary: "List attestations by commit",
  route: "GET /attestations/{org}/list_attestations_for_criteria",
  access: "read",
  reach: { list: { flows: "flow_name" } },
  heavy: false,
  query: z.object({
    commit_list: z.optional(z.array(commitSha)),
    attestation_type: z.optional(shortText),
    attestation_name: z.optional(shortText),
    flow_name: z.optional(shortText),
    /** Has no effect. */
    attestation_id: z.optional(shortText),
  }),
  responses: { 200: z.record(z.string(), z.array(attestationRecord)) },
  errors: { 422: "The attestation type does not exist" },
});

/** Lists the system attestation types with the JSON Schema of their data. */
export const listSystemAttestationTypes = defineOperation({
  ...readsCommon,
  name: "listSystemAttestationTypes",
  summary: "List system attestation types",
  route: "GET /attestations/system-attestation-types",
  responses: {
    200: z.array(
      z.looseObject({
        name: z.string(),
        description: z.nullish(z.string()),
        versions: z.array(
          z.looseObject({ version: z.int(), type_schema: z.record(z.string(), z.unknown()) }),
        ),
      }),
    ),
  },
});

/** Returns the evidence file as it was sent, or a gzip tar if there are several. */
export const downloadEvidence = defineOperation({
  ...readsFlow,
  name: "downloadEvidence",
  summary: "Download the evidence of an attestation",
  route: "GET /attestations/{org}/{flow_name}/trail/{trail_name}/attestation/{attestation_id}/evidence",
  params: z.object({ ...trailParams.def.shape, attestation_id: reference }),
  responses: { 200: fileAnswer },
  errors: {
    404: "No such attestation, or it has no evidence",
    500: "The service failed, or the stored evidence is missing or was modified",
  },
});

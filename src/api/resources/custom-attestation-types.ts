import * as z from "zod/mini";
import { customTypeName, reference } from "../names.ts";
import { defineOperation, readsOrganization, writesOrganization } from "../operation.ts";
import { longText, shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

const evaluator = z.union([
  z.looseObject({
    content_type: z._default(z.literal("jq"), "jq"),
    rules: z.array(z.string().check(z.maxLength(10_000))).check(
      z.maxLength(100),
      z.meta({
        description:
          "jq expressions over the attestation data, which must all be true. Schema and rules together get 2 seconds of processor time and 256 MB; an attestation that needs more is not compliant.",
      }),
    ),
  }),
  /** No rules: data that matches the schema is compliant. */
  z.looseObject({ content_type: z._default(z.literal("default"), "default") }),
]);

/**
 * Creates the type, or adds a version to an existing one. New attestations use the latest version.
 *
 * @example
 * await client.createCustomAttestationType({
 *   body: { name: "coverage", evaluator: { contentType: "jq", rules: [".percent >= 80"] } },
 *   files: { typeSchema: { name: "coverage.json", content: new Blob([JSON.stringify(schema)]) } },
 * });
 */
export const createCustomAttestationType = defineOperation({
  ...writesOrganization,
  name: "createCustomAttestationType",
  summary: "Create a custom attestation type",
  route: "POST /custom-attestation-types/{org}",
  body: {
    kind: "multipart",
    part: "data_json",
    schema: z.strictObject({
      name: customTypeName,
      description: z.nullish(longText),
      evaluator: z.nullish(evaluator),
      /** jq expressions whose results summarize an attestation, by label. */
      summary: z.nullish(z.array(z.strictObject({ name: shortText, expression: longText }))),
    }),
    /** A JSON Schema, draft 2020-12 or draft-07, that the data of each attestation must match. */
    files: { type_schema: { count: "one" } },
  },
  responses: { 201: z.string() },
});

const customType = z.looseObject({
  name: z.string(),
  /** Description for people; absent if none was ever set. */
  description: z.nullish(z.string()),
  archived: z.optional(z.boolean()),
  org: z.optional(z.string()),
  created_by: z.nullish(z.string()),
  /** Time of creation, in Unix seconds. */
  created_at: z.optional(z.number()),
  last_modified_at: z.optional(z.number()),
  /** Versions, newest first. */
  versions: z.optional(
    z.array(
      z.looseObject({
        version: z.int(),
        /** Time of creation, in Unix seconds. */
        timestamp: z.optional(z.number()),
        /** JSON Schema of the data; text in older services. */
        type_schema: z.nullish(z.union([z.record(z.string(), z.unknown()), z.string()])),
        evaluator: z.nullish(
          z.looseObject({ content_type: z.nullish(z.string()), rules: z.nullish(z.array(z.string())) }),
        ),
        summary: z.nullish(
          z.array(z.looseObject({ name: z.nullish(z.string()), expression: z.nullish(z.string()) })),
        ),
        created_by: z.nullish(z.string()),
      }),
    ),
  ),
});
export type CustomAttestationType = Camel<z.infer<typeof customType>>;

/** Lists the types that are not archived, sorted by name. */
export const listCustomAttestationTypes = defineOperation({
  ...readsOrganization,
  name: "listCustomAttestationTypes",
  summary: "List custom attestation types",
  route: "GET /custom-attestation-types/{org}",
  responses: { 200: z.array(customType) },
});

/** Returns the type with all its versions. With `version`, returns that version only. */
export const getCustomAttestationType = defineOperation({
  ...readsOrganization,
  name: "getCustomAttestationType",
  summary: "Get a custom attestation type",
  route: "GET /custom-attestation-types/{org}/{custom_attestation_type_name}",
  params: z.object({ custom_attestation_type_name: reference }),
  query: z.object({ version: z.optional(z.int()) }),
  responses: { 200: customType },
  errors: { 404: "No such type or version" },
});

/** Archives the type. It accepts no further attestations; existing ones remain. */
export const archiveCustomAttestationType = defineOperation({
  ...writesOrganization,
  name: "archiveCustomAttestationType",
  summary: "Archive a custom attestation type",
  route: "PUT /custom-attestation-types/{org}/{custom_attestation_type_name}/archive",
  params: z.object({ custom_attestation_type_name: reference }),
  responses: { 200: z.string() },
  errors: { 404: "No such type" },
});

import * as z from "zod/mini";
import { controlIdentifier, reference, webAddress } from "../names.ts";
import { administersOrganization, defineOperation, readsOrganization } from "../operation.ts";
import { itemsPerPage, pageFields, pageOf } from "../paging.ts";
import { longText, shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

/* What an organization has set itself to do. Policies may ask for decisions about controls. */

const named = z.object({ identifier: reference });
const errors = { 404: "No such control" } as const;
const pages = pageOf(itemsPerPage, 15);

const control = z.looseObject({
  identifier: z.string(),
  name: z.string(),
  description: z.nullish(z.string()),
  /** Addresses by label. */
  links: z.nullish(z.record(z.string(), z.unknown())),
  /** Counts from 1, up with each change. */
  version: z.optional(z.int()),
  /** Unix seconds. */
  created_at: z.optional(z.number()),
  created_by: z.optional(z.string()),
  tags: z.nullish(z.record(z.string(), z.unknown())),
  /** Only where one control is asked for. */
  archived: z.optional(z.boolean()),
  /** The names of the policies whose latest version asks for decisions about it; only where one is asked for. */
  policies_referencing: z.nullish(z.array(z.unknown())),
});
export type Control = Camel<z.infer<typeof control>>;

const controlVersion = z.looseObject({
  identifier: z.string(),
  version: z.int(),
  name: z.string(),
  description: z.nullish(z.string()),
  links: z.nullish(z.record(z.string(), z.unknown())),
  created_at: z.optional(z.number()),
  created_by: z.optional(z.string()),
  /** What made it: `created`, `edited`, `archived` or `unarchived`. */
  status: z.optional(z.string()),
});
export type ControlVersion = Camel<z.infer<typeof controlVersion>>;

const decision = z.looseObject({
  /** The attestation that it was recorded as. */
  decision_id: z.optional(z.string()),
  control: z.string(),
  is_compliant: z.boolean(),
  timestamp: z.number(),
  attestation_name: z.optional(z.string()),
  evidence_files: z.nullish(z.array(z.looseObject({ filename: z.string(), download_url: z.string() }))),
  /** The version that the control had then; null when it did not exist yet. */
  control_version: z.nullish(z.int()),
  flow_name: z.nullish(z.string()),
  trail_name: z.nullish(z.string()),
  artifact_fingerprint: z.nullish(z.string()),
  artifact_name: z.nullish(z.string()),
  description: z.nullish(z.string()),
  origin_url: z.nullish(z.string()),
  user_data: z.unknown(),
});
export type Decision = Camel<z.infer<typeof decision>>;

const links = z.record(shortText.check(z.minLength(1)), webAddress);

/**
 * Creates a control with an identifier that is unique in the organization.
 *
 * @example
 * ```ts
 * await client.createControl({ body: { identifier: "SDLC-7", name: "Code is reviewed" } });
 * ```
 */
export const createControl = defineOperation({
  ...administersOrganization,
  name: "createControl",
  summary: "Create a control",
  route: "POST /controls/{org}",
  body: {
    kind: "json",
    schemaName: "ControlPostInput",
    schema: z.strictObject({
      identifier: controlIdentifier,
      name: shortText.check(z.minLength(1)),
      description: z.nullish(longText),
      links: z.nullish(links),
    }),
  },
  responses: { 201: control },
  errors: { 409: "A control with that identifier exists already" },
  conflictIsFinal: true,
  takesIdempotencyKey: true,
});

/** Changes the given fields, which creates a version of the control. */
export const updateControl = defineOperation({
  ...administersOrganization,
  name: "updateControl",
  summary: "Update a control",
  route: "PUT /controls/{org}/{identifier}",
  params: named,
  body: {
    kind: "json",
    schema: z.strictObject({
      name: z.nullish(shortText.check(z.minLength(1))),
      description: z.nullish(longText),
      /** Replaces all links. */
      links: z.nullish(links),
    }),
  },
  responses: { 200: control },
  errors,
});

/** Lists the controls that are not archived, sorted by identifier. */
export const listControls = defineOperation({
  ...readsOrganization,
  name: "listControls",
  summary: "List controls",
  route: "GET /controls/{org}",
  query: z.object({
    ...pages,
    sort_direction: z._default(z.enum(["asc", "desc"]), "asc"),
    /** Part of the identifier or the name, in any letter case. */
    search: z.optional(shortText),
    /** Each `key:value`, or `key` for any value; a control must have all of them. */
    tag: z.optional(z.array(shortText.check(z.minLength(1)))),
    /** The archived controls instead of the others. */
    archived: z._default(z.boolean(), false),
  }),
  responses: { 200: z.looseObject({ ...pageFields, controls: z.array(control) }) },
});

/** Returns the control, whether it is archived or not. */
export const getControl = defineOperation({
  ...readsOrganization,
  name: "getControl",
  summary: "Get a control",
  route: "GET /controls/{org}/{identifier}",
  params: named,
  responses: { 200: control },
  errors,
});

/** Archives the control. It is no longer listed; its decisions remain. */
export const archiveControl = defineOperation({
  ...administersOrganization,
  name: "archiveControl",
  summary: "Archive a control",
  route: "POST /controls/{org}/{identifier}/archive",
  params: named,
  responses: { 200: z.union([z.string(), control]) },
  errors,
});

/** Restores the control, so that it is listed again. */
export const unarchiveControl = defineOperation({
  ...administersOrganization,
  name: "unarchiveControl",
  summary: "Restore an archived control",
  route: "POST /controls/{org}/{identifier}/unarchive",
  params: named,
  responses: { 200: z.union([z.string(), control]) },
  errors,
});

/** Lists the versions of the control, newest first. */
export const listControlVersions = defineOperation({
  ...readsOrganization,
  name: "listControlVersions",
  summary: "List the versions of a control",
  route: "GET /controls/{org}/{identifier}/versions",
  params: named,
  responses: { 200: z.array(controlVersion) },
  errors,
});

/** Returns the control as it was in this version. */
export const getControlVersion = defineOperation({
  ...readsOrganization,
  name: "getControlVersion",
  summary: "Get a version of a control",
  route: "GET /controls/{org}/{identifier}/versions/{version_number}",
  params: z.object({ identifier: reference, version_number: z.int().check(z.minimum(1)) }),
  responses: { 200: controlVersion },
  errors: { 404: "No such control, or no such version of it" },
});

/**
 * Lists the decisions about the control, newest first.
 *
 * @example
 * ```ts
 * const { body } = await client.listControlDecisions({ identifier: "SDLC-7", isCompliant: false });
 * ```
 */
export const listControlDecisions = defineOperation({
  ...readsOrganization,
  name: "listControlDecisions",
  summary: "List the decisions about a control",
  route: "GET /controls/{org}/{identifier}/decisions",
  params: named,
  query: z.object({
    ...pages,
    is_compliant: z.optional(z.boolean()),
    /** Unix seconds, inclusive. */
    from_timestamp: z.optional(z.number()),
    /** Unix seconds, inclusive. */
    to_timestamp: z.optional(z.number()),
    /** Flows by their name or id. */
    flow_id: z.optional(z.array(shortText)),
    sort_direction: z._default(z.enum(["asc", "desc"]), "desc"),
  }),
  responses: { 200: z.looseObject({ ...pageFields, decisions: z.array(decision) }) },
  errors,
});

/** Returns one decision about the control, with its evidence files. */
export const getControlDecision = defineOperation({
  ...readsOrganization,
  name: "getControlDecision",
  summary: "Get a decision",
  route: "GET /controls/{org}/{identifier}/decisions/{decision_id}",
  params: z.object({ identifier: reference, decision_id: reference }),
  responses: { 200: decision },
  errors: { 404: "No such control, or no such decision about it" },
});

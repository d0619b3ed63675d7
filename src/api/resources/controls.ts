import * as z from "zod/mini";
import { controlIdentifier, policyName, reference, webAddress } from "../names.ts";
import { administersOrganization, defineOperation, readsOrganization } from "../operation.ts";
import { itemsPerPage, pageFields, pageNumber, pageOf } from "../paging.ts";
import { longText, shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";
import { tag } from "./tags.ts";

/* Rules of an organization. Policies may require decisions about controls. */

const named = z.object({ identifier: reference });
const errors = { 404: "No such control" } as const;
const pages = pageOf(itemsPerPage, 15);

const control = z.looseObject({
  identifier: z.string(),
  name: z.string(),
  description: z.nullish(z.string()),
  /** Addresses by label. */
  links: z.nullish(z.record(z.string(), z.unknown())),
  /** Identifier of the only decision policy that decides about it. Null if every decision counts. */
  decision_policy: z.nullish(z.string()),
  /** Version, counted from 1. Each change creates one. */
  version: z.optional(z.int()),
  /** Time of creation, in Unix seconds. */
  created_at: z.optional(z.number()),
  created_by: z.optional(z.string()),
  tags: z.nullish(z.record(z.string(), z.unknown())),
  /** Whether it is archived. Only in the response for a single control. */
  archived: z.optional(z.boolean()),
  /** Names of the policies whose latest version requires decisions about it. Only in the response for a single control. */
  policies_referencing: z.nullish(z.array(z.unknown())),
});
export type Control = Camel<z.infer<typeof control>>;

const controlVersion = z.looseObject({
  identifier: z.string(),
  version: z.int(),
  name: z.string(),
  description: z.nullish(z.string()),
  links: z.nullish(z.record(z.string(), z.unknown())),
  /** Identifier of the decision policy that it was bound to. */
  decision_policy: z.nullish(z.string()),
  created_at: z.optional(z.number()),
  created_by: z.optional(z.string()),
  /** Change that created the version: `created`, `edited`, `archived` or `unarchived`. */
  status: z.optional(z.string()),
});
export type ControlVersion = Camel<z.infer<typeof controlVersion>>;

const decision = z.looseObject({
  /** ID of the attestation with the decision. */
  decision_id: z.optional(z.string()),
  control: z.string(),
  is_compliant: z.boolean(),
  timestamp: z.number(),
  attestation_name: z.optional(z.string()),
  evidence_files: z.nullish(z.array(z.looseObject({ filename: z.string(), download_url: z.string() }))),
  /** Version of the control at that time; null if it did not exist. */
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
      /** `tags` is reserved. */
      identifier: controlIdentifier.check(
        z.refine((identifier) => identifier !== "tags", { error: "The identifier 'tags' is reserved" }),
      ),
      name: shortText.check(z.minLength(1)),
      description: z.nullish(longText),
      links: z.nullish(links),
      /** Decision policy to bind it to, which must exist and not be archived. */
      decision_policy: z.nullish(policyName),
    }),
  },
  responses: { 201: control },
  errors: { 409: "A control with that identifier already exists" },
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
      /** Decision policy to bind it to, which must exist and not be archived. Null ends the binding. */
      decision_policy: z.nullish(policyName),
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
    /** Tags as `key:value`, or `key` for any value. A control must have all of them. */
    tag: z.optional(z.array(shortText.check(z.minLength(1)))),
    /** Whether to list the archived controls instead of the others. */
    archived: z._default(z.boolean(), false),
  }),
  responses: { 200: z.looseObject({ ...pageFields, controls: z.array(control) }) },
});

/** Lists the distinct tags of the controls that are not archived, sorted, at most 10,000. */
export const listControlTags = defineOperation({
  ...readsOrganization,
  name: "listControlTags",
  summary: "List the tags of controls",
  route: "GET /controls/{org}/tags",
  responses: { 200: z.array(tag) },
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

/**
 * Lists the environments that are not archived, sorted by name, and whether the control covers them. An environment is
 * covered if a policy that is attached to it requires decisions about the control. Whether its artifacts comply does
 * not matter.
 */
export const getControlCoverage = defineOperation({
  ...readsOrganization,
  name: "getControlCoverage",
  summary: "Get the coverage of a control",
  route: "GET /controls/{org}/{identifier}/coverage",
  params: named,
  query: z.object({
    ...pages,
    /** Part of the name of the environment, in any letter case. */
    search: z.optional(shortText),
    /** Whether to list only covered environments, or only the others. */
    covered: z.optional(z.boolean()),
  }),
  responses: {
    200: z.looseObject({
      ...pageFields,
      /** Counts of all environments, regardless of the filters. */
      summary: z.looseObject({
        total: z.int(),
        /** Number of covered environments. */
        covered: z.int(),
        /** 0 to 100, with one decimal. 0 without environments. */
        coverage_percent: z.number(),
      }),
      environments: z.array(
        z.looseObject({
          name: z.string(),
          type: z.string(),
          /** Whether the control covers it. */
          covered: z.boolean(),
          /** Names of the attached policies that require decisions about the control. */
          policies: z.array(z.string()),
        }),
      ),
    }),
  },
  errors,
});

/** Lists the versions of the control, newest first. With a paging parameter, the response is one page. */
export const listControlVersions = defineOperation({
  ...readsOrganization,
  name: "listControlVersions",
  summary: "List the versions of a control",
  route: "GET /controls/{org}/{identifier}/versions",
  params: named,
  query: z.object({
    page: z.optional(pageNumber),
    /** Default: 15. */
    per_page: z.optional(itemsPerPage),
    /** By version. Default: `desc`. */
    sort_direction: z.optional(z.enum(["asc", "desc"])),
  }),
  responses: {
    200: z.union([
      z.array(controlVersion),
      z.looseObject({ ...pageFields, versions: z.array(controlVersion) }),
    ]),
  },
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
  errors: { 404: "No such control or version" },
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
    /** Start, in Unix seconds, inclusive. */
    from_timestamp: z.optional(z.number()),
    /** End, in Unix seconds, inclusive. */
    to_timestamp: z.optional(z.number()),
    /** Names or IDs of flows. */
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
  errors: { 404: "No such control or decision" },
});

import * as z from "zod/mini";
import { flowName, newFlowName, reference, webAddress } from "../names.ts";
import { defineOperation, insideFlow, readsCommon, readsFlow, writesOrganization } from "../operation.ts";
import { itemsPerPage, pageNumber, pagination } from "../paging.ts";
import { longText, shortText } from "../texts.ts";
import { complianceState } from "./trail-record.ts";

export const visibility = z.enum(["public", "private"]);

const flowFields = {
  name: flowName,
  /** Description for people; may be empty. */
  description: longText,
  visibility: z._default(visibility, "private"),
};

/**
 * Creates the flow or updates the given fields of an existing one. `template` lists the names of required
 * attestations; use `createFlowWithTemplate` for a template file.
 */
export const createFlow = defineOperation({
  name: "createFlow",
  summary: "Create or update a flow",
  route: "PUT /flows/{org}",
  access: "write",
  reach: { made: { flows: "name" } },
  heavy: false,
  body: {
    kind: "json",
    schema: z.object({
      ...flowFields,
      /** Names of the required attestations. `artifact` means the artifact itself. */
      template: z.array(shortText.check(z.minLength(1))),
      repo_url: z.nullish(z.union([webAddress, z.literal("")])),
    }),
  },
  responses: { 200: z.string(), 201: z.string() },
});

/** Creates or updates the flow from a template in YAML. Existing trails keep their template. */
export const createFlowWithTemplate = defineOperation({
  name: "createFlowWithTemplate",
  summary: "Create or update a flow with a template file",
  route: "PUT /flows/{org}/template_file",
  access: "write",
  reach: { made: { flows: "name" } },
  heavy: false,
  body: {
    kind: "multipart",
    part: "data_json",
    schema: z.object(flowFields),
    files: { template_file: { count: "one" } },
  },
  responses: { 200: z.string(), 201: z.string() },
});

const flowRecord = z.looseObject({
  id: z.optional(z.string()),
  name: z.string(),
  description: z.string(),
  visibility,
  /** Name of the organization. */
  org: z.string(),
  /** YAML text of the template; a list of names if the flow was created with one. */
  template: z.unknown(),
  repo_url: z.nullish(z.string()),
  tags: z.nullish(z.record(z.string(), z.string())),
  /** Time of the latest record in one of its trails, in Unix seconds. */
  latest_activity_at: z.nullish(z.number()),
  /** State of the trail with the latest record. */
  latest_state: z.nullish(complianceState),
});

/** Lists the flows that are not archived, sorted by name. */
export const listFlows = defineOperation({
  name: "listFlows",
  summary: "List flows",
  route: "GET /flows/{org}",
  access: "read",
  reach: { list: {} },
  heavy: false,
  query: z.object({
    /** Part of the name. */
    search_by_name: z.optional(shortText),
    case_sensitive: z._default(z.boolean(), true),
    /** Tags as `key:value`, or `key` for any value. A flow must have all of them. */
    tag: z.optional(z.array(shortText.check(z.minLength(1)))),
    /** IDs of spaces. A service without spaces finds nothing in them. An empty list has no effect. */
    space_id: z.optional(z.array(shortText)),
    sort: z._default(z.enum(["name", "latest_activity"]), "name"),
    sort_direction: z._default(z.enum(["asc", "desc"]), "asc"),
    /** Page number, counted from 1. With `page` or `per_page`, the response is one page, otherwise all flows. */
    page: z.optional(pageNumber),
    per_page: z.optional(itemsPerPage),
  }),
  responses: {
    200: z.union([
      z.array(flowRecord),
      z.looseObject({ data: z.array(flowRecord), pagination: z.nullish(pagination) }),
    ]),
  },
});

/** Returns the flow with its template. A former name leads to the renamed flow. */
export const getFlow = defineOperation({
  ...readsFlow,
  name: "getFlow",
  summary: "Get a flow",
  route: "GET /flows/{org}/{flow_name}",
  params: z.object({ flow_name: reference }),
  responses: { 200: flowRecord },
  errors: { 404: "No such flow" },
});

/** Renames the flow. The former name keeps leading to it until another flow takes that name. */
export const renameFlow = defineOperation({
  ...writesOrganization,
  name: "renameFlow",
  summary: "Rename a flow",
  route: "PUT /flows/{org}/{flow_name}/rename",
  params: z.object({ flow_name: reference }),
  body: { kind: "json", schema: z.object({ new_name: newFlowName }) },
  responses: { 200: z.string() },
  errors: { 404: "No such flow" },
});

/**
 * Archives the flow. It is no longer listed and accepts no further records; existing ones can still be read. To use it
 * again, create a flow with its name.
 */
export const archiveFlow = defineOperation({
  name: "archiveFlow",
  summary: "Archive a flow",
  route: "PUT /flows/{org}/{flow_name}/archive",
  access: "write",
  reach: insideFlow,
  heavy: false,
  params: z.object({ flow_name: reference }),
  responses: { 200: z.string() },
  errors: { 404: "No such flow" },
});

/** Returns the JSON Schema of flow templates, version 1. */
export const getFlowTemplateSchema = defineOperation({
  ...readsCommon,
  name: "getFlowTemplateSchema",
  summary: "Get the schema of flow templates",
  route: "GET /schemas/flow-template/v1",
  responses: { 200: z.record(z.string(), z.unknown()) },
});

import * as z from "zod/mini";
import { fingerprintPrefix, reference, trailName, webAddress } from "../names.ts";
import { defineOperation, fileAnswer, insideFlow, readsFlow } from "../operation.ts";
import { pageNumber, pageOf, pagination } from "../paging.ts";
import { shortText } from "../texts.ts";
import { originFields } from "./provenance.ts";
import { complianceState, trailRecord } from "./trail-record.ts";

/** Creates the trail, or updates the given fields of an existing one. A trail can have its own template. */
export const beginTrail = defineOperation({
  name: "beginTrail",
  summary: "Begin or update a trail",
  route: "PUT /trails/{org}/{flow_name}",
  access: "attest",
  reach: insideFlow,
  heavy: false,
  params: z.object({ flow_name: reference }),
  body: {
    kind: "multipart",
    part: "data_json",
    schema: z.object({ name: trailName, ...originFields, origin_url: z.nullish(webAddress) }),
    files: { template_file: { count: "one" } },
  },
  responses: { 200: z.unknown(), 201: z.unknown() },
  errors: { 404: "No such flow" },
});

const trailPage = z.looseObject({ data: z.array(trailRecord), pagination: z.nullish(pagination) });

/** Maximum number of trails in a response, also without paging. */
export const MAX_TRAILS = 1_000;
const trailsPerPage = z.int().check(z.minimum(1), z.maximum(MAX_TRAILS));

/** Returns the trail with its compliance status and its events. */
export const getTrail = defineOperation({
  ...readsFlow,
  name: "getTrail",
  summary: "Get a trail",
  route: "GET /trails/{org}/{flow_name}/{trail_name}",
  params: z.object({ flow_name: reference, trail_name: reference }),
  responses: { 200: trailRecord },
  errors: { 404: "No such flow or trail" },
});

/**
 * Lists the trails of the flow, newest first. Without `per_page` the response is a plain list of at most 1,000
 * trails.
 */
export const listFlowTrails = defineOperation({
  ...readsFlow,
  name: "listFlowTrails",
  summary: "List the trails of a flow",
  route: "GET /trails/{org}/{flow_name}",
  heavy: { items: MAX_TRAILS },
  params: z.object({ flow_name: reference }),
  query: z.object({
    /** Compliance of the trails. */
    compliance_state: z.optional(complianceState),
    page: z._default(pageNumber, 1),
    per_page: z.optional(trailsPerPage),
  }),
  responses: { 200: z.union([z.array(trailRecord), trailPage]) },
  errors: { 404: "No such flow" },
});

/** Lists the trails of all flows that the caller may read, newest first. */
export const listTrails = defineOperation({
  name: "listTrails",
  summary: "List trails of all flows",
  route: "GET /trails/{org}",
  access: "read",
  reach: { list: { flows: "flow" } },
  heavy: false,
  query: z.object({
    /** Name of a flow. */
    flow: z.optional(reference),
    /** Tag of the flows, as `key:value` (or `key=value`), or `key` for any value. */
    flow_tag: z.optional(shortText.check(z.minLength(1))),
    /** Fingerprint of an artifact that was reported to the trail, or its first characters. */
    fingerprint: z.optional(fingerprintPrefix),
    /** Compliance of the trails. */
    compliance_state: z.optional(complianceState),
    /** Whether to count all trails of the list. Without it, the response is faster and has no `pagination`. */
    count: z._default(z.boolean(), true),
    ...pageOf(trailsPerPage, 20),
  }),
  responses: { 200: trailPage },
  errors: { 404: "No such flow" },
});

/**
 * Returns the records of the trail as a page for printing: its result, requirements, artifacts, attestations, the
 * sha256 of their files, and the environments of its artifacts. The page is HTML, which any browser prints or saves as
 * PDF. It needs no network. The same records give the same bytes.
 */
export const downloadTrailAuditPdf = defineOperation({
  ...readsFlow,
  name: "downloadTrailAuditPdf",
  summary: "Download the audit page of a trail",
  route: "GET /trails/{org}/{flow_name}/{trail_name}/audit_pdf",
  heavy: true,
  params: z.object({ flow_name: reference, trail_name: reference }),
  responses: { 200: fileAnswer },
  errors: { 404: "No such flow or trail" },
});

/**
 * Returns a gzip tar of the trail, its artifacts, its attestations and their files, and the page of
 * `downloadTrailAuditPdf` as `trail-page.html`. `manifest.json` lists the sha256 of each file. Packing the same records
 * twice gives the same bytes.
 */
export const getTrailAuditPackage = defineOperation({
  ...readsFlow,
  name: "getTrailAuditPackage",
  summary: "Download the audit package of a trail",
  route: "GET /trails/{org}/{flow_name}/{trail_name}/audit_package",
  heavy: true,
  params: z.object({ flow_name: reference, trail_name: reference }),
  responses: { 200: fileAnswer },
  errors: { 404: "No such flow or trail" },
});

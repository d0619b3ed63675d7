import * as z from "zod/mini";
import { recordId } from "../names.ts";
import { defineOperation, readsOrganization } from "../operation.ts";
import { countedItemsPerPage, pageFields, pageNumber } from "../paging.ts";
import { shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";
import { commitRecord } from "./attestation-record.ts";
import { complianceState } from "./trail-record.ts";

/* Builds: first reports of artifacts. Further reports of a fingerprint, as of a promotion, are no builds. */

/** Maximum number of builds in statistics. */
export const MAX_BUILDS = 50_000;

const build = z.looseObject({
  /** ID of the artifact's first report. */
  id: z.string(),
  fingerprint: z.string(),
  artifact_name: z.string(),
  /** Time of the first report, in Unix seconds. */
  built_at: z.number(),
  flow_name: z.string(),
  trail_name: z.nullish(z.string()),
  template_reference_name: z.nullish(z.string()),
  git_commit: z.nullish(z.string()),
  commit_url: z.nullish(z.string()),
  git_commit_info: z.nullish(commitRecord),
  build_url: z.nullish(z.string()),
  /** Name of the repository that it was built from. */
  repo_name: z.nullish(z.string()),
  /** ID that the service gave the repository. */
  repo_inner_id: z.nullish(z.string()),
  compliance_state: z.nullish(complianceState),
  /** Names of the environments in which it runs or ran, sorted. */
  deployed_to: z.array(z.string()),
  _links: z.nullish(z.record(z.string(), z.unknown())),
});
export type Build = Camel<z.infer<typeof build>>;

const filter = {
  /** ID of the repository at the code host. Ignored with `repo_inner_id`. */
  repo_id: z.optional(shortText),
  /** Name of the repository. Ignored with `repo_inner_id` or `repo_id`. */
  repo_name: z.optional(shortText),
  /** ID that the service gave the repository. */
  repo_inner_id: z.optional(recordId),
  /** Start in Unix seconds, inclusive. Default: 28 days before the end. */
  start_ts: z.optional(z.number()),
  /** End in Unix seconds, inclusive. Default: now. */
  end_ts: z.optional(z.number()),
};

/** Lists the builds, newest first: the first report of each artifact. Filter by repository and time. */
export const listBuilds = defineOperation({
  ...readsOrganization,
  name: "listBuilds",
  summary: "List builds",
  route: "GET /builds/{org}",
  query: z.object({
    page: z._default(pageNumber, 1),
    per_page: z._default(countedItemsPerPage, 15),
    ...filter,
  }),
  responses: {
    200: z.looseObject({
      ...pageFields,
      /** Builds of the page. Empty if `per_page` is 0. */
      builds: z.array(build),
    }),
  },
  errors: { 404: "No such repository" },
});

/** Returns the times of up to 50,000 builds, oldest first. Shorten the window if there are more. */
export const getBuildStatistics = defineOperation({
  ...readsOrganization,
  name: "getBuildStatistics",
  summary: "Get the times of builds",
  route: "GET /builds/{org}/statistics",
  query: z.object(filter),
  responses: {
    200: z.looseObject({
      /** Start of the window in Unix seconds. */
      start_ts: z.number(),
      /** End of the window in Unix seconds. */
      end_ts: z.number(),
      count: z.int(),
      /** Times of the builds in Unix seconds. */
      built_at: z.array(z.number()),
    }),
  },
  errors: { 404: "No such repository" },
});

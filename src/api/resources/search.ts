import * as z from "zod/mini";
import { shaPrefix } from "../names.ts";
import { defineOperation } from "../operation.ts";

const matches = z.looseObject({
  type: z.nullish(z.string()),
  count: z.nullish(z.int()),
  matches: z.nullish(z.array(z.string())),
});

/** Finds artifacts by fingerprint or commit SHA, or by the first five or more characters of either. */
export const searchSha = defineOperation({
  name: "searchSha",
  summary: "Search by fingerprint or commit",
  route: "GET /search/{org}/sha/{search_value}",
  access: "read",
  reach: { list: {} },
  heavy: false,
  params: z.object({ search_value: shaPrefix }),
  responses: {
    200: z.looseObject({
      resolved_to: z.nullish(
        z.looseObject({
          /** `fingerprint`, `commit`, or `multiple` for several matches. */
          type: z.nullish(z.string()),
          /** The complete matching value; null for several matches. */
          full_match: z.nullish(z.string()),
          fingerprints: z.nullish(matches),
          commits: z.nullish(matches),
        }),
      ),
      /** Artifacts, newest first. */
      artifacts: z.array(
        z.looseObject({
          fingerprint: z.string(),
          name: z.string(),
          has_provenance: z.boolean(),
          git_commit: z.nullish(z.string()),
          flow: z.nullish(z.string()),
          trail: z.nullish(z.string()),
          template_reference_name: z.nullish(z.string()),
          build_url: z.nullish(z.string()),
          commit_url: z.nullish(z.string()),
          compliance_state: z.nullish(z.string()),
          /** Names of environments in which it runs. */
          running_in: z.array(z.string()),
          exited_from: z.array(z.string()),
          html_url: z.nullish(z.string()),
          api_url: z.nullish(z.string()),
          history: z.array(z.unknown()),
        }),
      ),
    }),
  },
  errors: { 404: "Nothing starts with this value" },
});

import * as z from "zod/mini";
import { defineOperation } from "./operation.ts";
import { repoProvider } from "./provenance.ts";

export const repo = z.looseObject({
  name: z.string(),
  url: z.string(),
  provider: z.nullish(repoProvider),
  /** The forge's own id: the stronger identifier, since names can change. */
  repo_id: z.nullish(z.string()),
  description: z.nullish(z.string()),
  latest_activity: z.nullish(z.string()),
  _links: z.nullish(z.record(z.string(), z.unknown())),
});

export const listRepos = defineOperation({
  name: "listRepos",
  summary: "List the captured repositories, sorted by name",
  method: "GET",
  path: "/repos/{org}",
  access: "read",
  query: z.object({
    page: z._default(z.int().check(z.minimum(1)), 1),
    per_page: z._default(z.int().check(z.minimum(1), z.maximum(50)), 15),
    /** Exact match. Ignored when `repo_id` is given. */
    name: z.optional(z.string()),
    provider: z.optional(repoProvider),
    /** Exact match on the forge's own id. */
    repo_id: z.optional(z.string()),
  }),
  responses: {
    200: z.strictObject({
      _links: z.nullish(z.record(z.string(), z.unknown())),
      page: z.int(),
      per_page: z.int(),
      total_pages: z.int(),
      total_count: z.int(),
      repos: z.array(repo),
    }),
  },
  errors: { 404: "No such organization" },
});

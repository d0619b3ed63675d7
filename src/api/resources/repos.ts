import * as z from "zod/mini";
import { reference } from "../names.ts";
import { defineOperation, readsOrganization } from "../operation.ts";
import { fewItemsPerPage, pageFields, pageOf } from "../paging.ts";
import { shortText } from "../texts.ts";
import { repoProvider } from "./provenance.ts";

const repo = z.looseObject({
  /** The service's own id. */
  id: z.optional(z.string()),
  name: z.string(),
  url: z.string(),
  provider: z.nullish(repoProvider),
  /** The forge's own id: the stronger identifier, since names can change. */
  repo_id: z.nullish(z.string()),
  description: z.nullish(z.string()),
  namespace_path: z.nullish(z.array(z.string())),
  additional_info: z.nullish(z.record(z.string(), z.unknown())),
  latest_activity: z.nullish(z.string()),
  tags: z.nullish(z.record(z.string(), z.string())),
  _links: z.nullish(z.record(z.string(), z.unknown())),
});

/** The most tags that a list may be filtered by. */
const MAX_TAG_FILTERS = 100;

/** Lists the captured repositories, sorted by name. */
export const listRepos = defineOperation({
  ...readsOrganization,
  name: "listRepos",
  summary: "List repositories",
  route: "GET /repos/{org}",
  query: z.object({
    ...pageOf(fewItemsPerPage, 15),
    /** Exact match. Ignored when `repo_id` is given. */
    name: z.optional(shortText),
    provider: z.optional(repoProvider),
    /** Exact match on the forge's own id. */
    repo_id: z.optional(shortText),
    /** Part of the name, in any letter case. Not together with `name`. */
    search: z.optional(shortText),
    /** Each `key:value`, or `key` for any value; a repository must have all of them. */
    tag: z.optional(z.array(shortText.check(z.minLength(1))).check(z.maxLength(MAX_TAG_FILTERS))),
    sort_direction: z._default(z.enum(["asc", "desc"]), "asc"),
  }),
  responses: {
    200: z.strictObject({ ...pageFields, repos: z.array(repo) }),
  },
  errors: { 404: "No such organization" },
});

/**
 * Returns a repository by its name, or by the ID that the service gave it. If several have the name, `provider`
 * selects one.
 *
 * @example
 * const { body } = await client.getRepo({ repoName: "acme/web", provider: "github" });
 */
export const getRepo = defineOperation({
  ...readsOrganization,
  name: "getRepo",
  summary: "Get a repository",
  route: "GET /repos/{org}/{repo_name}",
  slashesInLastParam: true,
  params: z.object({ repo_name: reference }),
  query: z.object({
    provider: z.optional(repoProvider),
    /** The service's own id. Given, the name in the path is ignored. */
    id: z.optional(shortText),
  }),
  responses: { 200: repo },
  errors: { 404: "No such repository" },
});

const links = z.nullish(z.record(z.string(), z.unknown()));

/**
 * Lists where the artifacts of the repository run. If several repositories have the name, the one captured last is
 * used.
 */
export const listLiveArtifacts = defineOperation({
  ...readsOrganization,
  name: "listLiveArtifacts",
  summary: "List running artifacts of a repository",
  route: "GET /repos/{org}/live-artifacts/{repo_name}",
  slashesInLastParam: true,
  params: z.object({ repo_name: reference }),
  query: z.object({ provider: z.optional(repoProvider) }),
  responses: {
    200: z.looseObject({
      _links: links,
      /** The artifacts and environments that `live_artifacts` names by their ids. */
      _embedded: z.nullish(
        z.looseObject({
          artifacts: z.array(
            z.looseObject({
              id: z.string(),
              fingerprint: z.string(),
              commit_sha: z.nullish(z.string()),
              commit_url: z.nullish(z.string()),
              _links: links,
            }),
          ),
          environments: z.array(
            z.looseObject({ id: z.string(), name: z.string(), type: z.string(), _links: links }),
          ),
        }),
      ),
      live_artifacts: z.array(
        z.looseObject({
          environment_id: z.string(),
          artifact_id: z.string(),
          artifact_name: z.string(),
          snapshot_index: z.int(),
          compliance: z.nullish(z.string()),
          /** Unix seconds: since when the environment has had it without a break. */
          started_at: z.number(),
          _links: links,
        }),
      ),
    }),
  },
  errors: { 404: "No such repository" },
});

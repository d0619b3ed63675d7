import * as z from "zod/mini";
import { reference } from "../names.ts";
import { defineOperation, readsOrganization } from "../operation.ts";
import { fewItemsPerPage, pageFields, pageOf } from "../paging.ts";
import { shortText } from "../texts.ts";
import { repoProvider } from "./provenance.ts";
import { tag } from "./tags.ts";

const repo = z.looseObject({
  /** ID that the service gave it. */
  id: z.optional(z.string()),
  name: z.string(),
  url: z.string(),
  provider: z.nullish(repoProvider),
  /** ID at the code host, which does not change with the name. */
  repo_id: z.nullish(z.string()),
  description: z.nullish(z.string()),
  namespace_path: z.nullish(z.array(z.string())),
  additional_info: z.nullish(z.record(z.string(), z.unknown())),
  latest_activity: z.nullish(z.string()),
  tags: z.nullish(z.record(z.string(), z.string())),
  _links: z.nullish(z.record(z.string(), z.unknown())),
});

/** Maximum number of tags in a filter. */
const MAX_TAG_FILTERS = 100;

const placeFilter = {
  provider: z.optional(repoProvider),
  /** Host of the repository's address, such as `gitlab.example.org`. */
  vcs_instance: z.optional(shortText),
  /** Groups or projects that contain the repository, such as `acme/platform`. Includes those below. */
  namespace: z.optional(shortText),
  /** Tags as `key:value`, or `key` for any value. A repository must have all of them. */
  tag: z.optional(z.array(shortText.check(z.minLength(1))).check(z.maxLength(MAX_TAG_FILTERS))),
};

/** Lists the captured repositories, sorted by name. */
export const listRepos = defineOperation({
  ...readsOrganization,
  name: "listRepos",
  summary: "List repositories",
  route: "GET /repos/{org}",
  query: z.object({
    ...pageOf(fewItemsPerPage, 15),
    /** Exact name. Ignored with `repo_id`. */
    name: z.optional(shortText),
    ...placeFilter,
    /** Exact ID at the code host. */
    repo_id: z.optional(shortText),
    /** Part of the name, in any letter case. Excludes `name`. */
    search: z.optional(shortText),
    sort_direction: z._default(z.enum(["asc", "desc"]), "asc"),
  }),
  responses: {
    200: z.strictObject({ ...pageFields, repos: z.array(repo) }),
  },
  errors: { 404: "No such organization" },
});

/**
 * Lists the values of the filters of `listRepos`, for a form. Each list takes the other filters into account.
 * `namespace_values` has the names one level below `namespace`.
 */
export const listRepoFilterOptions = defineOperation({
  ...readsOrganization,
  name: "listRepoFilterOptions",
  summary: "List the filter values of repositories",
  route: "GET /repos/{org}/filter-options",
  query: z.object(placeFilter),
  responses: {
    200: z.looseObject({
      /** Code hosts, such as `github`. */
      providers: z.array(repoProvider),
      /** Hosts of the repositories' addresses. */
      vcs_instances: z.array(z.string()),
      /** Names one level below `namespace`. */
      namespace_values: z.array(z.string()),
    }),
  },
});

/** Lists the distinct tags of all repositories, sorted, at most 10,000. */
export const listRepoTags = defineOperation({
  ...readsOrganization,
  name: "listRepoTags",
  summary: "List the tags of repositories",
  route: "GET /repos/{org}/tags",
  responses: { 200: z.array(tag) },
});

/**
 * Returns a repository by its name, or by the ID that the service gave it. If several have the name, `provider`
 * selects one. Use the ID for a repository named `tags` or `filter-options`, with another name in the path.
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
    /** ID that the service gave it. Overrides the name in the path. */
    id: z.optional(shortText),
  }),
  responses: { 200: repo },
  errors: { 404: "No such repository" },
});

const links = z.nullish(z.record(z.string(), z.unknown()));

/**
 * Lists the running artifacts of the repository and their environments. If several repositories have the name, the one
 * created last is used.
 */
export const listLiveArtifacts = defineOperation({
  ...readsOrganization,
  name: "listLiveArtifacts",
  summary: "List running artifacts of a repository",
  route: "GET /repos/{org}/live-artifacts/{repo_name}",
  slashesInLastParam: true,
  params: z.object({ repo_name: reference }),
  query: z.object({
    provider: z.optional(repoProvider),
    /** ID that the service gave it. Overrides the name in the path and `provider`. */
    id: z.optional(shortText),
  }),
  responses: {
    200: z.looseObject({
      _links: links,
      /** Artifacts and environments that `live_artifacts` refers to by ID. */
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
          /** Compliance in the environment. */
          compliance: z.nullish(z.string()),
          /** Start of its uninterrupted time in the environment, in Unix seconds. */
          started_at: z.number(),
          _links: links,
        }),
      ),
    }),
  },
  errors: { 404: "No such repository" },
});

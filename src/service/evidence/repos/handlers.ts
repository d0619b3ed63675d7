import { invalidInput } from "../../kernel/errors.ts";
import { pageFields, sliceOf } from "../../kernel/paging.ts";
import type { Handler } from "../../operation/handler.ts";
import { idsOf } from "../../store/ids.ts";
import { distinctTags, tagsOf } from "../tag-records.ts";
import { filterOptions, listRepos as findRepos, repoView } from "./list.ts";
import { liveArtifacts } from "./live-artifacts.ts";
import { requireRepo, requireSoleRepo } from "./records.ts";

export const listRepos: Handler<"listRepos"> = async ({ org, params }, { store, links }) => {
  const { page, perPage, sortDirection, ...filter } = params;
  if (filter.name !== undefined && filter.search) {
    throw invalidInput({ "query.search": "Set either name or search, not both" });
  }
  const { total, repos, tags } = await store.readTogether(async (db) => {
    const found = await findRepos(db, org.id, filter, { ...sliceOf(params), sortDirection });
    const ids = idsOf(found.repos);
    return { ...found, tags: await tagsOf(db, "repo", ids) };
  });
  const query = {
    name: filter.name,
    provider: filter.provider,
    vcs_instance: filter.vcsInstance,
    namespace: filter.namespace,
    repo_id: filter.repoId,
    search: filter.search || undefined,
    tag: filter.tag,
    sort_direction: sortDirection === "asc" ? undefined : sortDirection,
  };
  return {
    status: 200,
    body: {
      ...pageFields({ total, page, perPage }, (paging) =>
        links.api(["repos", org.name], { ...query, ...paging }),
      ),
      repos: repos.map((repo) => repoView(repo, tags.get(repo.id))),
    },
  };
};

export const getRepo: Handler<"getRepo"> = async ({ org, params }, { store }) =>
  store.readTogether(async (db) => {
    const { repoName: name, provider, id } = params;
    const repo = await requireSoleRepo(db, org.id, { name, provider, id: id || undefined });
    const tags = await tagsOf(db, "repo", [repo.id]);
    return { status: 200, body: repoView(repo, tags.get(repo.id)) };
  });

export const listRepoFilterOptions: Handler<"listRepoFilterOptions"> = async ({ org, params }, { store }) =>
  store.readTogether(async (db) => ({ status: 200, body: await filterOptions(db, org.id, params) }));

export const listRepoTags: Handler<"listRepoTags"> = async ({ org }, { store }) => ({
  status: 200,
  body: await distinctTags(store.read, org.id, "repo"),
});

export const listLiveArtifacts: Handler<"listLiveArtifacts"> = async ({ org, params }, { store, links }) =>
  store.readTogether(async (db) => {
    const { repoName: name, provider, id } = params;
    const repo = await requireRepo(db, org.id, { name, provider, id: id || undefined });
    const live = await liveArtifacts(db, org.id, repo.id);
    const artifacts = new Map(live.map(({ artifact }) => [artifact.id, artifact]));
    const environments = new Map(live.map(({ environment }) => [environment.id, environment]));
    const self = links.api(["repos", org.name, "live-artifacts", name], { provider, id });
    return {
      status: 200,
      body: {
        _links: { self: { href: self } },
        _embedded: {
          artifacts: [...artifacts.values()].map(({ flowName, ...artifact }) => ({
            ...artifact,
            _links: {
              self: {
                href: links.apiArtifact(org.name, flowName, artifact.fingerprint),
              },
              html: { href: links.artifact(org.name, flowName, artifact.fingerprint, artifact.id) },
            },
          })),
          environments: [...environments.values()].map((environment) => ({
            ...environment,
            _links: { self: { href: links.api(["environments", org.name, environment.name]) } },
          })),
        },
        liveArtifacts: live.map(({ artifact, environment, ...instance }) => ({
          environmentId: environment.id,
          artifactId: artifact.id,
          ...instance,
          _links: {
            snapshot: {
              href: links.apiSnapshot(org.name, environment.name, instance.snapshotIndex),
            },
          },
        })),
      },
    };
  });

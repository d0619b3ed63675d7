import { repoProvider } from "../../api/provenance.ts";
import type { listRepos } from "../../api/repos.ts";
import type { Handler } from "../http/handler.ts";
import { pageLinks } from "../http/page-links.ts";
import { listRepos as findRepos } from "../records/repos.ts";
import type { Tables } from "../store/tables.ts";

export const handleListRepos: Handler<typeof listRepos> = async ({ org, params }, { store, links }) => {
  const { page, perPage, ...filter } = params;
  const { total, repos } = await store.readTogether((db) => findRepos(db, org.id, filter, { page, perPage }));
  const totalPages = Math.ceil(total / perPage);
  const query = { name: filter.name, provider: filter.provider, repo_id: filter.repoId };
  return {
    status: 200,
    body: {
      _links: pageLinks({ page, perPage, totalPages }, (paging) =>
        links.api(["repos", org.name], { ...given(query), ...paging }),
      ),
      page,
      perPage,
      totalPages,
      totalCount: total,
      repos: repos.map(repoView),
    },
  };
};

function repoView({ name, url, provider, repo_id, description, latest_activity_at }: Tables["repos"]) {
  const known = repoProvider.safeParse(provider);
  return {
    name,
    url,
    provider: known.success ? known.data : null,
    repoId: repo_id,
    description,
    latestActivity: new Date(latest_activity_at * 1000).toISOString(),
  };
}

function given(query: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

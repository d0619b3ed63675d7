import { repoProvider } from "../../api/provenance.ts";
import type { Tables } from "../store/tables.ts";
import type { Tags } from "../tags/records.ts";

export function repoView(repo: Tables["repos"], tags: Tags | undefined) {
  const { id, name, url, provider, repo_id, description, latest_activity_at } = repo;
  const known = repoProvider.safeParse(provider);
  return {
    id,
    name,
    url,
    provider: known.success ? known.data : null,
    repoId: repo_id,
    description,
    latestActivity: new Date(latest_activity_at * 1000).toISOString(),
    tags: { ...tags },
  };
}

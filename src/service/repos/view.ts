import { repoProvider } from "../../api/resources/provenance.ts";
import type { Tags } from "../evidence/tag-records.ts";
import { fieldsOf } from "../kernel/json-column.ts";
import type { Tables } from "../store/tables.ts";

type Described = Pick<Tables["repos"], "provider" | "namespace_path" | "additional_info">;

/** The fields of a repository in every answer. An unknown provider is null, because the interface has none. */
export function describedRepo({ provider, namespace_path, additional_info }: Described) {
  const known = repoProvider.safeParse(provider);
  const namespacePath: string[] | null = namespace_path === null ? null : JSON.parse(namespace_path);
  return {
    provider: known.success ? known.data : null,
    namespacePath,
    additionalInfo: additional_info === null ? null : fieldsOf(additional_info),
  };
}

export function repoView(repo: Tables["repos"], tags: Tags | undefined) {
  const { id, name, url, repo_id, description, latest_activity_at } = repo;
  return {
    id,
    name,
    url,
    ...describedRepo(repo),
    repoId: repo_id,
    description,
    latestActivity: new Date(latest_activity_at * 1000).toISOString(),
    tags: { ...tags },
  };
}

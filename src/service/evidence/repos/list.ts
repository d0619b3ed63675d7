import type { Selectable } from "kysely";
import { repoProvider } from "../../../api/resources/provenance.ts";
import { NotFound } from "../../kernel/errors.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import type { FilterOf, Slice } from "../../kernel/paging.ts";
import { containsText, countRows, listed, ROW_COUNT } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { hasTag, type Tags } from "../tag-records.ts";
import { isInNamespace, stepsBelow } from "./place.ts";

interface PlaceFilter {
  provider?: string | undefined;
  vcsInstance?: string | undefined;
  /** The namespace or one above it. */
  namespace?: string | undefined;
  /** `key:value`, or `key` for any value. */
  tag?: readonly string[] | undefined;
}

export interface RepoFilter extends PlaceFilter, FilterOf<"repos"> {
  name?: string | undefined;
  /** External id. The name is then ignored. */
  repoId?: string | undefined;
  search?: string | undefined;
}

/** Sorted by name, with the total. */
export async function listRepos(
  db: Database,
  orgId: string,
  { name, repoId, search, ...place }: RepoFilter,
  { limit, offset, sortDirection }: Slice & { sortDirection: "asc" | "desc" },
): Promise<{ total: number; repos: Repo[] }> {
  let matching = reposIn(db, orgId, place);
  if (repoId !== undefined) matching = matching.where("repo_id", "=", repoId);
  else if (name !== undefined) matching = matching.where("name", "=", name);
  if (search !== undefined && search !== "") matching = matching.where(containsText("name", search));
  const total = await countRows(matching.select(ROW_COUNT));
  const repos = await matching
    .selectAll()
    .orderBy("name", sortDirection)
    .orderBy("id", sortDirection)
    .limit(limit)
    .offset(offset)
    .execute();
  return { total, repos };
}

function reposIn(
  db: Database,
  orgId: string,
  { provider, vcsInstance, namespace = "", tag = [] }: PlaceFilter,
) {
  let matching = db.selectFrom("repos").where("org_id", "=", orgId);
  if (provider !== undefined) matching = matching.where("provider", "=", provider);
  if (vcsInstance) matching = matching.where("host", "=", instanceOf(vcsInstance));
  const inside = withoutEnds(namespace);
  if (inside !== "") matching = matching.where(isInNamespace(inside));
  for (const each of tag) matching = matching.where(hasTag("repo", each));
  return matching;
}

function instanceOf(host: string): string {
  return host.toLowerCase().replace(/^www\./, "");
}

function withoutEnds(namespace: string): string {
  return namespace.split("/").filter(Boolean).join("/");
}

/** The values of each filter that find a repository together with the other filters, sorted. */
export async function filterOptions(db: Database, orgId: string, filter: PlaceFilter) {
  const { provider: _provider, ...anyProvider } = filter;
  const { vcsInstance: _vcsInstance, ...anyInstance } = filter;
  const providers = await reposIn(db, orgId, anyProvider).select("provider").distinct().execute();
  const hosts = await reposIn(db, orgId, anyInstance).select("host").distinct().execute();
  const namespaces = await reposIn(db, orgId, filter).select("namespace").distinct().execute();
  return {
    providers: repoProvider.options
      .filter((known) => providers.some(({ provider }) => provider === known))
      .sort(),
    vcsInstances: hosts.map(({ host }) => host).sort(),
    namespaceValues: stepsBelow(
      withoutEnds(filter.namespace ?? ""),
      namespaces.map(({ namespace }) => namespace),
    ),
  };
}

type Repo = Selectable<Tables["repos"]>;
type Described = Pick<Repo, "provider" | "namespace_path" | "additional_info">;

/** An unknown provider is null in responses. */
export function describedRepo({ provider, namespace_path, additional_info }: Described) {
  const known = repoProvider.safeParse(provider);
  const namespacePath: string[] | null = namespace_path === null ? null : JSON.parse(namespace_path);
  return {
    provider: known.success ? known.data : null,
    namespacePath,
    additionalInfo: additional_info === null ? null : fieldsOf(additional_info),
  };
}

export function repoView(repo: Repo, tags: Tags | undefined) {
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

/** @throws NotFound */
export async function repoIdsOf(db: Database, orgId: string, names: readonly string[]): Promise<string[]> {
  const repos = await db
    .selectFrom("repos")
    .select(["id", "name"])
    .where("org_id", "=", orgId)
    .where("name", "in", listed(names))
    .execute();
  const unknown = names.find((name) => !repos.some((repo) => repo.name === name));
  if (unknown !== undefined) throw new NotFound("repository.not_found", `Repo '${unknown}' not found`);
  return idsOf(repos);
}

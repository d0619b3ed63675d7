import { expressionBuilder, type Selectable } from "kysely";
import type { RepoInfo } from "../../../api/resources/provenance.ts";
import type { RequestContext } from "../../kernel/caller.ts";
import { Invalid, NotFound } from "../../kernel/errors.ts";
import { isSameName } from "../../kernel/github-names.ts";
import { listed } from "../../store/dialect.ts";
import { idsOf, newId } from "../../store/ids.ts";
import { requireAlone } from "../../store/store.ts";
import type { Database, Tables } from "../../store/tables.ts";
import type { StatedRepository } from "../origins/compare.ts";
import { hostOf, namespaceInName, namespaceOf } from "./place.ts";

const PROVIDER_BY_HOST: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)github\.com$/, "github"],
  [/(^|\.)gitlab\.com$/, "gitlab"],
  [/(^|\.)bitbucket\.org$/, "bitbucket"],
  [/(^|\.)(dev\.azure|visualstudio)\.com$/, "azure-devops"],
  [/(^|\.)circleci\.com$/, "circleci"],
];

interface Capture {
  info: RepoInfo | null | undefined;
  /** Absent for an artifact reported without a trail. */
  trailId: string | undefined;
}

export interface CapturedRepo {
  readonly id: string;
  /** As the repository is shown after this submission. */
  readonly shown: StatedRepository;
}

/**
 * Creates or updates the repository of a submission, and links its trail. A repository is
 * identified by provider and external id, so that renames keep its record, or without an id by provider and name. Records
 * no event, because the evidence that names the repository is one, and reading the former fields needs another statement.
 */
export async function captureRepo(
  db: Database,
  { info, trailId }: Capture,
  sender: Pick<RequestContext, "orgId" | "now" | "workflow" | "isScoped">,
): Promise<CapturedRepo | null> {
  if (!info) return null;
  const { orgId, now } = sender;
  const provider = info.provider || providerOf(info.url);
  const externalId = info.id || null;
  const fields = {
    name: info.name,
    url: info.url,
    host: hostOf(info.url),
    latest_activity_at: now,
    ...(info.description ? { description: info.description } : {}),
    ...(info.namespacePath
      ? { namespace_path: JSON.stringify(info.namespacePath), namespace: namespaceOf(info.namespacePath) }
      : {}),
    ...(info.additionalInfo ? { additional_info: JSON.stringify(info.additionalInfo) } : {}),
    ...(externalId === null ? {} : { repo_id: externalId }),
  };
  const known = await db
    .updateTable("repos")
    .set(({ eb, ref }) =>
      mayDescribe(info, sender)
        ? {
            // A path that was sent earlier is kept.
            namespace: eb
              .case()
              .when("namespace_path", "is", null)
              .then(namespaceInName(info.name))
              .else(ref("namespace"))
              .end(),
            ...fields,
          }
        : { latest_activity_at: now },
    )
    .where("id", "=", knownRepo(db, { orgId, provider, externalId, name: info.name }))
    .returning(({ exists, selectFrom, val }) => [
      "repos.id",
      "repos.name",
      "repos.url",
      "repos.repo_id as externalId",
      exists(
        selectFrom("trail_repos")
          .select("trail_repos.repo_id")
          .where("trail_repos.trail_id", "=", val(trailId ?? ""))
          .whereRef("trail_repos.repo_id", "=", "repos.id"),
      ).as("isLinked"),
    ])
    .executeTakeFirst();
  const id = known?.id ?? newId();
  if (!known) {
    // Another submission may name the same repository in another way.
    requireAlone(db);
    const initial = { id, org_id: orgId, provider, repo_id: null, description: null, created_at: now };
    await db
      .insertInto("repos")
      .values({
        ...initial,
        ...{ namespace_path: null, additional_info: null, namespace: namespaceInName(info.name) },
        ...fields,
      })
      .execute();
  }
  if (trailId !== undefined && !known?.isLinked) {
    await db.insertInto("trail_repos").values({ trail_id: trailId, repo_id: id }).execute();
  }
  const { name, url } = known ?? info;
  return { id, shown: { id: known ? known.externalId : externalId, name, url } };
}

/**
 * Whether a submission may change the shared record of a known repository. Workflows may change their own repository.
 * Callers with a limited scope may not.
 */
function mayDescribe(
  info: RepoInfo,
  { workflow, isScoped = false }: Pick<RequestContext, "workflow" | "isScoped">,
): boolean {
  if (workflow === undefined) return !isScoped;
  const { repositoryId, repositories, page } = workflow.proof;
  return (
    info.id === repositoryId &&
    repositories.some((name) => isSameName(info.name, name)) &&
    page !== undefined &&
    isSameName(info.url.replace(/\/+$/, ""), page)
  );
}

interface Identity {
  orgId: string;
  provider: string;
  externalId: string | null;
  name: string;
}

/** Null for an unknown repository. */
function knownRepo(db: Database, { orgId, provider, externalId, name }: Identity) {
  const candidates = db
    .selectFrom("repos as known")
    .select("known.id")
    .where("known.org_id", "=", orgId)
    .where("known.provider", "=", provider);
  const byName = candidates
    .where("known.name", "=", name)
    .orderBy("known.latest_activity_at", "desc")
    .orderBy("known.id")
    .limit(1);
  const { fn } = expressionBuilder<Tables>();
  return externalId === null
    ? byName
    : // A repository with this name and another id is another repository.
      fn.coalesce(
        candidates.where("known.repo_id", "=", externalId),
        byName.where("known.repo_id", "is", null),
      );
}

/** IDs of the repositories with this value. @throws NotFound */
export async function reposNamed(
  db: Database,
  orgId: string,
  column: "id" | "repo_id" | "name",
  value: string,
): Promise<string[]> {
  const repos = await db
    .selectFrom("repos")
    .select("id")
    .where("org_id", "=", orgId)
    .where(column, "=", value)
    .execute();
  if (repos.length === 0) throw new NotFound("repository.not_found", `Repo '${value}' not found`);
  return idsOf(repos);
}

interface SoughtRepo {
  name: string;
  provider?: string | undefined;
  id?: string | undefined;
}

function providerOf(url: string): string {
  const { hostname } = new URL(url);
  return PROVIDER_BY_HOST.find(([host]) => host.test(hostname))?.[1] ?? "";
}

/**
 * Finds a repository by id, else by name and optional provider. If several have the name, the one created last. With
 * flows, only repositories of their artifacts.
 *
 * @throws NotFound
 */
export async function requireRepo(
  db: Database,
  orgId: string,
  { name, provider, id, flowIds }: SoughtRepo & { flowIds?: readonly string[] | undefined },
): Promise<Selectable<Tables["repos"]>> {
  let query = db
    .selectFrom("repos")
    .selectAll()
    .where("org_id", "=", orgId)
    .where(id === undefined ? "name" : "id", "=", id ?? name)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1);
  if (provider !== undefined && id === undefined) query = query.where("provider", "=", provider);
  if (flowIds !== undefined) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom("artifacts")
          .select("artifacts.id")
          .whereRef("artifacts.repo_id", "=", "repos.id")
          .where("artifacts.flow_id", "in", listed(flowIds)),
      ),
    );
  }
  const repo = await query.executeTakeFirst();
  if (!repo) throw new NotFound("repository.not_found", `Repo '${id ?? name}' not found`);
  return repo;
}

/**
 * Finds a repository by id, else by name. A provider distinguishes equal names. If there are several, the last captured
 * one.
 *
 * @throws NotFound, or Invalid when a provider is required
 */
export async function requireSoleRepo(
  db: Database,
  orgId: string,
  { name, provider, id }: SoughtRepo,
): Promise<Selectable<Tables["repos"]>> {
  let query = db
    .selectFrom("repos")
    .selectAll()
    .where("org_id", "=", orgId)
    .where(id === undefined ? "name" : "id", "=", id ?? name);
  if (provider !== undefined) query = query.where("provider", "=", provider);
  const [repo, ...others] = await query.orderBy("latest_activity_at", "desc").orderBy("id").execute();
  if (!repo) throw new NotFound("repository.not_found", `Repo '${id ?? name}' not found`);
  if (others.length > 0 && provider === undefined) {
    const providers = new Set([repo, ...others].map((each) => each.provider || "unknown"));
    throw new Invalid(
      "repository.ambiguous",
      `Multiple repos named '${name}' exist (${[...providers].sort().join(", ")}). Specify the 'provider' that is meant, or ask by 'id'.`,
    );
  }
  return repo;
}

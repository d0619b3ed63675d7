import type { RepoInfo } from "../../api/provenance.ts";
import { Invalid, NotFound } from "../kernel/errors.ts";
import { newId } from "../store/ids.ts";
import type { Database, Tables } from "../store/tables.ts";

/** The hosts that tell a provider. */
const PROVIDER_BY_HOST: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)github\.com$/, "github"],
  [/(^|\.)gitlab\.com$/, "gitlab"],
  [/(^|\.)bitbucket\.org$/, "bitbucket"],
  [/(^|\.)(dev\.azure|visualstudio)\.com$/, "azure-devops"],
  [/(^|\.)circleci\.com$/, "circleci"],
];

/**
 * Creates or updates the repository that a submission speaks of and returns its id. A repository is known by its
 * provider and external id, so that it keeps its record when it is renamed; without an id by provider and name.
 */
export async function captureRepo(
  db: Database,
  orgId: string,
  info: RepoInfo | null | undefined,
  now: number,
): Promise<string | null> {
  if (!info) return null;
  const provider = info.provider ?? providerOf(info.url);
  const externalId = info.id || null;
  const known = await findKnown(db, { orgId, provider, externalId, name: info.name });
  const fields = {
    name: info.name,
    url: info.url,
    latest_activity_at: now,
    ...(info.description ? { description: info.description } : {}),
    ...(externalId === null ? {} : { repo_id: externalId }),
  };
  if (known) {
    await db.updateTable("repos").set(fields).where("id", "=", known).execute();
    return known;
  }
  const id = newId();
  await db
    .insertInto("repos")
    .values({ repo_id: null, description: null, ...fields, id, org_id: orgId, provider, created_at: now })
    .execute();
  return id;
}

interface Identity {
  orgId: string;
  provider: string;
  externalId: string | null;
  name: string;
}

async function findKnown(db: Database, { orgId, provider, externalId, name }: Identity) {
  const candidates = db
    .selectFrom("repos")
    .select("id")
    .where("org_id", "=", orgId)
    .where("provider", "=", provider);
  if (externalId !== null) {
    const byId = await candidates.where("repo_id", "=", externalId).executeTakeFirst();
    if (byId) return byId.id;
  }
  let byName = candidates.where("name", "=", name).orderBy("latest_activity_at", "desc");
  // A repository of that name with another id is another repository.
  if (externalId !== null) byName = byName.where("repo_id", "is", null);
  return (await byName.executeTakeFirst())?.id;
}

function providerOf(url: string): string {
  const { hostname } = new URL(url);
  return PROVIDER_BY_HOST.find(([host]) => host.test(hostname))?.[1] ?? "";
}

/**
 * The repository of a name, and of a provider where one is given; of several, the one that was captured last.
 *
 * @throws NotFound
 */
export async function requireRepo(
  db: Database,
  orgId: string,
  { name, provider }: { name: string; provider?: string | undefined },
): Promise<Tables["repos"]> {
  let query = db
    .selectFrom("repos")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("name", "=", name)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1);
  if (provider !== undefined) query = query.where("provider", "=", provider);
  const repo = await query.executeTakeFirst();
  if (!repo) throw new NotFound(`Repo '${name}' not found`);
  return repo;
}

/**
 * The repository of our own id, or else of a name. Where several have the name, a provider says which is meant; of
 * several even then, it is the one that was heard of last.
 *
 * @throws NotFound, or Invalid when a provider would be needed
 */
export async function requireSoleRepo(
  db: Database,
  orgId: string,
  { name, provider, id }: { name: string; provider?: string | undefined; id?: string | undefined },
): Promise<Tables["repos"]> {
  let query = db
    .selectFrom("repos")
    .selectAll()
    .where("org_id", "=", orgId)
    .where(id === undefined ? "name" : "id", "=", id ?? name);
  if (provider !== undefined) query = query.where("provider", "=", provider);
  const [repo, ...others] = await query.orderBy("latest_activity_at", "desc").orderBy("id").execute();
  if (!repo) throw new NotFound(`Repo '${id ?? name}' not found`);
  if (others.length > 0 && provider === undefined) {
    const providers = new Set([repo, ...others].map((each) => each.provider || "unknown"));
    throw new Invalid(
      `Multiple repos named '${name}' exist (${[...providers].sort().join(", ")}). Specify the 'provider' that is meant, or ask by 'id'.`,
    );
  }
  return repo;
}

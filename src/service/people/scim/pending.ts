import type { Log } from "../../kernel/log.ts";
import { listed } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Store } from "../../store/store.ts";
import type { Database } from "../../store/tables.ts";
import { hasAnotherAdmin } from "../accounts/records.ts";
import { followUsers, type Kept, letKeep, type Provisioning, setPending } from "./rights.ts";

/*
 * A change of the roles of many people is one small write that marks their users, and a write for every few people.
 * Other requests are served in between. A marked person is refused meanwhile, so no right outlives its end, even if
 * the service is killed. The next start settles the rest.
 */

/** Number of people whose roles follow in one write. */
const AT_ONCE = 3;

/** Makes the roles of a few users follow, or marks many. Returns the last admin, if none would be left. */
export async function followMany(
  db: Database,
  provisioning: Provisioning,
  userIds: readonly string[],
): Promise<Kept[]> {
  if (userIds.length <= AT_ONCE) return followUsers(db, provisioning, userIds);
  await setPending(db, userIds, 1);
  return lostAdmin(db, provisioning, userIds);
}

/**
 * Returns the last admin, if only marked people are admins and none of them stays one. The first one who stays is
 * settled at once, because marked people do not count as admins.
 */
async function lostAdmin(
  db: Database,
  provisioning: Provisioning,
  userIds: readonly string[],
): Promise<Kept[]> {
  const { org, by } = provisioning;
  const admins = await db
    .selectFrom("scim_resources as user")
    .innerJoin("service_accounts as account", "account.person_id", "user.person_id")
    .innerJoin("api_keys as key", "key.service_account_id", "account.id")
    .select(["user.id as userId", "account.name"])
    .where("user.id", "in", listed(userIds))
    .where("account.org_id", "=", org.id)
    .where("account.role", "=", "admin")
    .where("key.scope", "is", null)
    .where("account.deleted_at", "is", null)
    .orderBy("account.name")
    .execute();
  const [first] = admins;
  if (first === undefined || (await hasAnotherAdmin(db, org.id, "", by.now))) return [];
  for (const { userId } of admins) {
    if ((await followUsers(db, provisioning, [userId])).length === 0) return [];
  }
  return [first];
}

/** The organizations that a provider sends users and groups to, sorted by name. */
export function provisionedOrganizations(db: Database, provider: string) {
  return db
    .selectFrom("scim_resources")
    .innerJoin("organizations as org", "org.id", "scim_resources.org_id")
    .select(["org.id", "org.name"])
    .distinct()
    .where("provider", "=", provider)
    .orderBy("org.name")
    .execute();
}

/** Ids of the users whose people are known. */
export async function linkedUserIds(
  db: Database,
  { org, provider }: Pick<Provisioning, "org" | "provider">,
): Promise<string[]> {
  return idsOf(await linkedUsers(db, { org, provider }).execute());
}

function linkedUsers(db: Database, { org, provider }: Pick<Provisioning, "org" | "provider">) {
  return db
    .selectFrom("scim_resources")
    .select("id")
    .where("org_id", "=", org.id)
    .where("provider", "=", provider.name)
    .where("person_id", "is not", null);
}

interface Settling extends Provisioning {
  readonly store: Pick<Store, "read" | "write">;
  readonly stop?: AbortSignal;
}

/** Makes the roles of all marked users follow. Returns the last admins, who keep their access. */
export async function settlePending(settling: Settling): Promise<Kept[]> {
  const marked = await linkedUsers(settling.store.read, settling).where("pending", "=", 1).execute();
  return followInSteps(settling, idsOf(marked));
}

/** Makes the roles of users follow in small writes. Returns the last admins, who keep their access. */
export async function followInSteps(
  { store, stop, ...provisioning }: Settling,
  userIds: readonly string[],
): Promise<Kept[]> {
  const all: Kept[] = [];
  for (let start = 0; start < userIds.length && !stop?.aborted; start += AT_ONCE) {
    const step = userIds.slice(start, start + AT_ONCE);
    const kept = await store.write(
      async (db) => {
        const kept = await followUsers(db, provisioning, step);
        await letKeep(
          db,
          kept.map(({ userId }) => userId),
        );
        return kept;
      },
      { orgId: provisioning.org.id },
    );
    all.push(...kept);
  }
  return all;
}

export function noteKept(
  kept: readonly Kept[],
  { org, provider }: Pick<Provisioning, "org" | "provider">,
  log: Log,
): void {
  for (const { name } of kept) {
    log({
      level: "warn",
      message: `${name}, the last admin of ${org.name}, keeps the role that ${provider.label} gives no more`,
    });
  }
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { serviceContext } from "../../../../src/service/events/audit-log/contexts.ts";
import { createKey } from "../../../../src/service/people/accounts/keys.ts";
import { createOrganization } from "../../../../src/service/people/accounts/organizations.ts";
import { createServiceAccount } from "../../../../src/service/people/accounts/records.ts";
import { giveMembership } from "../../../../src/service/people/members/memberships.ts";
import {
  beginPersonSession,
  findPersonToken,
} from "../../../../src/service/people/members/person-sessions.ts";
import { followProviders } from "../../../../src/service/people/scim/follow-providers.ts";
import { createGroup, deleteGroup } from "../../../../src/service/people/scim/groups.ts";
import { settlePending } from "../../../../src/service/people/scim/pending.ts";
import type { Provisioning } from "../../../../src/service/people/scim/rights.ts";
import { openLogins } from "../../../../src/service/people/sign-in/logins.ts";
import type { LoginProvider } from "../../../../src/service/people/sign-in/provider.ts";
import { openPostgres } from "../../../../src/service/store/postgres/open-store.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { unreachableProvider } from "../../../identity/login-provider.ts";
import { recordsOfTest } from "../../../records.ts";
import { addPeople } from "./many-people.ts";

const NOW = 1_800_000_000;

let folder: string;
let store: Store;
let provisioning: Provisioning;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-scim-"));
  const { database } = await recordsOfTest();
  store = await (database === undefined ? openDataFolder(folder) : openPostgres(database));
  const orgId = await store.write(async (db) => {
    const id = await createOrganization(db, "acme", NOW);
    const accountId = await createServiceAccount(db, { orgId: id, name: "admin", role: "admin" }, NOW);
    await createKey(db, { accountId, description: "first", expiresAt: null, now: NOW });
    return id;
  });
  const roleMap = [
    { group: "platform", org: "acme", role: "member" as const },
    { group: "admins", org: "acme", role: "admin" as const },
  ];
  provisioning = {
    org: { id: orgId, name: "acme" },
    provider: unreachableProvider({ roleMap }),
    by: serviceContext(orgId, NOW),
  };
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const people = (count: number) =>
  addPeople(store, { orgId: provisioning.org.id, provider: "company", count, now: NOW });

const addGroup = (displayName: string, userIds: readonly string[]) =>
  store.write(
    (db) => createGroup(db, provisioning, { displayName, members: userIds.map((value) => ({ value })) }),
    { orgId: provisioning.org.id },
  );

const settle = () => settlePending({ ...provisioning, store });

async function rolesNow(): Promise<Record<string, number>> {
  const rows = await store.read
    .selectFrom("service_accounts")
    .select("role")
    .where("person_id", "is not", null)
    .where("deleted_at", "is", null)
    .execute();
  const counts: Record<string, number> = {};
  for (const { role } of rows) counts[role] = (counts[role] ?? 0) + 1;
  return counts;
}

/** The token of a person's command line. */
async function tokenOf(userId: string): Promise<string> {
  return store.write(async (db) => {
    const { person_id } = await db
      .selectFrom("scim_resources")
      .select("person_id")
      .where("id", "=", userId)
      .executeTakeFirstOrThrow();
    return beginPersonSession(db, {
      ...{ kind: "command line", personId: String(person_id), now: NOW, address: null, client: null },
      ...{ provider: "company", provider_session: null, id_token: null },
    });
  });
}

const found = (token: string) => findPersonToken(store.read, token, { now: NOW, orgName: "acme" });

it("a person whose group ended is refused at once, even if the service is killed before the roles follow", async () => {
  const users = await people(30);
  const group = await addGroup("platform", users);
  expect(await rolesNow()).toEqual({});
  expect(await settle()).toEqual([]);
  expect(await rolesNow()).toEqual({ member: 30 });
  const token = await tokenOf(users[29] ?? "");
  expect(await found(token)).toMatchObject({ caller: { role: "member" } });
  await store.write((db) => deleteGroup(db, provisioning, group.id));
  // The service is killed here, so the accounts are as before.
  expect(await rolesNow()).toEqual({ member: 30 });
  await expect(found(token)).rejects.toThrow("Your roles are being changed");
  expect(await settle()).toEqual([]);
  expect(await rolesNow()).toEqual({});
  expect(await found(token)).toBe("unknown");
});

it("many people are marked in one write, and follow in writes of a few", async () => {
  const users = await people(200);
  const group = await addGroup("platform", users);
  await settle();
  let writes = 0;
  const counted: Pick<Store, "read" | "write"> = {
    read: store.read,
    write(work, options) {
      writes++;
      return store.write(work, options);
    },
  };
  await store.write((db) => deleteGroup(db, provisioning, group.id));
  expect(await rolesNow()).toEqual({ member: 200 });
  await settlePending({ ...provisioning, store: counted });
  expect(await rolesNow()).toEqual({});
  expect(writes).toBe(67);
});

it("roles follow the role map of the service's file at the next start", async () => {
  const users = await people(3);
  await addGroup("platform", users);
  const token = await tokenOf(users[0] ?? "");
  const start = (providers: readonly LoginProvider[]) => {
    const logins = openLogins({
      providers,
      outgoing: { allowTargets: [], allowHttpTargets: false },
      now: () => NOW,
      log: () => {},
    });
    const secrets = { seal: () => "", open: () => "", hash: () => "" };
    return followProviders({ store, secrets, operators: undefined, now: () => NOW, logins }).run(
      new AbortController().signal,
    );
  };
  const roleMap = [{ group: "platform", org: "acme", role: "auditor" as const }];
  await start([unreachableProvider({ roleMap })]);
  expect(await rolesNow()).toEqual({ auditor: 3 });
  expect(await found(token)).toMatchObject({ caller: { role: "auditor" } });
  // A provider that was removed gives no roles, until it is there again.
  await start([]);
  expect(await rolesNow()).toEqual({});
  await start([unreachableProvider({ roleMap })]);
  expect(await rolesNow()).toEqual({ auditor: 3 });
});

it("many people cannot lose the last admin, unless one of them stays an admin", async () => {
  const users = await people(30);
  const group = await addGroup("admins", users);
  await settle();
  await store.write((db) =>
    db.updateTable("api_keys").set({ revoked_at: NOW }).where("kind", "=", "key").execute(),
  );
  const remove = () => store.write((db) => deleteGroup(db, provisioning, group.id));
  await expect(remove()).rejects.toThrow("is the last admin of the organization");
  expect(await settle()).toEqual([]);
  expect(await rolesNow()).toEqual({ admin: 30 });
  await store.write(async (db) => {
    const last = await db
      .selectFrom("people")
      .select(["id", "name", "email"])
      .orderBy("name", "desc")
      .executeTakeFirstOrThrow();
    const grant = { role: "admin", scope: null } as const;
    await giveMembership(db, provisioning.by, last, { source: "manual", grant, by: "admin" });
  });
  await remove();
  // One person is settled already. The others do not count as admins any more.
  expect(await settle()).toEqual([]);
  expect(await rolesNow()).toEqual({ admin: 1 });
});

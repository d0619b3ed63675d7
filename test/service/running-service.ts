import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { vi } from "vitest";
import { readSealingKey } from "../../src/service/delivery/outgoing/sealed.ts";
import type { TargetOptions } from "../../src/service/delivery/outgoing/target-address.ts";
import type { ServiceLimits } from "../../src/service/http/limits.ts";
import { ROLES, type Role } from "../../src/service/kernel/caller.ts";
import { textLog } from "../../src/service/ops/text-log.ts";
import { createKey, createPersonKey } from "../../src/service/people/accounts/keys.ts";
import { createOrganization } from "../../src/service/people/accounts/organizations.ts";
import { createServiceAccount } from "../../src/service/people/accounts/records.ts";
import { type RunningService, type ServiceOptions, startService } from "../../src/service/service.ts";
import { newId } from "../../src/service/store/ids.ts";
import { openPostgres, type PostgresOptions } from "../../src/service/store/postgres/open-store.ts";
import { databaseFile, openDataFolder } from "../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../src/service/store/store.ts";
import type { Database } from "../../src/service/store/tables.ts";
import { knownIssuer } from "../identity/known-issuer.ts";
import { unreachableProvider } from "../identity/login-provider.ts";

/** A real service on a free port with a real file, a key for each role and a clock that tests set. */
export interface TestService extends RunningService {
  readonly dataFolder: string;
  readonly keys: Record<Role | "stranger" | "expired" | "revoked", string>;
  readonly dispatcher: Agent;
  readonly logged: string[];
  /** Unix seconds. */
  clock: { time: number };
  /** Stops the service and removes its data. */
  dispose(): Promise<void>;
}

export const ORG = "acme";
export const OTHER_ORG = "rival";

export const SECRET_KEY = readSealingKey("0".repeat(64), "the key of the tests");

/** Start time of every service, in Unix seconds. */
const START = 1_800_000_000;

/** Records with organizations and keys, created once per worker and copied for each service. */
let prepared: Promise<{ records: Uint8Array; keys: TestService["keys"] }> | undefined;

async function prepare() {
  const dataFolder = await mkdtemp(join(tmpdir(), "evidence-prepared-"));
  const keys = await prepareKeys(await openDataFolder(dataFolder));
  const records = await readFile(databaseFile(dataFolder));
  await rm(dataFolder, { recursive: true });
  return { records, keys };
}

/** A PostgreSQL database, with the keys that an earlier service of the test created in it. */
export interface KeptElsewhere {
  database: PostgresOptions;
  keys?: TestService["keys"];
  /** Address of the database before any fault. */
  preparedBy?: string;
}

export async function startTestService(
  limits: Partial<ServiceLimits> = {},
  {
    attachmentsAt,
    mail,
    publicOrgs = [],
    publicUrl,
    loginProviders = [unreachableProvider()],
    ssoOrgs = [],
    operators,
    issuers = [knownIssuer().options],
    opa,
    outgoing = {},
    ...elsewhere
  }: Pick<
    ServiceOptions,
    | "attachmentsAt"
    | "mail"
    | "publicOrgs"
    | "publicUrl"
    | "opa"
    | "issuers"
    | "loginProviders"
    | "operators"
    | "ssoOrgs"
  > & {
    outgoing?: Partial<TargetOptions>;
  } & Partial<KeptElsewhere> = {},
): Promise<TestService> {
  const dataFolder = await mkdtemp(join(tmpdir(), "evidence-service-"));
  const clock = { time: START };
  const { database } = elsewhere;
  const keys =
    database === undefined ? await copyPrepared(dataFolder) : await keysElsewhere({ ...elsewhere, database });
  const logged: string[] = [];
  const service = await startService({
    dataFolder,
    // Without a data folder for its records, a service creates no key of its own.
    ...(database === undefined ? {} : { database, secretKey: SECRET_KEY }),
    ...(attachmentsAt === undefined ? {} : { attachmentsAt }),
    ...(mail === undefined ? {} : { mail }),
    ...{ publicOrgs, loginProviders, operators, ssoOrgs, opa },
    ...(publicUrl === undefined ? {} : { publicUrl }),
    issuers,
    host: "127.0.0.1",
    port: 0,
    org: ORG,
    version: "1.2.3",
    log: textLog((line) => logged.push(line)),
    limits,
    outgoing: {
      allowTargets: ["127.0.0.1"],
      allowHttpTargets: true,
      githubHosts: ["127.0.0.1", "127.0.0.1:65535"],
      ...outgoing,
    },
    now: () => clock.time,
  });
  const dispatcher = new Agent();
  return {
    ...service,
    dataFolder,
    keys,
    clock,
    dispatcher,
    logged,
    async dispose() {
      await dispatcher.close();
      await service.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

async function copyPrepared(dataFolder: string): Promise<TestService["keys"]> {
  prepared ??= prepare();
  const { records, keys } = await prepared;
  await writeFile(databaseFile(dataFolder), records, { mode: 0o600 });
  return keys;
}

async function keysElsewhere({ database, keys, preparedBy }: KeptElsewhere): Promise<TestService["keys"]> {
  if (keys !== undefined) return keys;
  return prepareKeys(await openPostgres({ ...database, ...(preparedBy ? { url: preparedBy } : {}) }));
}

async function prepareKeys(store: Store): Promise<TestService["keys"]> {
  const now = START;
  const keys = await store.write(async (db) => {
    const keyOf = async (orgId: string, name: string, role: Role, expiresAt: number | null = null) => {
      const accountId = await createServiceAccount(db, { orgId, name, role }, now);
      return createKey(db, { accountId, description: "for tests", expiresAt, now });
    };
    const org = await createOrganization(db, ORG, now);
    const other = await createOrganization(db, OTHER_ORG, now);
    const byRole = [];
    for (const role of ROLES) byRole.push([role, (await keyOf(org, role, role)).key]);
    for (const name of ["Kim Known", "Pat Past"]) await addReader(db, org, name);
    const revoked = await keyOf(org, "revoked", "admin");
    await db.updateTable("api_keys").set({ revoked_at: now }).where("id", "=", revoked.id).execute();
    return {
      ...Object.fromEntries(byRole),
      stranger: (await keyOf(other, "stranger", "admin")).key,
      expired: (await keyOf(org, "expired", "admin", now)).key,
      revoked: revoked.key,
    };
  });
  await store.close();
  return keys;
}

/** Adds a person who may read the records of an organization, without a sign-in. */
async function addReader(db: Database, orgId: string, name: string): Promise<void> {
  const [personId, accountId] = [newId(), newId()];
  const times = { created_at: START, last_seen_at: START, ended_at: null };
  await db
    .insertInto("people")
    .values({ id: personId, org_id: null, name, email: null, ...times })
    .execute();
  await db
    .insertInto("service_accounts")
    .values({
      ...{ id: accountId, org_id: orgId, name, role: "reader", description: null, created_by_id: null },
      ...{ created_at: START, deleted_at: null, person_id: personId },
    })
    .execute();
  await createPersonKey(db, { accountId, now: START });
  await db
    .insertInto("memberships")
    .values({
      ...{ account_id: accountId, source: "manual", provider: "", role: "reader", scope: null },
      ...{ given_by: "admin", created_at: START },
    })
    .execute();
}

/** Waits until the first sweep has ended, which writes records and files. */
export async function firstSweep({ address }: Pick<TestService, "address">): Promise<void> {
  const health = async () => (await request(`${address}/health`)).body.text();
  await vi.waitUntil(async () => (await health()).includes('"sweep"'), { timeout: 30_000 });
}

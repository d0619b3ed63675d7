import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { VERSION } from "../../../api/version.ts";
import type { Log } from "../../kernel/log.ts";
import { applySteps } from "../apply-steps.ts";
import { liveInstances } from "../instances.ts";
import { INSTANCES_STEP, migrations } from "../migrations.ts";
import { type Applied, compareSchema, noRecords, olderRecords, pendingSteps } from "../schema-version.ts";
import type { Database } from "../tables.ts";
import { UNFINISHED_COPY } from "../unfinished-copy.ts";
import { type DatabaseAddress, shownAddress } from "./address.ts";
import { queriesOn } from "./connections.ts";
import type { Migrate } from "./migrate-modes.ts";

interface Upgrade {
  migrate: Migrate;
  /** Takes an entry about an upgrade. */
  log: Log;
  address: DatabaseAddress;
}

/**
 * Sees to it that the tables are those that this version works on. Of several instances that start together one changes
 * them, and the others wait for it.
 *
 * @throws Error when they are not, or cannot be looked at; then nothing is changed
 */
export async function bringUpToDate(pool: pg.Pool, { migrate, log, address }: Upgrade): Promise<void> {
  const place = shownAddress(address);
  const client = await pool.connect().catch((cause: unknown) => {
    throw new Error(`The database ${place} cannot be reached`, { cause });
  });
  let fault: Error | undefined;
  try {
    if (migrate === "off") return await leaveAsTheyAre(client, { place, log });
    await requireSettings(client, place);
    const found = compareSchema(await appliedSteps(client), place);
    if (found === "this") return;
    if (migrate === "check") throw found === "none" ? noRecords(place) : olderRecords(place);
    await upgrade(client, { place, log });
  } catch (error) {
    fault = error instanceof Error ? error : new Error(String(error));
    throw fault;
  } finally {
    client.release(fault);
  }
}

/** What PostgreSQL says to a user who lacks a right. */
const NOT_ALLOWED = "42501";

/** @throws Error when it can be seen that this version cannot work on the tables */
async function leaveAsTheyAre(client: pg.ClientBase, { place, log }: Upgraded): Promise<void> {
  const applied = await appliedSteps(client).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === NOT_ALLOWED) return undefined;
    throw error;
  });
  if (applied === undefined) return;
  const found = compareSchema(applied, place);
  if (found === "none") throw noRecords(place);
  if (found === "this") return;
  log({
    level: "warn",
    message:
      `The records in ${place} are of an older version than this ${VERSION}, and are not brought up to date. ` +
      `They lack ${pendingSteps(applied.steps).join(", ")}: what needs these fails until an instance with ` +
      "--database-migrate auto was started",
  });
}

/** What PostgreSQL calls a second one of something there may be one of. */
const DUPLICATE = "23505";
const ATTEMPTS = 10;

interface Upgraded {
  place: string;
  log: Log;
}

class InstancesRunning extends Error {}

async function upgrade(client: pg.ClientBase, upgraded: Upgraded): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await upgradeOnce(client, upgraded);
    } catch (error) {
      await client.query("rollback");
      if (error instanceof InstancesRunning) throw error;
      // Two instances that make the first table at the same time: one of them has to begin again.
      const isRace = error instanceof Error && "code" in error && error.code === DUPLICATE;
      if (!isRace || attempt === ATTEMPTS) {
        throw new Error("The records could not be brought up to this version: nothing was changed", {
          cause: error,
        });
      }
      await delay(100 * Math.random());
    }
  }
}

/** The table of the lock is Kysely's; it is made here, so that the lock is taken before anything is looked at. */
const LOCK = [
  "create table if not exists kysely_migration_lock (id varchar(255) not null primary key, is_locked integer not null default 0)",
  "insert into kysely_migration_lock (id, is_locked) values ('migration_lock', 0) on conflict (id) do nothing",
  "select id from kysely_migration_lock where id = 'migration_lock' for update",
];

async function upgradeOnce(client: pg.ClientBase, { place, log }: Upgraded): Promise<void> {
  await client.query("begin; set local statement_timeout = 0; set local lock_timeout = 0");
  for (const statement of LOCK) await client.query(statement);
  const applied = await appliedSteps(client);
  const found = compareSchema(applied, place);
  if (found !== "this") {
    const db = queriesOn(client, { prepare: false });
    if (found === "older") {
      if (pendingSteps(applied.steps).some(isBreaking)) await requireNobodyElse(db, applied, place);
      log({ level: "info", message: `The records in ${place} are brought up to version ${VERSION}` });
    }
    await applySteps(db, found);
  }
  await client.query("commit");
}

function isBreaking(step: string): boolean {
  return migrations[step]?.compatible !== true;
}

/** @throws Error when instances of an older version work on the records, which could not go on beside this one */
async function requireNobodyElse(db: Database, { steps }: Applied, place: string): Promise<void> {
  if (!steps.includes(INSTANCES_STEP)) return;
  const [other] = await liveInstances(db);
  if (other === undefined) return;
  throw new InstancesRunning(
    `The records in ${place} have to be changed for this ${VERSION}, and ${other.version} on ${other.host} still ` +
      "works on them: stop the instances of the older version first",
  );
}

async function appliedSteps(client: pg.ClientBase): Promise<Applied> {
  const steps = await namesIn(client, "kysely_migration");
  const breaking = await namesIn(client, "breaking_steps");
  // Of records without the list it is not known: then every step counts.
  const unfinished = await hasTable(client, UNFINISHED_COPY);
  return { steps, breaking: breaking.length === 0 ? steps : breaking, unfinished };
}

async function hasTable(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query("select to_regclass($1) is not null as made", [table]);
  return rows[0]?.made === true;
}

async function namesIn(client: pg.ClientBase, table: string): Promise<string[]> {
  if (!(await hasTable(client, table))) return [];
  const { rows } = await client.query<{ name: string }>(`select name from ${table} order by name`);
  return rows.map(({ name }) => name);
}

const OLDEST = 15;

/** What a database has to have before any table is made in it. */
async function requireSettings(client: pg.ClientBase, place: string): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string; folds: boolean }>(`
    select current_setting('server_version_num')::integer / 10000 as version,
      current_setting('server_encoding') as encoding,
      exists (select 1 from pg_collation where collname = 'und-x-icu') as folds`);
  const [server] = rows;
  if (server === undefined || server.version < OLDEST) {
    throw new Error(`The database ${place} is PostgreSQL ${server?.version}: ${OLDEST} or newer is needed`);
  }
  if (server.encoding !== "UTF8") {
    throw new Error(`The database ${place} has the encoding ${server.encoding}: make one with UTF8`);
  }
  if (!server.folds) {
    throw new Error(
      `The database ${place} lacks the collations of ICU: a PostgreSQL built with ICU is needed`,
    );
  }
}

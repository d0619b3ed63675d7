import type pg from "pg";
import { VERSION } from "../../../api/version.ts";
import { hasCode } from "../../kernel/error-codes.ts";
import type { Log } from "../../kernel/log.ts";
import { liveInstances } from "../instances.ts";
import { applyMigrations, isBreaking, makeTables } from "../migrations.ts";
import {
  type AppliedMigration,
  compareSchema,
  FORMER_MIGRATIONS,
  type FoundTables,
  noRecords,
  olderRecords,
  pendingMigrations,
  UNFINISHED_COPY,
} from "../schema-version.ts";
import type { Database } from "../tables.ts";
import { type DatabaseAddress, shownAddress } from "./address.ts";
import { queriesOn } from "./connections.ts";
import { Unreachable } from "./faults.ts";
import type { Migrate } from "./migrate-modes.ts";
import { connectionOf } from "./pool.ts";
import { LOCK_ALL } from "./write-queue.ts";

interface Upgrade {
  migrate: Migrate;
  log: Log;
  address: DatabaseAddress;
}

/** Lets one instance upgrade while the others wait. @throws Error when the tables are unusable; nothing is changed */
export async function bringUpToDate(pool: pg.Pool, { migrate, log, address }: Upgrade): Promise<void> {
  const place = shownAddress(address);
  const client = await connectionOf(pool, "write").catch((error: unknown) => {
    const cause = error instanceof Unreachable ? error.cause : error;
    throw new Error(`The database ${place} cannot be reached`, { cause });
  });
  let fault: Error | undefined;
  try {
    if (migrate === "off") return await leaveAsTheyAre(client, { place, log });
    await requireSettings(client, place);
    const found = compareSchema(await tablesIn(client), place);
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

const NOT_ALLOWED = "42501";

/** @throws Error when this version is known not to work with the tables */
async function leaveAsTheyAre(client: pg.ClientBase, { place, log }: Upgraded): Promise<void> {
  const tables = await tablesIn(client).catch((error: unknown) => {
    if (hasCode(error, NOT_ALLOWED)) return undefined;
    throw error;
  });
  if (tables === undefined) return;
  const found = compareSchema(tables, place);
  if (found === "none") throw noRecords(place);
  if (found === "this") return;
  log({
    level: "warn",
    message:
      `The records in ${place} were written by a version older than ${VERSION}, and are not upgraded. ` +
      `They lack ${pendingMigrations(tables.migrations).join(", ")}: features that need these fail until an instance with ` +
      "--database-migrate auto has started",
  });
}

interface Upgraded {
  place: string;
  log: Log;
}

class InstancesRunning extends Error {}

async function upgrade(client: pg.ClientBase, upgraded: Upgraded): Promise<void> {
  try {
    await client.query("begin; set local statement_timeout = 0; set local lock_timeout = 0");
    await upgradeLocked(client, upgraded);
    await client.query("commit");
  } catch (cause) {
    await client.query("rollback");
    if (cause instanceof InstancesRunning) throw cause;
    throw new Error("The records could not be upgraded to this version: nothing was changed", { cause });
  }
}

/** A lock that needs no table, because there is none before the first start. */
const LOCK_UPGRADE = "select pg_advisory_xact_lock(7164207)";

async function upgradeLocked(client: pg.ClientBase, { place, log }: Upgraded): Promise<void> {
  await client.query(LOCK_UPGRADE);
  const { migrations } = await tablesIn(client);
  const pending = pendingMigrations(migrations);
  const db = queriesOn(client, { prepare: false });
  if (migrations.length === 0) return makeTables(db);
  if (pending.length === 0) return;
  await client.query(LOCK_ALL);
  if (isBreaking(pending)) await requireNoOlderInstance(db, place);
  log({ level: "info", message: `Upgrading the records in ${place} to version ${VERSION}` });
  await applyMigrations(db, pending);
}

/** @throws Error when instances of an older version use the records, because they would fail after the upgrade */
async function requireNoOlderInstance(db: Database, place: string): Promise<void> {
  const [other] = await liveInstances(db);
  if (other === undefined) return;
  throw new InstancesRunning(
    `The records in ${place} must be upgraded for version ${VERSION}, but ${other.version} on ${other.host} still ` +
      "uses them: stop the instances of the older version first",
  );
}

async function tablesIn(client: pg.ClientBase): Promise<FoundTables> {
  const { rows: migrations } = (await hasTable(client, "schema_migrations"))
    ? await client.query<AppliedMigration>("select name, is_breaking from schema_migrations")
    : { rows: [] };
  return {
    migrations,
    areFormer: await hasTable(client, FORMER_MIGRATIONS),
    areUnfinished: await hasTable(client, UNFINISHED_COPY),
  };
}

/**
 * Reads the catalog, because `to_regclass` may answer from a cache that waiting for an advisory
 * lock does not refresh: an instance that waited would create the tables again.
 */
async function hasTable(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query(
    "select 1 from pg_class where relname = $1 and pg_table_is_visible(oid)",
    [table],
  );
  return rows.length > 0;
}

const OLDEST = 15;

async function requireSettings(client: pg.ClientBase, place: string): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string; folds: boolean }>(`
    select current_setting('server_version_num')::integer / 10000 as version,
      current_setting('server_encoding') as encoding,
      exists (select 1 from pg_collation where collname = 'und-x-icu') as folds`);
  const [server] = rows;
  if (server === undefined || server.version < OLDEST) {
    throw new Error(`The database ${place} is PostgreSQL ${server?.version}: use version ${OLDEST} or newer`);
  }
  if (server.encoding !== "UTF8") {
    throw new Error(`The database ${place} has the encoding ${server.encoding}: create one with UTF8`);
  }
  if (!server.folds) {
    throw new Error(
      `The database ${place} lacks the collations of ICU: use a PostgreSQL that is built with ICU`,
    );
  }
}

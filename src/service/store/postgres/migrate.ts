import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { VERSION } from "../../../api/version.ts";
import { applySteps } from "../apply-steps.ts";
import { compareSchema, olderRecords, type SchemaVersion } from "../schema-version.ts";
import { type DatabaseAddress, shownAddress } from "./address.ts";
import { queriesOn } from "./connections.ts";
import type { Migrate } from "./migrate-modes.ts";

interface Upgrade {
  migrate: Migrate;
  /** Takes a line about an upgrade. */
  log: (line: string) => void;
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
    if (migrate === "off") return;
    await requireSettings(client, place);
    if ((await schemaVersion(client, place)) === "this") return;
    if (migrate === "check") throw olderRecords(place);
    await upgrade(client, { place, log });
  } catch (error) {
    fault = error instanceof Error ? error : new Error(String(error));
    throw fault;
  } finally {
    client.release(fault);
  }
}

/** What PostgreSQL calls a second one of something there may be one of. */
const DUPLICATE = "23505";
const ATTEMPTS = 10;

async function upgrade(client: pg.ClientBase, upgraded: { place: string; log: (line: string) => void }) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await upgradeOnce(client, upgraded);
    } catch (error) {
      await client.query("rollback");
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

async function upgradeOnce(
  client: pg.ClientBase,
  { place, log }: { place: string; log: (line: string) => void },
): Promise<void> {
  await client.query("begin; set local statement_timeout = 0; set local lock_timeout = 0");
  for (const statement of LOCK) await client.query(statement);
  const found = await schemaVersion(client, place);
  if (found !== "this") {
    if (found === "older") log(`The records in ${place} are brought up to version ${VERSION}`);
    await applySteps(queriesOn(client, { prepare: false }), found);
  }
  await client.query("commit");
}

async function schemaVersion(client: pg.ClientBase, place: string): Promise<SchemaVersion> {
  const { rows: tables } = await client.query("select to_regclass('kysely_migration') is not null as made");
  if (tables[0]?.made !== true) return "none";
  const { rows } = await client.query<{ name: string }>("select name from kysely_migration order by name");
  return compareSchema(
    rows.map(({ name }) => name),
    place,
  );
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

import type pg from "pg";
import { VERSION } from "../../../api/version.ts";
import type { Log } from "../../kernel/log.ts";
import { writeNothing } from "../dialect.ts";
import { type Store, type StoreObserver, UNOBSERVED } from "../store.ts";
import { type DatabaseAddress, isPooled } from "./address.ts";
import { againIfLost, preparingAt, queriesIn, readingThrough } from "./connections.ts";
import { openCopies } from "./copies.ts";
import { flusherOn } from "./flush.ts";
import { type LastWrite, newLastWrite } from "./log-position.ts";
import { bringUpToDate } from "./migrate.ts";
import type { Migrate } from "./migrate-modes.ts";
import { CLIENT_TIMEOUTS, type ClientTimeouts, openPool } from "./pool.ts";
import { readAhead } from "./read-ahead.ts";
import { queueWrites } from "./write-queue.ts";

export interface PostgresOptions extends DatabaseAddress {
  /** Maximum connections for queries, besides the nine for writes. */
  pool?: number;
  timeouts?: ClientTimeouts;
  migrate?: Migrate;
  /** Address of read-only copies, with the same password file. */
  readUrl?: string;
  /** Shared by the threads of an instance, which have one store each. */
  lastWrite?: LastWrite;
}

/** Number of organizations whose records one instance writes at the same time. */
const MOST_WRITERS = 8;

interface Opening {
  /** Skips the check of the tables: it was done already, or none are expected. */
  skipUpgrade?: boolean;
}

interface PostgresWatch {
  log?: Log;
  observer?: StoreObserver;
}

/** @throws Error when the database is unreachable or its tables are unusable; they are not changed */
export async function openPostgres(options: PostgresOptions & PostgresWatch & Opening): Promise<Store> {
  const { pool: connections = 10, skipUpgrade = false, log = () => {}, observer = UNOBSERVED } = options;
  const { timeouts = CLIENT_TIMEOUTS, lastWrite = newLastWrite(), readUrl } = options;
  const { connect: connectMs, read: readMs, begin: beginMs, write: writeMs } = timeouts;
  const name = `delivery-evidence ${VERSION}`;
  if (!skipUpgrade) await bringTablesUpToDate(options, { name, log });
  const writers = openPool(options, {
    max: Math.min(connections, MOST_WRITERS),
    name,
    connectMs,
    queryMs: writeMs,
  });
  const readers = openPool(options, { max: connections, name, connectMs, queryMs: readMs });
  const preparing = preparingAt(options, { log, observer });
  const flusher = flusherOn(openPool(options, { max: 1, name, connectMs, queryMs: writeMs }), {
    isPooled: isPooled(options),
    onShared: () => preparing.stop?.(),
    lastWrite,
    log,
  });
  const { read, readTogether } = readingThrough(queriesIn(readers, preparing));
  const copies =
    readUrl === undefined
      ? undefined
      : openCopies(
          { ...options, url: readUrl },
          { max: connections, name, timeouts, lastWrite, log, observer },
        );
  const pools = [readers, writers, ...(copies?.pools ?? [])];
  const { write, committedAt, waiting, drained, requireSpace } = queueWrites(writers, {
    preparing,
    flusher,
    beginMs,
    lastWrite: readUrl === undefined ? undefined : lastWrite,
    observer,
  });
  return {
    engine: "postgresql",
    isShared: true,
    read,
    // Only the service passes a log. Commands write copies and reports while they read.
    readTogether: (queries) =>
      options.log === undefined ? readTogether(queries) : againIfLost(() => readTogether(queries)),
    ...(copies && { copy: copies.reading }),
    // A pooler would hide that the server restarted.
    ...(isPooled(options) ? {} : { readAhead: (reading) => readAhead(read, reading) }),
    write,
    committedAt,
    load: () => ({
      waitingWrites: waiting(),
      connections: {
        busy: sumOf(pools, ({ totalCount, idleCount }) => totalCount - idleCount),
        idle: sumOf(pools, ({ idleCount }) => idleCount),
        wanted: sumOf(pools, ({ waitingCount }) => waitingCount),
      },
    }),
    async checkWritable() {
      requireSpace();
      await write(writeNothing);
    },
    async close() {
      await drained();
      await Promise.all([...pools.map((pool) => pool.end()), flusher.close()]);
    },
  };
}

function sumOf(pools: readonly pg.Pool[], count: (pool: pg.Pool) => number): number {
  return pools.reduce((sum, pool) => sum + count(pool), 0);
}

async function bringTablesUpToDate(options: PostgresOptions, { name, log }: { name: string; log: Log }) {
  const { migrate = "auto" } = options;
  // An upgrade has no time limit.
  const pool = openPool(options, { max: 1, name });
  await bringUpToDate(pool, { migrate, log, address: options }).finally(() => pool.end());
}

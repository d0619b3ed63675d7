import { VERSION } from "../../../api/version.ts";
import type { Log } from "../../kernel/log.ts";
import { writeNothing } from "../dialect.ts";
import { type Store, type StoreObserver, UNOBSERVED } from "../store.ts";
import { type DatabaseAddress, isPooled } from "./address.ts";
import { againIfLost, preparingAt, queriesIn } from "./connections.ts";
import { flusherOn } from "./flush.ts";
import { bringUpToDate } from "./migrate.ts";
import type { Migrate } from "./migrate-modes.ts";
import { CLIENT_TIMEOUTS, type ClientTimeouts, openPool } from "./pool.ts";
import { queueWrites } from "./write-queue.ts";

export interface PostgresOptions extends DatabaseAddress {
  /** Maximum connections for queries, besides the nine for writes. */
  pool?: number;
  timeouts?: ClientTimeouts;
  migrate?: Migrate;
}

/** Number of organizations whose records one instance writes at the same time. */
const WRITERS = 8;

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
  const {
    connect: connectMs,
    read: readMs,
    begin: beginMs,
    write: writeMs,
  } = options.timeouts ?? CLIENT_TIMEOUTS;
  const name = `delivery-evidence ${VERSION}`;
  if (!skipUpgrade) await bringTablesUpToDate(options, { name, log });
  const writers = openPool(options, { max: WRITERS, name, connectMs, queryMs: writeMs });
  const readers = openPool(options, { max: connections, name, connectMs, queryMs: readMs });
  const preparing = preparingAt(options, { log, observer });
  const flusher = flusherOn(openPool(options, { max: 1, name, connectMs, queryMs: writeMs }), {
    isPooled: isPooled(options),
    onShared: () => preparing.stop?.(),
    log,
  });
  const read = queriesIn(readers, preparing);
  const { write, committedAt, waiting, drained, requireSpace } = queueWrites(writers, {
    preparing,
    flusher,
    beginMs,
    observer,
  });
  return {
    engine: "postgresql",
    isShared: true,
    read,
    readTogether(queries) {
      const transaction = read.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
      const run = () => transaction.execute(queries);
      // Only the service passes a log. Commands write copies and reports while they read.
      return options.log === undefined ? run() : againIfLost(run);
    },
    write,
    committedAt,
    load: () => ({
      waitingWrites: waiting(),
      connections: {
        busy: readers.totalCount + writers.totalCount - readers.idleCount - writers.idleCount,
        idle: readers.idleCount + writers.idleCount,
        wanted: readers.waitingCount + writers.waitingCount,
      },
    }),
    async checkWritable() {
      requireSpace();
      await write(writeNothing);
    },
    async close() {
      await drained();
      await Promise.all([writers.end(), readers.end(), flusher.close()]);
    },
  };
}

async function bringTablesUpToDate(options: PostgresOptions, { name, log }: { name: string; log: Log }) {
  const { migrate = "auto" } = options;
  // An upgrade has no time limit.
  const pool = openPool(options, { max: 1, name });
  await bringUpToDate(pool, { migrate, log, address: options }).finally(() => pool.end());
}

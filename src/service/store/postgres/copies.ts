import type pg from "pg";
import type { Log } from "../../kernel/log.ts";
import type { CopyKind, Reading, StoreObserver } from "../store.ts";
import { type DatabaseAddress, hostsOf, isPooled } from "./address.ts";
import { connectionsOf, preparingAt, queriesThrough, readingThrough } from "./connections.ts";
import { NoCopy } from "./faults.ts";
import {
  type LastWrite,
  type LogPosition,
  positionColumns,
  positionFrom,
  positionIn,
} from "./log-position.ts";
import { type ClientTimeouts, connectionOf, openPool } from "./pool.ts";

/** Time to wait for a connection to a copy. The primary answers otherwise. */
const CONNECT_MS = 2_000;
/** Time after a failure during which a copy is not used. */
const AWAY_MS = 5_000;
/** Greatest lag of a recent copy. Each instance writes more often. */
const RECENT_MS = 10_000n;

export interface Copies {
  /** Queries of one request. */
  reading(kind: CopyKind): Reading;
  readonly pools: readonly pg.Pool[];
}

interface CopyOptions {
  readonly max: number;
  readonly name: string;
  readonly timeouts: ClientTimeouts;
  readonly lastWrite: LastWrite;
  readonly log: Log;
  readonly observer: StoreObserver;
}

/** Copies of the database that a server in recovery keeps (streaming replicas), one for each host of the address. */
export function openCopies(
  address: DatabaseAddress,
  { max, name, timeouts: { connect, read }, lastWrite, log, observer }: CopyOptions,
): Copies {
  const preparing = preparingAt(address, { log, observer });
  const copies = hostsOf(address).map((host) => {
    const pool = openPool(host, { max, name, connectMs: Math.min(connect, CONNECT_MS), queryMs: read });
    return { pool, usable: connectionsOf(preparing), awayUntil: 0 };
  });
  // A copy only advances. But behind a pooler, the next statement may reach another server.
  const replayed = isPooled(address) ? undefined : new WeakMap<pg.PoolClient, bigint>();

  async function replayedBy(client: pg.PoolClient): Promise<LogPosition> {
    const { rows } = await client.query<Parameters<typeof positionFrom>[0]>(REPLAYED);
    const [row] = rows;
    if (row === undefined) throw new NoCopy("The server is not a copy");
    const found = positionFrom(row);
    replayed?.set(client, found.position);
    return found;
  }

  async function isPast(client: pg.PoolClient, { position, time }: LogPosition): Promise<boolean> {
    if ((replayed?.get(client) ?? 0n) >= position) return true;
    const found = await replayedBy(client);
    return found.position >= position || found.time >= time;
  }

  async function connectPast(needed: LogPosition) {
    for (const copy of copies) {
      if (performance.now() < copy.awayUntil) continue;
      let client: pg.PoolClient | undefined;
      try {
        client = await connectionOf(copy.pool, "copy", observer);
        if (await isPast(client, needed)) return copy.usable(client);
        client.release();
      } catch {
        copy.awayUntil = performance.now() + AWAY_MS;
        client?.release(true);
      }
    }
    throw new NoCopy("No copy of the records can be reached, or all are behind");
  }

  return {
    pools: copies.map(({ pool }) => pool),
    reading(kind) {
      const { position, time } = positionIn(lastWrite);
      const needed = { position, time: kind === "own" ? NEVER : time - RECENT_MS };
      return readingThrough(
        queriesThrough(async () => {
          if (position === 0n) throw new NoCopy("This instance has not written yet");
          return connectPast(needed);
        }),
      );
    },
  };
}

const NEVER = 2n ** 63n;

/** No row on a server that is not in recovery. */
const REPLAYED = `select ${positionColumns("pg_last_wal_replay_lsn()", "pg_last_xact_replay_timestamp()")}
  where pg_is_in_recovery()`;

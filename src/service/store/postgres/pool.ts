import { Socket } from "node:net";
import pg from "pg";
import { hasCode } from "../../kernel/error-codes.ts";
import { type PoolName, type StoreObserver, UNOBSERVED } from "../store.ts";
import { clientConfig, type DatabaseAddress, hostsOf, isPooled } from "./address.ts";
import { errorClass, Unreachable } from "./faults.ts";

const READ_TIMEOUT_MS = 10_000;

/** Timeouts of the client, for a dead network, in milliseconds. The server itself ends long queries. */
export interface ClientTimeouts {
  readonly connect: number;
  readonly read: number;
  /** Short, because the statement that begins a transaction waits for no lock. A broken network is noticed early. */
  readonly begin: number;
  /** Covers the wait for another writer and the time limit of one statement. */
  readonly write: number;
}

export const CLIENT_TIMEOUTS = { connect: 5_000, read: READ_TIMEOUT_MS + 2_000, begin: 5_000, write: 45_000 };

/** Every query has an index, so the planner need not consider a scan. Compiling takes longer than running. */
const SETTINGS = `set statement_timeout = ${READ_TIMEOUT_MS}; set enable_seqscan = off; set jit = off`;

interface PoolOptions {
  max: number;
  name: string;
  connectMs?: number;
  /** Timeout of each query. Absent: no timeout. */
  queryMs?: number;
}

/** With several hosts, connections lead to the first one that can be reached and is not a standby. */
export function openPool(
  address: DatabaseAddress,
  { max, name, connectMs = CLIENT_TIMEOUTS.connect, queryMs }: PoolOptions,
): pg.Pool {
  const pooled = isPooled(address);
  const hosts = hostsOf(address).map(clientConfig);
  const pool = new pg.Pool({
    ...hosts[0],
    ...(hosts.length > 1 && { verify: refuseStandby }),
    Client,
    max,
    application_name: name,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    ...(queryMs === undefined ? {} : { query_timeout: queryMs }),
    // Statements are pipelined, which saves most of the round trips.
    pipeline: true,
    stream: () => new MergingSocket(),
    types: { getTypeParser: parserOf },
  });
  // A connection that breaks while idle is replaced at its next use.
  pool.on("error", () => {});
  const open = new Set<pg.PoolClient>();
  limits.set(pool, { open, max, hosts });
  pool.on("remove", (client) => open.delete(client));
  pool.on("connect", (client) => {
    open.add(client);
    // The failing query reports the error. An unhandled `error` event would end the process.
    client.on("error", () => {});
    // A pooler gives the connection to other clients, and they would inherit the setting.
    if (!pooled) client.query(SETTINGS).catch(() => {});
  });
  return pool;
}

/** The open connections of each pool, and the maximum and the hosts that it was given. */
const limits = new WeakMap<
  pg.Pool,
  { open: ReadonlySet<pg.PoolClient>; max: number; hosts: readonly pg.ClientConfig[] }
>();

function refuseStandby(client: pg.ClientBase, callback: (error?: Error) => void): void {
  client
    .query<{ standby: boolean }>("select pg_is_in_recovery() as standby")
    .then(
      ({ rows: [row] }) => callback(row?.standby ? new Error("The server is a standby") : undefined),
      callback,
    );
}

/** Lets the next connection lead to the next host, unless another caller has done so. */
function leaveHost(pool: pg.Pool, left: string): void {
  const { hosts = [] } = limits.get(pool) ?? {};
  const at = hosts.findIndex((host) => hostText(host) === left);
  const { host, port } = hosts[(at + 1) % hosts.length] ?? {};
  if (hostText(pool.options) === left) Object.assign(pool.options, { host, port });
}

function hostText({ host, port }: pg.ClientConfig): string {
  return `${host}:${port}`;
}

/** Tries each host once. Waits for an open connection if the server refuses to open one more. */
export async function connectionOf(
  pool: pg.Pool,
  name: PoolName,
  observer: StoreObserver = UNOBSERVED,
): Promise<pg.PoolClient> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  for (let untried = limits.get(pool)?.hosts.length ?? 1; ; ) {
    const host = hostText(pool.options);
    try {
      const client = await pool.connect();
      observer.connected({ pool: name, seconds: seconds() });
      return client;
    } catch (cause) {
      observer.faulted(errorClass(cause, "unreachable"));
      const mayWait = hasCode(cause, TOO_MANY_CONNECTIONS) && seconds() < CLIENT_TIMEOUTS.connect / 1000;
      if (mayWait && openNoMore(pool)) continue;
      leaveHost(pool, host);
      if (--untried > 0) continue;
      observer.connected({ pool: name, seconds: seconds() });
      throw new Unreachable("No connection to the database could be made", { cause });
    }
  }
}

const TOO_MANY_CONNECTIONS = "53300";
/** Time after which a pool tries again to open more connections than the server last accepted. */
const FEWER_MS = 1_000;

/** @returns whether there are open connections to wait for */
function openNoMore(pool: pg.Pool): boolean {
  const { open, max } = limits.get(pool) ?? {};
  if (max === undefined || open === undefined || open.size === 0) return false;
  pool.options.max = open.size;
  const restore = () => {
    pool.options.max = max;
  };
  setTimeout(restore, FEWER_MS).unref();
  return true;
}

const NUMBERS: ReadonlySet<number> = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** Returns column values as SQLite does: whole numbers are numbers, and so are their sums. */
const parserOf: typeof pg.types.getTypeParser = (oid: number, format?: "text" | "binary") =>
  NUMBERS.has(oid) ? safeNumber : pg.types.getTypeParser(oid, format);

function safeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new Error(`Expected an integer below 2^53, got ${text}`);
  return number;
}

/** A client that closes its socket when login fails. Otherwise the connection stays open until the server ends it. */
class Client extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.connection.on("error", () => this.connection.stream.destroy());
  }

  hasPrepared(name: string): boolean {
    // The types of `pg` lack this property.
    return Object.hasOwn(Reflect.get(this.connection, "parsedStatements"), name);
  }
}

/** Sends everything written in one turn of the event loop as one packet, because `pg` would send many small ones. */
class MergingSocket extends Socket {
  #merging = false;

  override cork(): void {
    super.cork();
    if (this.#merging) return;
    this.#merging = true;
    super.cork();
    process.nextTick(() => {
      this.#merging = false;
      super.uncork();
    });
  }
}

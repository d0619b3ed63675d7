import { createHash } from "node:crypto";
import { Socket } from "node:net";
import {
  type Kysely,
  Kysely as KyselyOf,
  PostgresAdapter,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type PostgresQueryResult,
  type RawNode,
} from "kysely";
import pg from "pg";
import { hasCode } from "../../kernel/error-codes.ts";
import type { Log } from "../../kernel/log.ts";
import { inSpan } from "../../kernel/tracing.ts";
import { type DialectKnown, writtenIn } from "../dialect.ts";
import { type StoreObserver, UNOBSERVED } from "../store.ts";
import type { Tables } from "../tables.ts";
import { clientConfig, type DatabaseAddress, isPooled } from "./address.ts";
import { Traffic } from "./batch-times.ts";
import { postgresDialect } from "./dialect.ts";
import { errorClass, faultOf, isAftermath, isPreparedLost, PreparedLost, Unreachable } from "./faults.ts";

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

export function openPool(
  address: DatabaseAddress,
  { max, name, connectMs = CLIENT_TIMEOUTS.connect, queryMs }: PoolOptions,
): pg.Pool {
  const pooled = isPooled(address);
  const pool = new pg.Pool({
    ...clientConfig(address),
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
  limits.set(pool, { open, max });
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

/** The open connections of each pool, and the maximum that it was given. */
const limits = new WeakMap<pg.Pool, { open: ReadonlySet<pg.PoolClient>; max: number }>();

/** Waits for an open connection if the server refuses to open one more. */
export async function connectionOf(
  pool: pg.Pool,
  name: "read" | "write",
  observer: StoreObserver = UNOBSERVED,
): Promise<pg.PoolClient> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  for (;;) {
    try {
      const client = await pool.connect();
      observer.connected({ pool: name, seconds: seconds() });
      return client;
    } catch (cause) {
      observer.faulted(errorClass(cause, "unreachable"));
      const mayWait = hasCode(cause, TOO_MANY_CONNECTIONS) && seconds() < CLIENT_TIMEOUTS.connect / 1000;
      if (mayWait && openNoMore(pool)) continue;
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

/** Whether repeated statements are prepared, once per connection. */
export interface Preparing {
  readonly prepare: boolean;
  readonly observer?: StoreObserver;
  stop?(): void;
}

const SHARED =
  "The database is behind a pooler that shares connections by transaction: add pgbouncer=true to the options of its address";

/** Preparing stops at the first sign of a pooler that `pgbouncer=true` does not announce. */
export function preparingAt(
  address: DatabaseAddress,
  { log, observer }: { log: Log; observer: StoreObserver },
): Preparing {
  let prepare = !isPooled(address);
  return {
    observer,
    get prepare() {
      return prepare;
    },
    stop() {
      if (prepare) log({ level: "warn", message: `${SHARED}. Until the restart, no statement is prepared` });
      prepare = false;
    },
  };
}

/** Runs reads again without prepared statements if one of them was lost. */
export function againIfLost<T>(read: () => Promise<T>): Promise<T> {
  return read().catch((error: unknown) => {
    if (error instanceof PreparedLost) return read();
    throw error;
  });
}

/** The service's queries on one connection. They run in order, and several may be sent before the first result. */
export function queriesOn(client: pg.ClientBase, preparing: Preparing): Kysely<Tables> {
  return writesOn(client, preparing).db;
}

export interface WriteConnection {
  readonly db: Kysely<Tables>;
  marks(): number;
}

export function writesOn(client: pg.ClientBase, preparing: Preparing, traffic?: Traffic): WriteConnection {
  const connection = new PreparingConnection(client, preparing, traffic && { traffic });
  return { db: queries(async () => connection), marks: () => connection.marks };
}

export function queriesIn(pool: pg.Pool, preparing: Preparing): Kysely<Tables> {
  const known = new WeakMap<pg.PoolClient, PreparingConnection>();
  return queries(async () => {
    const client = await connectionOf(pool, "read", preparing.observer);
    const connection =
      known.get(client) ??
      new PreparingConnection(client, preparing, { release: (lost) => client.release(lost) });
    known.set(client, connection);
    return connection;
  });
}

function queries(connect: () => Promise<PostgresPoolClient>): Kysely<Tables> {
  return new KyselyOf<Tables>({
    dialect: new Dialect({ pool: { options: {}, connect, end: async () => {} } }),
  });
}

interface Sender {
  query<Row>(statement: pg.QueryConfig): Promise<PostgresQueryResult<Row>>;
  hasPrepared?(name: string): boolean;
}

/** A connection for Kysely. A lost connection is not reused. */
class PreparingConnection implements PostgresPoolClient {
  readonly #client: Sender;
  readonly #preparing: Preparing;
  readonly #traffic: Traffic;
  readonly #release: (lost: boolean) => void;
  #lost = false;
  #cause: unknown;
  marks = 0;

  constructor(
    client: Sender,
    preparing: Preparing,
    {
      release = () => {},
      traffic = new Traffic(),
    }: { release?: (lost: boolean) => void; traffic?: Traffic } = {},
  ) {
    this.#client = client;
    this.#preparing = preparing;
    this.#traffic = traffic;
    this.#release = release;
  }

  query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    text: string | PostgresCursor<Row>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof text !== "string") throw new Error("Answers are not read through cursors");
    this.#traffic.sent();
    return inSpan(
      () => spanOf(text),
      () => this.#send<Row>({ text, values: [...values] }),
    ).then(
      (result) => {
        this.#traffic.answered();
        if (result.command !== "SELECT") this.marks++;
        return result;
      },
      (error: unknown) => {
        this.#traffic.answered();
        this.marks++;
        if (!isAftermath(error)) this.#preparing.observer?.faulted(errorClass(error));
        if (faultOf(error) === "lost") this.#lost = true;
        if (!isAftermath(error)) this.#cause = error;
        throw this.#cause ?? error;
      },
    );
  }

  #send<Row>(statement: { text: string; values: unknown[] }): Promise<PostgresQueryResult<Row>> {
    const name = this.#preparing.prepare ? nameOf(statement.text) : undefined;
    if (name === undefined) return this.#client.query<Row>(statement);
    return this.#client.query<Row>({ ...statement, name }).catch((cause: unknown) => {
      // A statement of a transaction that had already failed was not prepared, and is not lost.
      if (!isPreparedLost(cause) || this.#client.hasPrepared?.(name) === false) throw cause;
      this.#preparing.stop?.();
      // In a transaction, which has failed, this fails too, and the cause is reported.
      this.#cause = new PreparedLost(SHARED, { cause });
      return this.#client.query<Row>(statement);
    });
  }

  release(): void {
    this.#release(this.#lost);
    this.#lost = false;
  }
}

/** The longest text of a statement in a trace. Values are parameters, so they are not in it. */
const MAX_TRACED_LENGTH = 2_000;

function spanOf(text: string) {
  const attributes = { "db.system.name": "postgresql", "db.query.text": text.slice(0, MAX_TRACED_LENGTH) };
  const [, verb = "SQL"] = /^\s*(\w+)/.exec(text) ?? [];
  const [, table] = /\b(?:from|into|update) "?(\w+)/.exec(text) ?? [];
  return { name: table === undefined ? verb : `${verb} ${table}`, kind: "client", attributes } as const;
}

/** More distinct statements than the service has; a bound on the plans that a server keeps. */
const MAX_PREPARED_STATEMENTS = 1_000;
const MAX_PREPARED_LENGTH = 10_000;

const names = new Map<string, string>();

/** The name depends on the text alone: behind a pooler, another instance may have prepared a statement of that name. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (text.length > MAX_PREPARED_LENGTH || names.size >= MAX_PREPARED_STATEMENTS) return undefined;
  const name = createHash("sha256").update(text).digest("base64url");
  names.set(text, name);
  return name;
}

class Dialect extends PostgresDialect {
  override createAdapter = () => new Adapter();
  override createQueryCompiler = () => new Compiler();
}

class Adapter extends PostgresAdapter implements DialectKnown {
  readonly dialect = postgresDialect;
}

class Compiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    super.visitRaw(writtenIn(postgresDialect, node));
  }
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

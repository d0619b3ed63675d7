import { createHash } from "node:crypto";
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
import type pg from "pg";
import type { Log } from "../../kernel/log.ts";
import { inSpan } from "../../kernel/tracing.ts";
import { type DialectKnown, writtenIn } from "../dialect.ts";
import type { Reading, StoreObserver } from "../store.ts";
import type { Tables } from "../tables.ts";
import { type DatabaseAddress, isPooled } from "./address.ts";
import { postgresDialect } from "./dialect.ts";
import { errorClass, faultOf, isAftermath, isPreparedLost, PreparedLost } from "./faults.ts";
import { connectionOf } from "./pool.ts";
import { snapshotOf } from "./read-ahead.ts";

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
      const message = `${SHARED}. Until the service is restarted, it prepares no statements`;
      if (prepare) log({ level: "warn", message });
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

export function writesOn(client: Sender, preparing: Preparing): WriteConnection {
  const connection = new PreparingConnection(client, preparing);
  return { db: queriesThrough(async () => connection), marks: () => connection.marks };
}

export function queriesIn(pool: pg.Pool, preparing: Preparing): Kysely<Tables> {
  const usable = connectionsOf(preparing);
  return queriesThrough(async () => usable(await connectionOf(pool, "read", preparing.observer)));
}

/** Makes connections of pools usable for queries. */
export function connectionsOf(preparing: Preparing): (client: pg.PoolClient) => PostgresPoolClient {
  const known = new WeakMap<pg.PoolClient, PreparingConnection>();
  return (client) => {
    const connection =
      known.get(client) ?? new PreparingConnection(client, preparing, (lost) => client.release(lost));
    known.set(client, connection);
    return connection;
  };
}

/** The service's queries on the connections that a function provides. */
export function queriesThrough(connect: () => Promise<PostgresPoolClient>): Kysely<Tables> {
  return new KyselyOf<Tables>({
    dialect: new Dialect({ pool: { options: {}, connect, end: async () => {} } }),
  });
}

export function readingThrough(read: Kysely<Tables>): Reading {
  return { read, readTogether: (queries) => snapshotOf(read).execute(queries) };
}

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
  /** The name under which it is prepared. */
  readonly name?: string;
}

export interface Sender {
  query<Row>(statement: Statement): Promise<PostgresQueryResult<Row>>;
  hasPrepared?(name: string): boolean;
}

/** A connection for Kysely. A lost connection is not reused. */
class PreparingConnection implements PostgresPoolClient {
  readonly #client: Sender;
  readonly #preparing: Preparing;
  readonly #release: (lost: boolean) => void;
  #lost = false;
  #cause: unknown;
  marks = 0;

  constructor(client: Sender, preparing: Preparing, release: (lost: boolean) => void = () => {}) {
    this.#client = client;
    this.#preparing = preparing;
    this.#release = release;
  }

  query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    text: string | PostgresCursor<Row>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof text !== "string") throw new Error("Answers are not read through cursors");
    return inSpan(
      () => spanOf(text),
      () => this.#send<Row>({ text, values: [...values] }),
    ).then(
      (result) => {
        if (result.command !== "SELECT") this.marks++;
        return result;
      },
      (error: unknown) => {
        this.marks++;
        if (!isAftermath(error)) this.#preparing.observer?.faulted(errorClass(error));
        if (faultOf(error) === "lost") this.#lost = true;
        if (!isAftermath(error)) this.#cause = error;
        throw this.#cause ?? error;
      },
    );
  }

  #send<Row>(statement: Statement): Promise<PostgresQueryResult<Row>> {
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
export function nameOf(text: string): string | undefined {
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

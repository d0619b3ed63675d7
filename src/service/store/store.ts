import { letOthersIn } from "../kernel/slices.ts";
import { addSpan, boundToRequest, currentSpan, inSpan, type OpenSpan } from "../kernel/tracing.ts";
import type { Database } from "./tables.ts";

interface WriteOptions {
  /**
   * The organization whose records the write changes. On PostgreSQL, writes of different organizations run at the same
   * time. Absent: the write may change everything, and runs while no other write does.
   */
  readonly orgId?: string;
  /**
   * Names of everything that the write reads and that another write with keys may change. Writes without a common key may
   * run at the same time, in one transaction. A write without keys runs alone.
   */
  readonly keys?: readonly string[];
}

/** For single statements on records of no organization, such as leases. They wait for no other write. */
export const OF_NO_ORGANIZATION = { orgId: "" } as const;

/** Awaits only queries of the given `db` and `letOthersIn`, because all other writers wait. */
type Write<T> = (db: Database) => Promise<T>;

export interface Reading {
  /** For single queries. Queries that must agree with each other belong in `readTogether`. */
  readonly read: Database;
  /** Runs queries on one snapshot of the records. The service may run them again, so they only read. */
  readTogether<T>(queries: (db: Database) => Promise<T>): Promise<T>;
}

/** `own` has all writes that this instance has completed. */
export type CopyKind = "own" | "recent";

export interface Store extends Reading {
  readonly engine: "sqlite" | "postgresql";
  /** Whether other instances may serve the same records. */
  readonly isShared: boolean;
  /**
   * For the queries of one request, on a read-only copy. It may lack the latest writes of other instances, and with
   * `recent` those of the 10 seconds before the last write of this instance. If there is no such copy, queries fail.
   */
  copy?(kind: CopyKind): Reading;
  /** Reads much without a long snapshot. Absent where a long snapshot does no harm, or the connection is shared. */
  readAhead?<T>(reading: AheadReading<T>): Promise<T>;
  /**
   * Runs a write in a transaction and resolves when it is on the disk. If `work` throws, none of it is kept. It may be
   * rolled back and run again, so it must change nothing but records. Readers run between its slices, and writers wait.
   */
  write<T>(work: Write<T>, options?: WriteOptions): Promise<T>;
  /** @throws Error with the reason if every write would fail now */
  checkWritable(): Promise<void>;
  /** Time of the last commit, by `performance.now()`. Undefined before the first and after a failed one. */
  committedAt(): number | undefined;
  load(): StoreLoad;
  close(): Promise<void>;
}

export type PoolName = "read" | "write" | "copy";

/** Two steps on one connection, so if the server restarts, which may lose what was read, they fail. */
export interface AheadReading<T> {
  /** Each of its queries reads its own snapshot. */
  ahead(db: Database): Promise<void>;
  /** Its queries read one snapshot. @param changed yields the rows of a table that were written since `ahead` began */
  rest(db: Database, changed: ChangedRows): Promise<T>;
}

export type ChangedRows = (table: string) => AsyncIterable<StoredRow[]>;
export type StoredRow = Readonly<Record<string, string | number | null>>;

export interface StoreObserver {
  committed(batch: CommittedBatch): void;
  /** A batch could not be committed, and its callers received the error. */
  failed(): void;
  /** A batch runs again. The reason is one of few: `conflict` or `connection lost`. */
  retried(reason: string): void;
  /** A caller received a connection to the server, or an error, after this many seconds. */
  connected(connection: { pool: PoolName; seconds: number }): void;
  /** The server refused a statement, or the connection failed. There are few classes. */
  faulted(errorClass: string): void;
}

/** Times in seconds. */
export interface CommittedBatch {
  readonly writes: number;
  /** From the start of the batch to its commit. */
  readonly seconds: number;
  /** The wait for the lock that other instances or processes held, without the round trip. */
  readonly wait: number;
  /** The commit statement and the flush, with their round trips. */
  readonly flush: number;
  /** For each write, the time from its arrival to the start of the batch that committed it. */
  readonly queued: readonly number[];
  /** Absent with SQLite, which has no server. */
  readonly server?: ServerTraffic;
}

/** Measurements of a batch. Times of events are those of `performance.now()`. */
export interface MeasuredBatch extends Omit<CommittedBatch, "writes" | "queued"> {
  readonly committedAt: number;
  /** Time of the response to a commit that did not wait for the flush. */
  readonly flushingAt?: number | undefined;
}

interface ServerTraffic {
  readonly statements: number;
  /** Number of times that the batch waited for the server before it sent more. */
  readonly roundTrips: number;
  /** Time of one round trip: from sending `begin` to its response. */
  readonly roundTrip: number;
}

export interface StoreLoad {
  readonly waitingWrites: number;
  /** Connections to the server, if there is one: in use, idle, and callers that wait for one. */
  readonly connections?: { readonly busy: number; readonly idle: number; readonly wanted: number };
}

export const UNOBSERVED: StoreObserver = {
  committed() {},
  failed() {},
  retried() {},
  connected() {},
  faulted() {},
};

/** A write with keys changes what others may read, so it runs again, alone. */
export class Overlap extends Error {}

const overlapping = new WeakSet<Database>();

/** Marks a connection on which several writes run at the same time. */
export function markOverlapping(db: Database, isOverlapping: boolean): void {
  if (isOverlapping) overlapping.add(db);
  else overlapping.delete(db);
}

/** Call it before a write with keys creates a record that writes with other keys may read. @throws Overlap */
export function requireAlone(db: Database): void {
  if (overlapping.has(db)) throw new Overlap("This write runs again, alone");
}

/** Queued writes. */
export interface WriteQueue {
  write<T>(work: Write<T>, options?: WriteOptions): Promise<T>;
  /** Time of the last commit, by `performance.now()`. Undefined before the first and after a failed one. */
  committedAt(): number | undefined;
  waiting(): number;
  drained(): Promise<void>;
}

export interface WaitingWrite extends WriteOptions {
  /** Time of arrival, by `performance.now()`. */
  readonly arrivedAt: number;
  readonly span: OpenSpan | undefined;
  /** Does the work and returns a function that reports the result to its caller after the commit. */
  run: (db: Database) => Promise<() => void>;
  reject: (error: unknown) => void;
}

/** Reports a committed batch to the observer, and to the traces of its requests. */
export function noteCommit(
  observer: StoreObserver,
  batch: readonly WaitingWrite[],
  { committedAt, flushingAt = committedAt, ...measured }: MeasuredBatch,
): void {
  const startedAt = committedAt - 1000 * measured.seconds;
  const queued = batch.map(({ arrivedAt }) => (startedAt - arrivedAt) / 1000);
  observer.committed({ writes: batch.length, queued, ...measured });
  for (const { span, arrivedAt } of batch) {
    if (span !== undefined)
      addBatch(span, { arrivedAt, startedAt, flushingAt, committedAt, writes: batch.length }, measured);
  }
}

function addBatch(
  span: OpenSpan,
  {
    arrivedAt,
    startedAt,
    flushingAt,
    committedAt,
    writes,
  }: Record<"arrivedAt" | "startedAt" | "flushingAt" | "committedAt" | "writes", number>,
  { wait, flush, server }: Pick<CommittedBatch, "wait" | "flush" | "server">,
): void {
  const counts = server && {
    "evidence.statements": server.statements,
    "evidence.round_trips": server.roundTrips,
  };
  addSpan(span, { name: "write queue" }, { startedAt: arrivedAt, endedAt: startedAt });
  const batch = addSpan(
    span,
    { name: "write batch", attributes: { "evidence.writes": writes, ...counts } },
    { startedAt, endedAt: committedAt },
  );
  const lockedFrom = startedAt + 1000 * (server?.roundTrip ?? 0);
  addSpan(batch, { name: "write lock" }, { startedAt: lockedFrom, endedAt: lockedFrom + 1000 * wait });
  addSpan(batch, { name: "commit" }, { startedAt: committedAt - 1000 * flush, endedAt: flushingAt });
  if (flushingAt < committedAt)
    addSpan(batch, { name: "flush" }, { startedAt: flushingAt, endedAt: committedAt });
}

/** @param commitSome takes the first of the waiting writes and reports their results */
export function queueOf(
  commitSome: (waiting: WaitingWrite[]) => Promise<void>,
): Omit<WriteQueue, "committedAt"> & { takeWaiting(): WaitingWrite[] } {
  const waiting: WaitingWrite[] = [];
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    // Requests that the event loop has already read can join the batch.
    await letOthersIn();
    while (waiting.length > 0) {
      await commitSome(waiting);
      await letOthersIn();
    }
    working = undefined;
  }

  return {
    write<T>(write: Write<T>, options: WriteOptions = {}): Promise<T> {
      return inSpan(
        () => ({ name: "write" }),
        () => {
          const { promise, resolve, reject } = Promise.withResolvers<T>();
          const run = boundToRequest(async (db: Database) => {
            const result = await write(db);
            return () => resolve(result);
          });
          waiting.push({ ...options, arrivedAt: performance.now(), span: currentSpan(), run, reject });
          working ??= work();
          return promise;
        },
      );
    },
    waiting: () => waiting.length,
    takeWaiting: () => waiting.splice(0),
    drained: async () => {
      await working;
    },
  };
}

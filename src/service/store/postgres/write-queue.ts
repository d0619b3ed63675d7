import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { atMost } from "../../kernel/in-parallel.ts";
import {
  markOverlapping,
  noteCommit,
  Overlap,
  queueOf,
  type StoreObserver,
  type WaitingWrite,
  type WriteQueue,
} from "../store.ts";
import { CommitUnknown, isUnavailable } from "../unavailable.ts";
import { BatchTimes } from "./batch-times.ts";
import type { Preparing } from "./connections.ts";
import { errorClass, faultOf, isDiskFull } from "./faults.ts";
import { commitDurably, type Flusher } from "./flush.ts";
import { type LastWrite, noteWrite, positionColumns, positionFrom } from "./log-position.ts";
import { type Lanes, lanesOn } from "./multi-row.ts";
import { connectionOf } from "./pool.ts";

/** Enough for a cheap commit, few enough to run again cheaply. */
const MAX_BATCH = 32;
/** Time during which a batch is retried if none of it was committed. */
const RETRY_MS = 5_000;
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 500;
/** Number of failed writes within the window below that mark the disk as full. A small write may still succeed. */
const FULL_AFTER = 3;
const FULL_WITHIN_MS = 15_000;

/**
 * Settings of the transaction. The server ends the transaction of an instance that has stopped before another instance
 * stops waiting for it. Plans are cached, so a plan made for a small table must not scan it. JIT compilation takes longer
 * than the statements.
 */
const SETTINGS = `set local statement_timeout = '30s'; set local lock_timeout = '6s';
  set local idle_in_transaction_session_timeout = '3s'; set local enable_seqscan = off; set local jit = off`;

const BEGIN = `begin isolation level read committed; ${SETTINGS}`;

/** The commit does not wait for the disk, so that the next batch begins while the flush goes on. */
const BEGIN_UNFLUSHED = `${BEGIN}; set local synchronous_commit = off`;

/**
 * Waits for all writes of all instances, and holds up others. Work on many organizations takes it, and upgrades do. A
 * read-only transaction can lock a table, but no rows.
 */
export const LOCK_ALL = `lock table organizations in exclusive mode;
  select from organizations where false for no key update`;

/** Only one instance at a time writes records of an organization, so each sees the previous writes. */
const lockOf = (orgId: string | undefined) =>
  orgId === undefined
    ? LOCK_ALL
    : { text: "select id from organizations where id = $1 for no key update", values: [orgId] };

/**
 * Commits together the writes of an organization that arrived during its last commit. Those without a common key run at the same time, so
 * that a batch takes as many round trips as its longest write. A failed write undoes only itself: if it changed
 * something, the batch runs again with savepoints, write by write. A lock orders the writes of all instances, so that
 * sequence numbers of an organization follow the order of commits. It is released before the flush, and callers receive their results after
 * the flush. A batch runs again after a conflict or a lost connection until a commit was sent. A batch that the database
 * refuses is committed write by write. If the answer to a commit is lost, callers receive an error, and stored answers
 * decide what a repeat does.
 */
export function queueWrites(
  pool: pg.Pool,
  {
    preparing,
    flusher,
    beginMs,
    lastWrite,
    observer,
  }: {
    preparing: Preparing;
    flusher: Flusher;
    beginMs: number;
    /** Absent if nothing reads it. */
    lastWrite?: LastWrite | undefined;
    observer: StoreObserver;
  },
): WriteQueue & { requireSpace(): void } {
  let committedAt: number | undefined;
  /** Flushes of committed batches, after which their callers get their results. */
  const flushes = new Set<Promise<void>>();
  const foundFull: { at: number; error: unknown }[] = [];
  const connections = new WeakMap<pg.PoolClient, Lanes>();

  function lanesOf(client: pg.PoolClient): Lanes {
    const lanes = connections.get(client) ?? lanesOn(client, preparing);
    connections.set(client, lanes);
    return lanes;
  }

  const queues = new Map<string | undefined, ReturnType<typeof queueOf>>();
  const inTurn = atMost(pool.options.max);

  function queueFor(orgId: string | undefined) {
    const queue = queues.get(orgId) ?? openQueue(orgId);
    queues.set(orgId, queue);
    return queue;
  }

  function openQueue(orgId: string | undefined) {
    // Number of writes from a failed batch that are still waiting. Each is committed alone.
    let suspects = 0;

    async function commitSome(waiting: WaitingWrite[]): Promise<void> {
      const batch = waiting.splice(0, suspects > 0 ? 1 : MAX_BATCH);
      suspects = Math.max(0, suspects - 1);
      try {
        await commitInTime(batch, orgId);
      } catch (error) {
        committedAt = undefined;
        if (isUnavailable(error)) {
          // Otherwise each waiting batch would time out in turn with the same error.
          rejectAll([...batch, ...[...queues.values()].flatMap((queue) => queue.takeWaiting())], error);
          suspects = 0;
        } else if (batch.length === 1) {
          rejectAll(batch, error);
        } else {
          waiting.unshift(...batch);
          suspects = batch.length;
        }
      }
    }

    return queueOf((waiting) => inTurn(() => commitSome(waiting)));
  }

  function rejectAll(jobs: readonly WaitingWrite[], error: unknown): void {
    observer.failed();
    for (const job of jobs) reject(job, error);
  }

  function reject(job: WaitingWrite, error: unknown): void {
    if (isDiskFull(error)) {
      foundFull.push({ at: performance.now(), error });
      if (foundFull.length > FULL_AFTER) foundFull.shift();
    }
    job.reject(error);
  }

  async function commitInTime(batch: readonly WaitingWrite[], orgId: string | undefined): Promise<void> {
    const deadline = performance.now() + RETRY_MS;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      try {
        return await commit(batch, orgId);
      } catch (error) {
        if (error instanceof CommitUnknown || faultOf(error) === undefined) throw error;
        if (performance.now() + pause > deadline) throw error;
        observer.retried(faultOf(error) === "lost" ? "connection lost" : "conflict");
        await delay(pause * Math.random());
      }
    }
  }

  async function commit(batch: readonly WaitingWrite[], orgId: string | undefined): Promise<void> {
    const session = await flusher.session();
    const client = await connectionOf(pool, "write", observer);
    let fault: Error | undefined;
    const times = new BatchTimes(lanesOf(client).traffic);
    const finish = (answers: readonly Answer[]) => {
      committedAt = performance.now();
      noteCommit(observer, batch, times.measured(committedAt));
      for (const answer of answers) answer();
    };
    try {
      const beginning = { text: session ? BEGIN_UNFLUSHED : BEGIN, query_timeout: beginMs };
      const noted = { lastWrite: session ? undefined : lastWrite };
      const answers = await transact({
        client,
        writes: batch,
        beginning,
        lock: lockOf(orgId),
        times,
        ...noted,
      });
      if (session === undefined) return finish(answers);
      times.flushing();
      const flush = session
        .flush()
        .then(() => finish(answers))
        .catch((error: unknown) => {
          committedAt = undefined;
          rejectAll(batch, error);
        })
        .finally(() => flushes.delete(flush));
      flushes.add(flush);
    } catch (error) {
      fault = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      // A failed connection may be in any state, and a new one is cheap.
      client.release(fault);
    }
  }

  async function transact(batch: Batch): Promise<readonly Answer[]> {
    const { client, writes, times } = batch;
    const control = begin(batch, observer);
    const outcomes = await Promise.allSettled(
      inOrderOfKeys(writes, async (job, index): Promise<Answer> => {
        const { db, marks } = lanesOf(client).lane(index);
        const before = marks();
        markOverlapping(db, job.keys !== undefined && writes.length > 1);
        return job.run(db).catch((error: unknown) => {
          throwIfOver(control, error);
          if (error instanceof Overlap || marks() !== before) throw new Undone("The batch runs again");
          return () => reject(job, error);
        });
      }),
    );
    const errors = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    const over = errors.find((error) => !(error instanceof Undone));
    if (over !== undefined) throw over;
    if (errors.length > 0) {
      await client.query("rollback");
      return transactOneByOne(batch);
    }
    times.committing();
    await commitNow(batch, control);
    return outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  }

  async function transactOneByOne(batch: Batch): Promise<readonly Answer[]> {
    const { client, writes, times } = batch;
    const control = begin(batch, observer);
    const { db } = lanesOf(client).lane(0);
    markOverlapping(db, false);
    const answers: Answer[] = [];
    for (const job of writes) {
      control.send("savepoint one_write");
      try {
        answers.push(await job.run(db));
        control.send("release one_write");
      } catch (error) {
        throwIfOver(control, error);
        control.send("rollback to one_write; release one_write");
        answers.push(() => reject(job, error));
      }
    }
    times.committing();
    await commitNow(batch, control);
    return answers;
  }

  return {
    write: (work, options) => queueFor(options?.orgId).write(work, options),
    waiting: () => [...queues.values()].reduce((sum, queue) => sum + queue.waiting(), 0),
    async drained() {
      await Promise.all([...queues.values()].map((queue) => queue.drained()));
      await Promise.all(flushes);
    },
    committedAt: () => committedAt,
    requireSpace() {
      const [first] = foundFull;
      if (foundFull.length < FULL_AFTER || first === undefined) return;
      if (performance.now() - first.at < FULL_WITHIN_MS) throw first.error;
    },
  };
}

interface Batch {
  readonly client: pg.PoolClient;
  readonly writes: readonly WaitingWrite[];
  /** The types of `pg` declare the timeout for connections only. */
  readonly beginning: pg.QueryConfig & { readonly query_timeout: number };
  readonly lock: string | pg.QueryConfig;
  readonly times: BatchTimes;
  /** Receives the position of the commit. Undefined if a flush notes it. */
  readonly lastWrite: LastWrite | undefined;
}

/** Reports the result of a write to its caller. */
type Answer = () => void;

/** A write failed after a change, which cannot be undone alone without a savepoint. */
class Undone extends Error {}

/** Starts each write when the earlier ones with a common key have ended. A write without keys runs alone. */
function inOrderOfKeys<Result>(
  writes: readonly WaitingWrite[],
  run: (job: WaitingWrite, index: number) => Promise<Result>,
): readonly Promise<Result>[] {
  const runs: Promise<Result>[] = [];
  const lastOf = new Map<string, Promise<Result>>();
  let lastAlone: Promise<Result> | undefined;
  for (const [index, job] of writes.entries()) {
    const before =
      job.keys === undefined ? [...runs] : [lastAlone, ...job.keys.map((key) => lastOf.get(key))];
    const result = Promise.all(before).then(() => run(job, index));
    if (job.keys === undefined) lastAlone = result;
    for (const key of job.keys ?? []) lastOf.set(key, result);
    runs.push(result);
  }
  return runs;
}

/**
 * Sends the statements around the writes without waiting for their results. If one fails, the next statement fails too.
 */
interface Control {
  readonly fault: unknown;
  send(statement: string | pg.QueryConfig, answered?: () => void): void;
}

function begin({ client, beginning, lock, times }: Batch, observer: StoreObserver): Control {
  const control = {
    fault: undefined as unknown,
    send(statement: string | pg.QueryConfig, answered?: () => void) {
      times.sent();
      client.query(statement).then(answered, (error: unknown) => {
        if (control.fault === undefined) observer.faulted(errorClass(error));
        control.fault ??= error;
      });
    },
  };
  times.beginning();
  control.send(beginning, () => times.begun());
  control.send(lock, () => times.locked());
  return control;
}

/** @throws the error that ended the transaction, unless it can continue */
function throwIfOver({ fault }: Control, error: unknown): void {
  if (fault !== undefined) throw fault;
  const kind = faultOf(error);
  if (kind === "conflict" || kind === "lost") throw error;
}

const COMMIT_AT = `commit; select ${positionColumns("pg_current_wal_insert_lsn()", "clock_timestamp()")}`;

/** @throws CommitUnknown when it cannot be known whether the transaction was committed */
async function commitNow({ client, lastWrite }: Batch, control: { readonly fault: unknown }): Promise<void> {
  const [result, after] = await commitDurably(client, lastWrite && COMMIT_AT);
  // PostgreSQL's response to the commit of a transaction in which a statement failed.
  if (result?.command !== "COMMIT")
    throw control.fault ?? new Error("The database rolled back the transaction");
  if (lastWrite) noteWrite(lastWrite, positionFrom(after?.rows[0]));
}

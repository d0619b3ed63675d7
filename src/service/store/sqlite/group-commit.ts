import { setTimeout as delay } from "node:timers/promises";
import { noteCommit, queueOf, type StoreObserver, type WaitingWrite, type WriteQueue } from "../store.ts";
import type { Database } from "../tables.ts";
import { isLockTimeout } from "./node-sqlite.ts";
import type { SqliteConnection } from "./sqlite.ts";

/** Much shorter than the waits, and long enough to cost nothing. */
const LOCK_POLL_MS = 2;

/** Commits the writes that arrived during the last commit together, each in its own savepoint. */
export function groupCommit(
  { database, queries }: SqliteConnection,
  { observer, lockTimeout }: { observer: StoreObserver; lockTimeout: number },
): WriteQueue {
  // Waited for below, in turns, because SQLite's own wait would block the whole process.
  database.exec("PRAGMA busy_timeout = 0");
  let committedAt: number | undefined;

  async function commitAll(waiting: WaitingWrite[]): Promise<void> {
    const batch = waiting.splice(0);
    await queries
      .connection()
      .execute((db) => commit(batch, db))
      .catch((error: unknown) => {
        observer.failed();
        for (const job of batch) job.reject(error);
      });
  }

  async function commit(batch: readonly WaitingWrite[], db: Database): Promise<void> {
    const answers: (() => void)[] = [];
    const startedAt = performance.now();
    try {
      await begin();
      const lockedAt = performance.now();
      for (const job of batch) answers.push(await inSavepoint(job, db));
      const endedAt = performance.now();
      database.exec("COMMIT");
      committedAt = performance.now();
      noteCommit(observer, batch, {
        committedAt,
        seconds: (committedAt - startedAt) / 1000,
        wait: (lockedAt - startedAt) / 1000,
        flush: (committedAt - endedAt) / 1000,
      });
    } catch (error) {
      committedAt = undefined;
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
    for (const answer of answers) answer();
  }

  /** Another process may be writing. This one serves other requests while it waits. */
  async function begin(): Promise<void> {
    const giveUpAt = performance.now() + lockTimeout;
    for (;;) {
      try {
        return database.exec("BEGIN IMMEDIATE");
      } catch (error) {
        if (!isLockTimeout(error) || performance.now() > giveUpAt) throw error;
        await delay(LOCK_POLL_MS);
      }
    }
  }

  async function inSavepoint(job: WaitingWrite, db: Database): Promise<() => void> {
    database.exec("SAVEPOINT one_write");
    try {
      const answer = await job.run(db);
      database.exec("RELEASE one_write");
      return answer;
    } catch (error) {
      // A full disk makes SQLite roll back the whole transaction, so nothing of the batch can be kept.
      if (!database.isTransaction) throw error;
      database.exec("ROLLBACK TO one_write; RELEASE one_write");
      return () => job.reject(error);
    }
  }

  return { ...queueOf(commitAll), committedAt: () => committedAt };
}

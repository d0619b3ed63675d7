import { letOthersIn } from "../kernel/slices.ts";
import type { Database } from "./tables.ts";

/** Awaits only queries of the given `db` and `letOthersIn`, because all other writers wait. */
export type Write<T> = (db: Database) => Promise<T>;

export interface Store {
  readonly engine: "sqlite" | "postgresql";
  /** Whether other instances may serve the same records. */
  readonly isShared: boolean;
  /** For single queries. Several that must agree with each other belong in `readTogether`. */
  readonly read: Database;
  /** Runs queries that see one and the same moment. */
  readTogether<T>(queries: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Runs a write in a transaction and resolves when it is on the disk. When `work` throws, nothing
   * of it is kept. It may be undone and run again, so it must not do anything but to the records.
   * Readers run between its slices, and writers wait.
   */
  write<T>(work: Write<T>): Promise<T>;
  /** @throws Error for the reason for which any write would fail now */
  checkWritable(): Promise<void>;
  /** When the last commit was, on the clock of `performance`. Undefined before the first and after one that failed. */
  committedAt(): number | undefined;
  load(): StoreLoad;
  close(): Promise<void>;
}

export interface StoreObserver {
  /** A batch of writes was committed, within so many seconds of its begin. */
  committed(batch: { writes: number; seconds: number }): void;
  /** A batch could not be committed, and those who wait for it were told. */
  failed(): void;
  /** A batch is begun again, for a reason of which there are few: `conflict` or `connection lost`. */
  retried(reason: string): void;
}

export interface StoreLoad {
  readonly waitingWrites: number;
  /** The connections to its server, if it has one: those at work, those that wait for work, and who waits for one. */
  readonly connections?: { readonly busy: number; readonly idle: number; readonly wanted: number };
}

export const UNOBSERVED: StoreObserver = { committed() {}, failed() {}, retried() {} };

/** Writes that wait for each other. */
export interface WriteQueue {
  write<T>(work: Write<T>): Promise<T>;
  /** When the last commit was, on the clock of `performance`. Undefined before the first and after one that failed. */
  committedAt(): number | undefined;
  waiting(): number;
  drained(): Promise<void>;
}

export interface WaitingWrite {
  /** Does the work and returns how to tell its caller, once it is committed. */
  run: (db: Database) => Promise<() => void>;
  reject: (error: unknown) => void;
}

/** @param commitSome takes some of the waiting writes, the first ones, and tells how they ended */
export function queueOf(commitSome: (waiting: WaitingWrite[]) => Promise<void>) {
  const waiting: WaitingWrite[] = [];
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    // Every request that the event loop has already read gets a chance to join the batch.
    await letOthersIn();
    while (waiting.length > 0) {
      await commitSome(waiting);
      await letOthersIn();
    }
    working = undefined;
  }

  return {
    write<T>(write: Write<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const run = async (db: Database) => {
        const result = await write(db);
        return () => resolve(result);
      };
      waiting.push({ run, reject });
      working ??= work();
      return promise;
    },
    waiting: () => waiting.length,
    drained: async () => {
      await working;
    },
  };
}

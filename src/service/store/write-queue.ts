import type { Write } from "./store.ts";
import type { Database } from "./tables.ts";

/** Writes that wait for each other. */
export interface WriteQueue {
  write<T>(work: Write<T>): Promise<T>;
  /** When the last commit was, on the clock of `performance`. Undefined before the first and after one that failed. */
  committedAt(): number | undefined;
  /** How many writes wait for a batch. */
  waiting(): number;
  /** Resolves when nothing is left to commit. */
  drained(): Promise<void>;
}

/** A write that waits. */
export interface WaitingWrite {
  /** Does the work and returns how to tell its caller, once it is committed. */
  run: (db: Database) => Promise<() => void>;
  reject: (error: unknown) => void;
}

/** A write as its queue sees it, and what its caller waits for. */
export function waitingWrite<T>(write: Write<T>): { job: WaitingWrite; done: Promise<T> } {
  const { promise: done, resolve, reject } = Promise.withResolvers<T>();
  const run = async (db: Database) => {
    const result = await write(db);
    return () => resolve(result);
  };
  return { job: { run, reject }, done };
}

import type { StoreLoad } from "./observer.ts";
import type { Database } from "./tables.ts";

/**
 * One write: a function that uses nothing but the given `db`. It awaits its queries and, between the slices of a large
 * one, `letOthersIn`; it waits for nothing that takes longer, as all other writers wait for it.
 */
export type Write<T> = (db: Database) => Promise<T>;

/** Where the records are kept. */
export interface Store {
  readonly engine: "sqlite" | "postgresql";
  /** Whether other instances may serve the same records. */
  readonly isShared: boolean;
  /** For single queries. Several that must agree with each other belong in `readTogether`. */
  readonly read: Database;
  /** Runs queries that see one and the same moment. */
  readTogether<T>(queries: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Runs a write in a transaction and resolves when it is safe on the disk. When `work` throws, nothing of it is
   * kept. `work` awaits queries on its `db`, and between slices of a large one `letOthersIn`: then readers get their
   * turn, and see nothing of it yet. Everyone else's writes wait until all of it is done. It may be undone and done
   * again, so that it does nothing but to the records.
   */
  write<T>(work: Write<T>): Promise<T>;
  /**
   * Writes to the disk without changing a record.
   *
   * @throws Error for the reason for which any write would fail now
   */
  checkWritable(): Promise<void>;
  /** When the last commit was, on the clock of `performance`. Undefined before the first and after one that failed. */
  committedAt(): number | undefined;
  /** How busy it is just now. */
  load(): StoreLoad;
  /** Finishes the writes under way, then closes the files. */
  close(): Promise<void>;
}

/** Takes what a store does with its writes, for those who watch the service. */
export interface StoreObserver {
  /** A batch of writes was committed, within so many seconds of its begin. */
  committed(batch: { writes: number; seconds: number }): void;
  /** A batch could not be committed, and those who wait for it were told. */
  failed(): void;
  /** A batch is begun again, for a reason of which there are few: `conflict` or `connection lost`. */
  retried(reason: string): void;
}

/** How busy a store is at a moment. */
export interface StoreLoad {
  /** Writes that wait for those before them. */
  readonly waitingWrites: number;
  /** The connections to its server, if it has one: those at work, those that wait for work, and who waits for one. */
  readonly connections?: { readonly busy: number; readonly idle: number; readonly wanted: number };
}

export const UNOBSERVED: StoreObserver = { committed() {}, failed() {}, retried() {} };

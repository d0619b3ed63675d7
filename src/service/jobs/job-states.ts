import type { JobRun } from "../ops/jobs.ts";

/** How a job has fared since the service started. */
export interface JobState {
  readonly failing: boolean;
  /** When its last run ended, in Unix seconds. */
  readonly lastRunAt: number;
  /** Undefined while none has succeeded. */
  readonly lastSuccessAt: number | undefined;
}

/** Remembers how the last run of each job ended. */
export class JobStates {
  readonly #states = new Map<string, JobState>();
  readonly #now: () => number;

  /** @param now the time, in Unix seconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  note({ name, failed }: JobRun): void {
    const lastRunAt = this.#now();
    const lastSuccessAt = failed ? this.#states.get(name)?.lastSuccessAt : lastRunAt;
    this.#states.set(name, { failing: failed, lastRunAt, lastSuccessAt });
  }

  /** The jobs that have run, by name. */
  all(): ReadonlyMap<string, JobState> {
    return this.#states;
  }
}

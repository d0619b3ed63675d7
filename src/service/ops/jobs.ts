import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../kernel/log.ts";
import { now } from "../store/dialect.ts";
import { OF_NO_ORGANIZATION, type Store } from "../store/store.ts";
import type { Database } from "../store/tables.ts";

export interface Job {
  /** One word for logs and metrics: `prune`. */
  readonly name: string;
  /** The log message for a failure: `Old stored responses could not be removed`. */
  readonly failure: string;
  /** Does the pending work. A stopped run leaves the rest to the next one. @returns false if it failed, and logged why */
  run(stop: AbortSignal): Promise<unknown>;
  /** Time from the end of one run to the start of the next, in milliseconds. Absent: it runs once. */
  readonly everyMs?: number;
  mayRun?(): Promise<boolean>;
}

export interface JobRun {
  readonly name: string;
  readonly seconds: number;
  readonly failed: boolean;
}

interface JobWatch {
  readonly log: Log;
  readonly ran?: (run: JobRun) => void;
}

export function startJobs(jobs: readonly Job[], watch: JobWatch): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const running = jobs.map((job) => keepRunning(job, stopped.signal, watch));
  return {
    async stop() {
      stopped.abort();
      await Promise.all(running);
    },
  };
}

async function keepRunning(job: Job, stop: AbortSignal, { log, ran }: JobWatch): Promise<void> {
  const { name, failure, run, everyMs, mayRun } = job;
  do {
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1000;
    try {
      if (mayRun === undefined || ((await mayRun()) && !stop.aborted)) {
        const failed = (await run(stop)) === false;
        ran?.({ name, seconds: seconds(), failed });
      }
    } catch (error) {
      log({ level: "error", message: failure, error });
      ran?.({ name, seconds: seconds(), failed: true });
    }
    if (everyMs === undefined) return;
    // Ends early, and so does the loop, when the jobs are stopped.
    await delay(everyMs, undefined, { signal: stop, ref: false }).catch(() => undefined);
  } while (!stop.aborted);
}

export interface JobState {
  readonly failing: boolean;
  /** When its last run ended, in Unix seconds. */
  readonly lastRunAt: number;
  /** Undefined before the first success. */
  readonly lastSuccessAt: number | undefined;
}

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

  all(): ReadonlyMap<string, JobState> {
    return this.#states;
  }
}

/** Lease lifetime. Another instance then does the work of one that was killed. */
const LEASE_SECONDS = 12;
/** Renewal interval, which allows for one failed renewal. */
const RENEW_EVERY_SECONDS = 4;

interface Lease {
  name: string;
  holder: string;
}

/** @param everySeconds minimum time since the last run ended; 0 starts at once */
export async function takeLease(db: Database, { name, holder }: Lease, everySeconds = 0): Promise<boolean> {
  const taken = await db
    .insertInto("leases")
    .values({ name, holder, expires_at: now(LEASE_SECONDS), ended_at: null })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ holder, expires_at: now(LEASE_SECONDS) })
        .where(({ or, and, eb }) =>
          or([
            and([eb("leases.holder", "=", holder), eb("leases.expires_at", ">", now())]),
            and([
              eb("leases.expires_at", "<=", now()),
              or([eb("leases.ended_at", "is", null), eb("leases.ended_at", "<=", now(-everySeconds))]),
            ]),
          ]),
        ),
    )
    .returning("name")
    .execute();
  return taken.length > 0;
}

export async function endLease(
  db: Database,
  { name, holder }: Lease,
  { done }: { done: boolean },
): Promise<void> {
  await db
    .updateTable("leases")
    .set({ holder: "", expires_at: now(), ...(done ? { ended_at: now() } : {}) })
    .where("name", "=", name)
    .where("holder", "=", holder)
    .execute();
}

/** Runs a job on one instance at a time. If an instance is killed, another takes over within 15 s. */
export function leased(job: Job, { store, holder }: { store: Pick<Store, "write">; holder: string }): Job {
  const lease = { name: job.name, holder };
  const restSeconds = (job.everyMs ?? 0) / 1000;
  return {
    ...job,
    everyMs: RENEW_EVERY_SECONDS * 1000,
    mayRun: () => store.write((db) => takeLease(db, lease, restSeconds), OF_NO_ORGANIZATION),
    async run(stop) {
      const lost = new AbortController();
      const renew = async () => {
        const held = await store.write((db) => takeLease(db, lease), OF_NO_ORGANIZATION).catch(() => false);
        if (!held) lost.abort();
      };
      const renewing = setInterval(renew, RENEW_EVERY_SECONDS * 1000);
      let done = false;
      try {
        const result = await job.run(AbortSignal.any([stop, lost.signal]));
        done = !stop.aborted && !lost.signal.aborted;
        return result;
      } finally {
        clearInterval(renewing);
        await store.write((db) => endLease(db, lease, { done }), OF_NO_ORGANIZATION);
      }
    },
  };
}

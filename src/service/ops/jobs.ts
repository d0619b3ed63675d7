import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../kernel/log.ts";

/** Work in the background of a service, which no request waits for. */
export interface Job {
  /** In one word, for those who watch it: `prune`. */
  readonly name: string;
  /** What it is for, as the log says when it fails: `Old answers could not be removed`. */
  readonly failure: string;
  /** Does what there is to do; a run that is told to stop leaves the rest to the next one. */
  run(stop: AbortSignal): Promise<void>;
  /** From the end of one run to the next, in milliseconds. Absent: it runs once. */
  readonly everyMs?: number;
  /** Whether to run now; asked before each run. */
  mayRun?(): Promise<boolean>;
}

/** One run of a job. */
export interface JobRun {
  readonly name: string;
  readonly seconds: number;
  readonly failed: boolean;
}

interface JobWatch {
  /** Takes an entry for a run that fails, which is no reason to stop serving. */
  readonly log: Log;
  /** Takes each run when it has ended. */
  readonly ran?: (run: JobRun) => void;
}

/** Starts jobs, each beside whatever else goes on. */
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
        await run(stop);
        ran?.({ name, seconds: seconds(), failed: false });
      }
    } catch (error) {
      log({ level: "error", message: failure, error });
      ran?.({ name, seconds: seconds(), failed: true });
    }
    if (everyMs === undefined) return;
    // Ends early, and so the loop, when the jobs are stopped.
    await delay(everyMs, undefined, { signal: stop, ref: false }).catch(() => undefined);
  } while (!stop.aborted);
}

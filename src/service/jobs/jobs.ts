import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../kernel/log.ts";

/** Work in the background of a service, which no request waits for. */
export interface Job {
  /** What it is for, as the log says when it fails: `Old answers could not be removed`. */
  readonly failure: string;
  /** Does what there is to do; a run that is told to stop leaves the rest to the next one. */
  run(stop: AbortSignal): Promise<void>;
  /** From the end of one run to the next, in milliseconds. Absent: it runs once. */
  readonly everyMs?: number;
}

/**
 * Starts jobs, each beside whatever else goes on.
 *
 * @param log takes an entry for a run that fails, which is no reason to stop serving
 */
export function startJobs(jobs: readonly Job[], log: Log): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const running = jobs.map((job) => keepRunning(job, stopped.signal, log));
  return {
    async stop() {
      stopped.abort();
      await Promise.all(running);
    },
  };
}

async function keepRunning({ failure, run, everyMs }: Job, stop: AbortSignal, log: Log): Promise<void> {
  do {
    await run(stop).catch((error: unknown) => log({ level: "error", message: failure, error }));
    if (everyMs === undefined) return;
    // Ends early, and so the loop, when the jobs are stopped.
    await delay(everyMs, undefined, { signal: stop, ref: false }).catch(() => undefined);
  } while (!stop.aborted);
}

import type { Job } from "../ops/jobs.ts";
import type { Store } from "../store/store.ts";
import { endLease, RENEW_EVERY_SECONDS, takeLease } from "./leases.ts";

interface Leasing {
  store: Pick<Store, "write">;
  /** The instance that this is. */
  holder: string;
}

/**
 * A job that only one of the instances on the same records does at a time. Each asks every few seconds for the job's
 * lease, and gets it when the job is due and no other holds it. The lease of an instance that was killed runs out, so
 * that another one takes over within 15 s.
 */
export function leased(job: Job, { store, holder }: Leasing): Job {
  const lease = { name: job.name, holder };
  const restSeconds = (job.everyMs ?? 0) / 1000;
  return {
    ...job,
    everyMs: RENEW_EVERY_SECONDS * 1000,
    mayRun: () => store.write((db) => takeLease(db, lease, restSeconds)),
    async run(stop) {
      const lost = new AbortController();
      const renew = async () => {
        const held = await store.write((db) => takeLease(db, lease)).catch(() => false);
        if (!held) lost.abort();
      };
      const renewing = setInterval(renew, RENEW_EVERY_SECONDS * 1000);
      let done = false;
      try {
        await job.run(AbortSignal.any([stop, lost.signal]));
        done = !stop.aborted && !lost.signal.aborted;
      } finally {
        clearInterval(renewing);
        await store.write((db) => endLease(db, lease, { done }));
      }
    },
  };
}

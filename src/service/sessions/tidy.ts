import type { Job } from "../ops/jobs.ts";
import { removeOldSessions } from "../people/sessions.ts";
import type { Store } from "../store/store.ts";

const HOUR_MS = 60 * 60 * 1000;

/** Removes the sessions that are over, once an hour. */
export function tidySessions({ store, now }: { store: Pick<Store, "write">; now: () => number }): Job {
  return {
    name: "sessions",
    failure: "Sessions that are over could not be removed",
    run: () => store.write((db) => removeOldSessions(db, now())),
    everyMs: HOUR_MS,
  };
}

import type { Job } from "../jobs/jobs.ts";
import type { Store } from "../store/store.ts";
import { removeOldSessions } from "./sessions.ts";

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

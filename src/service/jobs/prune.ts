import { removeOldAnswers } from "../operation/old-answers.ts";
import type { Job } from "../ops/jobs.ts";
import type { Store } from "../store/store.ts";

const HOUR_MS = 60 * 60 * 1000;

/** Removes what was kept for a time only, once an hour. Nothing is read by then that is too old. */
export function prune(kept: { store: Store; now: () => number }): Job {
  return {
    name: "prune",
    failure: "Old answers could not be removed",
    run: (stop) => removeOldAnswers(kept, stop),
    everyMs: HOUR_MS,
  };
}

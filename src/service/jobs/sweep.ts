import type { Job } from "../ops/jobs.ts";
import type { Attachments } from "../store/blobs/attachments.ts";

/** Half of what a file stays marked, so that two databases on one place meet before either removes anything. */
const HALF_A_DAY_MS = 12 * 60 * 60 * 1000;

/** Removes files that no record names: what a run left that ended between keeping a file and recording it. */
export function sweep({ attachments }: { attachments: Attachments }): Job {
  return {
    name: "sweep",
    failure: "Files that no record names could not be removed",
    run: (stop) => attachments.sweep(stop),
    everyMs: HALF_A_DAY_MS,
  };
}

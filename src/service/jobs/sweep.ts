import type { Attachments } from "../store/blobs/attachments.ts";
import type { Job } from "./jobs.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Removes files that no record names, once a day: what a run left that ended between keeping a file and recording it. */
export function sweep({ attachments }: { attachments: Attachments }): Job {
  return {
    name: "sweep",
    failure: "Files that no record names could not be removed",
    run: (stop) => attachments.sweep(stop),
    everyMs: DAY_MS,
  };
}

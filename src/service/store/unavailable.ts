import { faultInWords, faultOf } from "./postgres/faults.ts";
import { isLockTimeout } from "./sqlite/node-sqlite.ts";

/** It is unknown whether a write was committed. The only way to find out is to repeat it. */
export class CommitUnknown extends Error {}

/** Whether the records are unavailable for now, through no fault of the caller or the request. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof CommitUnknown || isLockTimeout(error) || faultOf(error) !== undefined;
}

/** The reason why the records are unavailable, without private details; undefined for other errors, and with SQLite. */
export function whyUnavailable(error: unknown): string | undefined {
  return error instanceof CommitUnknown ? "the database did not confirm a commit" : faultInWords(error);
}

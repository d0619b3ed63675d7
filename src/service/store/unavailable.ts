import { faultInWords, faultOf } from "./postgres/faults.ts";
import { isLockTimeout } from "./sqlite/node-sqlite.ts";

/** It is not known whether a write was kept: only its repeat tells. */
export class CommitUnknown extends Error {}

/** Whether an error says that the records cannot be asked just now, and may be soon: no fault of who asked, or what. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof CommitUnknown || isLockTimeout(error) || faultOf(error) !== undefined;
}

/** Why the records cannot be asked, in words for everybody; undefined for another error, and for a file's. */
export function whyUnavailable(error: unknown): string | undefined {
  return error instanceof CommitUnknown ? "the database did not confirm a commit" : faultInWords(error);
}

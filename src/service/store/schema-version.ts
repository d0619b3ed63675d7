import { VERSION } from "../../api/version.ts";
import { currentSteps } from "./former-steps.ts";
import { migrations } from "./migrations.ts";
import { unfinishedCopy } from "./unfinished-copy.ts";

/** How the tables that were found compare with those that this version works on. */
export type SchemaVersion = "none" | "older" | "this";

/** The steps that made the tables that were found. */
export interface Applied {
  readonly steps: readonly string[];
  /** Those that no older version can work beside. */
  readonly breaking: readonly string[];
  /** They are a copy that did not come to its end. */
  readonly unfinished: boolean;
}

/**
 * Tables that a newer version made count as this version's, when it noted none of its steps as breaking.
 *
 * @param place where they are, as a message says it
 * @throws Error when this version can neither work on them nor bring them up to date
 */
export function compareSchema(
  { steps: applied, breaking, unfinished }: Applied,
  place: string,
): SchemaVersion {
  if (unfinished) throw unfinishedCopy(place);
  if (applied.length === 0) return "none";
  const steps = currentSteps(applied);
  if (steps === undefined) throw unfinishedRecords(place);
  const unknown = steps.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.some((name) => breaking.includes(name))) throw newerRecords(place);
  return pendingSteps(applied).length === 0 ? "this" : "older";
}

/** The steps that are missing. */
export function pendingSteps(applied: readonly string[]): string[] {
  return Object.keys(migrations).filter((name) => !applied.includes(name));
}

/** Why records of a version that was left halfway are not touched, and what to do. */
function unfinishedRecords(place: string): Error {
  return new Error(
    `The records in ${place} were written by an unfinished version, from before the first release, which ` +
      `this ${VERSION} cannot bring up to date: serve them once with the version of commit d8247ab, which can, and ` +
      "then with this one; or start with an empty folder",
  );
}

/** Why records of a newer version are not touched, and what to do. */
function newerRecords(place: string): Error {
  return new Error(
    `The records in ${place} were written by a newer version than this ${VERSION}: start that version, ` +
      "or restore the copy from before its upgrade",
  );
}

/** Why records of an older version are not touched by a command that is to leave them as they are. */
export function olderRecords(place: string): Error {
  return new Error(
    `The records in ${place} are of an older version than this ${VERSION}: run the version that serves ` +
      "them, or start this service on them first",
  );
}

/** Why a database without tables is not served where none are to be made, and what to do. */
export function noRecords(place: string): Error {
  return new Error(
    `The database ${place} holds no records: start a service on it first, as a user that may make tables and with ` +
      "--database-migrate auto",
  );
}

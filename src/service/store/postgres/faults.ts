import { hasCode } from "../../kernel/error-codes.ts";

// Source: https://www.postgresql.org/docs/current/errcodes-appendix.html

/** Another transaction interfered. The same transaction may succeed when it runs again. */
const CONFLICTS = new Set(["40001", "40P01"]);

/** Timeouts of locks and statements, too many connections, no disk space, no memory. */
const OVERLOADS = /^(?:55P03|57014|53...)$/;

/** Shut down, failed over, or read-only; the last: tables changed since the statement was prepared. */
const LOST = /^(?:08...|57P0[1-5]|25006|25P0[34]|0A000)$/;

/** Network errors before the server responds. */
const NETWORK = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND"],
  ...["EAI_AGAIN", "ECONNABORTED"],
]);

/** No connection could be made, whether because of the network, a certificate, a password or a name. */
export class Unreachable extends Error {}

/** No copy of the records can be used now. */
export class NoCopy extends Error {}

/** A prepared statement was missing, or another client had prepared it: a pooler shares connections by transaction. */
export class PreparedLost extends Error {}

const PREPARED_LOST = /^(?:26000|42P05)$/;

export function isPreparedLost(error: unknown): boolean {
  return error instanceof Error && "code" in error && PREPARED_LOST.test(String(error.code));
}

export type Fault = "conflict" | "overload" | "lost";

/** Classifies an error. Undefined for a fault of the statement, such as a violated constraint. */
export function faultOf(error: unknown): Fault | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof Unreachable || error instanceof NoCopy) return "lost";
  if (error instanceof PreparedLost) return "conflict";
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  if (code === undefined) return LOST_WITHOUT_CODE.test(error.message) ? "lost" : undefined;
  if (CONFLICTS.has(code)) return "conflict";
  if (OVERLOADS.test(code)) return "overload";
  return LOST.test(code) || NETWORK.has(code) ? "lost" : undefined;
}

/** Messages of `pg` for a lost connection, which have no code. */
const LOST_WITHOUT_CODE =
  /^(?:Connection terminated|Client has encountered a connection error|Query read timeout|Client was closed|The client is closed)/;

/** Own names of errors that operators treat differently. */
const NAMED: Readonly<Record<string, string>> = {
  "25006": "read_only",
  "53100": "disk_full",
  "53300": "too_many_connections",
  "55P03": "lock_timeout",
  "57014": "statement_timeout",
};

/** The classes with names. There are others for the rest of the codes. */
export const ERROR_CLASSES = [...Object.values(NAMED), "conflict", "connection_lost", "unreachable"] as const;

/**
 * Class of an error for metrics: an own name, or `sqlstate_` with the first two characters of the code.
 *
 * @param fallback for errors without a code of the server
 */
export function errorClass(error: unknown, fallback = "other"): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const fault = faultOf(error);
  if (code in NAMED) return NAMED[code] ?? fallback;
  if (fault === "conflict") return "conflict";
  if (fault === "lost" && fallback === "other") return "connection_lost";
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? `sqlstate_${code.slice(0, 2)}` : fallback;
}

const READ_ONLY = "25006";
const DISK_FULL = "53100";

/** Whether a statement failed only because an earlier one in its transaction did. */
export function isAftermath(error: unknown): boolean {
  return hasCode(error, "25P02");
}

export function isDiskFull(error: unknown): boolean {
  return hasCode(error, DISK_FULL);
}

/** Describes a fault without addresses and without parts of a statement. */
export function faultInWords(error: unknown): string | undefined {
  const fault = faultOf(error);
  if (fault === undefined) return undefined;
  if (error instanceof NoCopy) return "no copy can be reached, or all are behind";
  if (hasCode(error, READ_ONLY)) return "the database takes no changes";
  if (isDiskFull(error)) return "the database has no space left";
  return fault === "lost" ? "the database cannot be reached" : "the database is busy";
}

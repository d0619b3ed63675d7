import { hasCode } from "../../kernel/error-codes.ts";

// Source: https://www.postgresql.org/docs/current/errcodes-appendix.html

/** Another transaction came between; the same may well succeed when it is done again. */
const CONFLICTS = new Set(["40001", "40P01"]);

/** Locks and statements that took longer than is allowed, too many connections, no space, no memory. */
const OVERLOADS = /^(?:55P03|57014|53...)$/;

/** Shut down, failed over, or read-only; the last: tables changed since the statement was prepared. */
const LOST = /^(?:08...|57P0[1-5]|25006|25P0[34]|0A000)$/;

/** What the way to the server breaks with, before a server has said anything. */
const NETWORK = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND"],
  ...["EAI_AGAIN", "ECONNABORTED"],
]);

/** No connection can be had, for whatever reason: of a network, a certificate, a password or a name. */
export class Unreachable extends Error {}

export type Fault = "conflict" | "overload" | "lost";

/** Which fault an error is. Undefined for one of the statement itself, such as a constraint that it breaks. */
export function faultOf(error: unknown): Fault | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof Unreachable) return "lost";
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  if (code === undefined) return LOST_WITHOUT_CODE.test(error.message) ? "lost" : undefined;
  if (CONFLICTS.has(code)) return "conflict";
  if (OVERLOADS.test(code)) return "overload";
  return LOST.test(code) || NETWORK.has(code) ? "lost" : undefined;
}

/** What `pg` says of a connection that is gone has no code. */
const LOST_WITHOUT_CODE =
  /^(?:Connection terminated|Client has encountered a connection error|Query read timeout|Client was closed|The client is closed)/;

const READ_ONLY = "25006";
const DISK_FULL = "53100";

/** Whether a statement failed only because one before it in its transaction did. */
export function isAftermath(error: unknown): boolean {
  return hasCode(error, "25P02");
}

export function isDiskFull(error: unknown): boolean {
  return hasCode(error, DISK_FULL);
}

/** A fault in words for everybody: they name no address, and no part of a statement. */
export function faultInWords(error: unknown): string | undefined {
  const fault = faultOf(error);
  if (fault === undefined) return undefined;
  if (hasCode(error, READ_ONLY)) return "the database takes no changes";
  if (isDiskFull(error)) return "the database has no space left";
  return fault === "lost" ? "the database cannot be reached" : "the database is busy";
}

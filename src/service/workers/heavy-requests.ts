import type { IncomingMessage } from "node:http";
import type { OperationName } from "../../api/operations.ts";

/** Answers that may hold tens of thousands of records, each of which is made here. */
const LARGE_ANSWERS: ReadonlySet<OperationName> = new Set([
  "getSnapshot",
  "diffSnapshots",
  "getTrailAuditPackage",
  "getArtifactAuditPackage",
]);

/** A body of JSON that takes some milliseconds to read, and its records some hundred to write. */
const LARGE_BODY_BYTES = 256 * 1024;

/**
 * Whether a request may take so long that others would notice. Files are not looked at here: they are read and written
 * in the background.
 */
export function isHeavy(name: OperationName, { headers, method }: IncomingMessage): boolean {
  if (LARGE_ANSWERS.has(name)) return true;
  if (method === "GET" || !headers["content-type"]?.includes("json")) return false;
  const length = headers["content-length"];
  // A body that does not say how long it is may be long.
  return length === undefined || Number(length) >= LARGE_BODY_BYTES;
}

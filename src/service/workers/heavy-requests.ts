import type { IncomingMessage } from "node:http";
import type { OperationName } from "../../api/operations.ts";
import { MAX_TRAILS } from "../../api/resources/trails.ts";

/** Answers that may hold tens of thousands of records, each of which is made here. */
const LARGE_ANSWERS: ReadonlySet<OperationName> = new Set([
  "getEnvironmentAuditLog",
  "getSnapshot",
  "diffSnapshots",
  "getTrailAuditPackage",
  "getArtifactAuditPackage",
]);

/** A list of more items takes some milliseconds. */
const MANY_ITEMS = 100;

/** A body of JSON that takes some milliseconds to read, and its records some hundred to write. */
const LARGE_BODY_BYTES = 256 * 1024;

/**
 * Whether a request may take so long that others would notice. Files are not looked at here: they are read and written
 * in the background.
 */
export function isHeavy(name: OperationName, { headers, method, url }: IncomingMessage): boolean {
  if (LARGE_ANSWERS.has(name) || itemsAsked(name, url) > MANY_ITEMS) return true;
  if (method === "GET" || !headers["content-type"]?.includes("json")) return false;
  const length = headers["content-length"];
  // A body that does not say how long it is may be long.
  return length === undefined || Number(length) >= LARGE_BODY_BYTES;
}

/** How many items a list may have at most; 0 if the request does not say. */
function itemsAsked(name: OperationName, url = ""): number {
  const perPage = URL.parse(url, "http://service")?.searchParams.get("per_page");
  if (perPage !== undefined && perPage !== null) return Number(perPage);
  return name === "listFlowTrails" ? MAX_TRAILS : 0;
}

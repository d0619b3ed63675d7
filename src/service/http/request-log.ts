import type { Caller } from "../kernel/caller.ts";

/** What is written down of one request. */
export interface RequestSummary {
  method: string;
  path: string;
  status: number;
  milliseconds: number;
  requestId: string;
  /** The address it came from. */
  from?: string | undefined;
  /** Whose key it was sent with. Of the key only its id is written down. */
  caller?: Pick<Caller, "accountName" | "keyId"> | undefined;
  /** What went wrong inside the service, for a status of 500 or more. */
  error?: unknown;
}

/** A request as one line of a log. Text from outside cannot start a line of its own or move the cursor. */
export function logLine(request: RequestSummary): string {
  const { method, path, status, milliseconds, requestId, from, caller, error } = request;
  const parts = [
    `${method} ${path} ${status} ${milliseconds.toFixed(1)} ms ${requestId}`,
    from !== undefined && `from=${from}`,
    caller && `account=${caller.accountName} key=${caller.keyId}`,
    error !== undefined && describe(error),
  ];
  return printable(parts.filter(Boolean).join(" "));
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `; caused by ${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (c) =>
    c === "\n" ? " | " : `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

import type { Log, LoggedEvent, RequestSummary } from "../kernel/log.ts";

/** Writes each entry as one line. Text from outside cannot start a line or move the cursor. */
export function textLog(write: (line: string) => void): Log {
  return (entry) => {
    const text = "request" in entry ? requestText(entry.request) : eventText(entry);
    write(escapeBeyondAscii(text.replaceAll("\n", " | ")));
  };
}

function requestText(request: RequestSummary): string {
  const { method, path, status, milliseconds, requestId, clientRequestId, from, caller, error } = request;
  const parts = [
    `${method} ${path} ${status} ${milliseconds.toFixed(1)} ms ${requestId}`,
    clientRequestId !== undefined && `client-request=${clientRequestId}`,
    from !== undefined && `from=${from}`,
    caller && `account=${caller.accountName} key=${caller.keyId}`,
    error !== undefined && describeError(error),
  ];
  return parts.filter(Boolean).join(" ");
}

function eventText({ level, message, error }: LoggedEvent): string {
  const text = level === "warn" ? `warning: ${message}` : message;
  return error === undefined ? text : `${text}: ${JSON.stringify(errorText(error))}`;
}

/** Describes an error and its causes, each with its position in the code. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `; caused by ${describeError(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

/** Describes an error and its causes without positions. */
function errorText(error: unknown): string {
  const hasCause = error instanceof Error && error.cause !== undefined;
  return hasCause ? `${error}; caused by ${errorText(error.cause)}` : String(error);
}

/** Escapes everything but printable ASCII, so that nothing ends a line or moves a cursor. */
export function escapeBeyondAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

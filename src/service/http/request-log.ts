/** What is written down of one request. */
export interface RequestSummary {
  method: string;
  path: string;
  status: number;
  milliseconds: number;
  requestId: string;
  /** What went wrong inside the service, for a status of 500 or more. */
  error?: unknown;
}

/** A request as one line of a log. Text from outside cannot start a line of its own or move the cursor. */
export function logLine({ method, path, status, milliseconds, requestId, error }: RequestSummary): string {
  const line = `${method} ${path} ${status} ${milliseconds.toFixed(1)} ms ${requestId}`;
  return printable(error === undefined ? line : `${line} ${describe(error)}`);
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

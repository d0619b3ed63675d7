import type { Log, LoggedEvent, RequestSummary } from "../kernel/log.ts";
import { describeError, errorText } from "../logging/describe-error.ts";
import { escapeBeyondAscii } from "../logging/escape-beyond-ascii.ts";

/**
 * A log for people: each entry is one line of text. Text from outside cannot start a line of its own or move the
 * cursor.
 *
 * @param write takes a line without its end; what it begins with, such as the time, is up to whoever writes it
 */
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

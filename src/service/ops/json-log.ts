import { pino, stdTimeFunctions } from "pino";
import type { Log, RequestSummary } from "../kernel/log.ts";
import { describeError, escapeBeyondAscii } from "./text-log.ts";

/** Writes each entry as one line of JSON with `time` and `level`, before the call returns. */
export function jsonLog(write: (line: string) => void): Log {
  const options = {
    // The process and the machine are known to whoever collects the lines.
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    messageKey: "message",
    formatters: { level: (level: string) => ({ level }) },
  };
  // What JSON escapes by itself leaves characters of which some end a line elsewhere, or move a cursor.
  const logger = pino(options, { write: (line) => write(escapeBeyondAscii(line.trimEnd())) });
  return (entry) => {
    if ("request" in entry) {
      const level = entry.request.status >= 500 ? "error" : "info";
      logger[level](requestFields(entry.request));
    } else {
      const { level, message, error } = entry;
      logger[level](error === undefined ? {} : errorFields(error), message);
    }
  };
}

function requestFields({ error, from, caller, requestId, ...request }: RequestSummary) {
  return {
    request_id: requestId,
    client_request_id: request.clientRequestId,
    address: from,
    account: caller?.accountName,
    key_id: caller?.keyId,
    operation: request.operation,
    method: request.method,
    path: request.path,
    status: request.status,
    limit: request.limit,
    milliseconds: Math.round(request.milliseconds * 10) / 10,
    ...(error === undefined ? {} : errorFields(error)),
  };
}

/** Of an error only what its author wrote for people: its other properties may hold anything, secrets too. */
function errorFields(error: unknown) {
  const { name, message } = error instanceof Error ? error : { name: typeof error, message: String(error) };
  return { error: { name, message, stack: describeError(error) } };
}

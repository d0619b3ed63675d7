import { pino, stdTimeFunctions } from "pino";
import type { Log, RequestSummary } from "../kernel/log.ts";
import { describeError, escapeBeyondAscii } from "./text-log.ts";

/** Writes each entry as one line of JSON with `time` and `level`, before the call returns. */
export function jsonLog(write: (line: string) => void): Log {
  const options = {
    // The log collector knows the process and the machine.
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    messageKey: "message",
    formatters: { level: (level: string) => ({ level }) },
  };
  // JSON leaves some characters unescaped that elsewhere end a line or move a cursor.
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

/** Only the name, message, stack and causes of an error. Its other properties may contain anything, including secrets. */
function errorFields(error: unknown) {
  const { name, message } = error instanceof Error ? error : { name: typeof error, message: String(error) };
  return { error: { name, message, stack: describeError(error) } };
}

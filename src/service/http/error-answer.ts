import { HttpError } from "../kernel/errors.ts";
import { isLockTimeout } from "../store/sqlite/lock-timeout.ts";

/** An answer on its way out. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** JSON text, unless the headers give another `content-type`. */
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/**
 * The answer for an error that a request ended with. Only an `HttpError` speaks to the caller; of anything else
 * it learns no more than that the service failed.
 */
export function errorAnswer(error: unknown, requestId: string): Answer {
  const { status, message, errors, headers, detail } = asHttpError(error, requestId);
  return { status, headers: { ...headers }, body: JSON.stringify({ message, errors, detail }) };
}

function asHttpError(error: unknown, requestId: string): HttpError {
  if (error instanceof HttpError) return error;
  if (isLockTimeout(error)) {
    return new HttpError(503, "The records are locked by another process: try again", {
      headers: { "retry-after": "1" },
    });
  }
  return new HttpError(500, `The service failed; its log says why under request id ${requestId}`);
}

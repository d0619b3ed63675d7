import { Busy, Invalid, Refusal, type RefusalKind, Unprocessable } from "../kernel/errors.ts";
import { isUnavailable } from "../store/unavailable.ts";
import { HttpError } from "./http-error.ts";

/** An answer on its way out. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** JSON text, unless the headers give another `content-type`. */
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

const STATUSES: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  unproven: 401,
  forbidden: 403,
  "not found": 404,
  conflict: 409,
  "too large": 413,
  unprocessable: 422,
  damaged: 500,
  busy: 503,
};

/**
 * The answer for an error that a request ended with. Only a refusal speaks to the caller; of anything else it learns no
 * more than that the service failed.
 */
export function errorAnswer(error: unknown, requestId: string): Answer {
  if (error instanceof HttpError) return answerOf(error.status, error, error.headers);
  if (error instanceof Refusal) return answerOf(STATUSES[error.kind], error, headersOf(error));
  if (isUnavailable(error)) {
    return errorAnswer(new Busy("The records cannot be read or written just now: try again", 1), requestId);
  }
  const message = `The service failed; its log says why under request id ${requestId}`;
  return answerOf(500, { message });
}

function answerOf(status: number, error: { message: string }, headers = {}): Answer {
  const errors = error instanceof Invalid ? error.errors : undefined;
  const detail = error instanceof Unprocessable ? error.detail : undefined;
  return {
    status,
    headers: { ...headers },
    body: JSON.stringify({ message: error.message, errors, detail }),
  };
}

function headersOf(refusal: Refusal): Record<string, string> {
  return refusal instanceof Busy ? { "retry-after": String(refusal.retryAfterSeconds) } : {};
}

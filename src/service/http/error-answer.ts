import type { ErrorCode } from "../../api/error-codes.ts";
import { Busy, Invalid, Refusal, Unprocessable } from "../kernel/errors.ts";
import { isUnavailable } from "../store/unavailable.ts";

export class HttpError extends Refusal {
  readonly status: number;

  constructor(status: number, code: ErrorCode, message: string, headers?: Readonly<Record<string, string>>) {
    super(code, message, headers);
    this.status = status;
  }
}

/** A system error, such as a full disk: the fault of the service, not of the client. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** JSON text, unless the headers give another `content-type`. */
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** The response for a failed request. Only a refusal reveals its cause. */
export function errorAnswer(error: unknown, requestId: string): Answer {
  if (error instanceof Refusal) {
    const { status, headers, code, message } = error;
    const errors = error instanceof Invalid ? error.errors : undefined;
    const detail = error instanceof Unprocessable ? error.detail : undefined;
    return { status, headers: { ...headers }, body: errorBody({ message, code, errors, detail }) };
  }
  if (isUnavailable(error)) {
    const message = "The records cannot be read or written right now: try again";
    return errorAnswer(new Busy("service.records_unavailable", message, 1), requestId);
  }
  const message = `The service failed; its log says why under request id ${requestId}`;
  return { status: 500, headers: {}, body: errorBody({ message, code: "service.failed" }) };
}

export function errorBody(content: { message: string; code: ErrorCode } & Record<string, unknown>): string {
  return JSON.stringify(content);
}

export function headersOf({ headers }: Pick<Answer, "headers">, requestId: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...headers,
    "x-request-id": requestId,
  };
}

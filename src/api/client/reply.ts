import type { Headers } from "../../net/headers.ts";

/** Options of one call. */
export interface CallOptions {
  /**
   * Idempotency key: submissions with the same key are recorded once, even if another process sends them. A new one for
   * each call by default; the retries of a call share it.
   */
  readonly idempotencyKey?: string;
  /** The run that made the submission, if another run sends it later. */
  readonly spooledBy?: string;
}

/** A successful response. */
export interface Reply<Body> {
  /** HTTP status: 200 or 201. For some operations, 201 means that a record was created. */
  readonly status: number;
  /** Body of the response. */
  readonly body: Body;
  /** Headers of the response, such as the page counts of a list. */
  readonly headers: Headers;
  /** ID of the request in the service's log. */
  readonly requestId: string;
  /** Warnings about a successful call. */
  readonly warnings: readonly string[];
}

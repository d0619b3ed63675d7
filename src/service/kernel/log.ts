import type { Caller } from "./caller.ts";

/** What is written down of one request. */
export interface RequestSummary {
  method: string;
  path: string;
  status: number;
  milliseconds: number;
  /** The service's own id of the request. */
  requestId: string;
  /** The id that the caller sent. */
  clientRequestId?: string | undefined;
  /** The operation it was routed to, if it was. */
  operation?: string | undefined;
  /** The address it came from. */
  from?: string | undefined;
  /** Whose key it was sent with. Of the key only its id is written down. */
  caller?: Pick<Caller, "accountName" | "keyId"> | undefined;
  /** The limit that it met, if it did: `key_rate`. */
  limit?: string | undefined;
  /** Told a second time, since its answer could not be sent to the end. */
  brokeOff?: true;
  /** What went wrong inside the service, for a status of 500 or more. */
  error?: unknown;
}

/** What happened apart from requests. */
export interface LoggedEvent {
  level: "info" | "warn" | "error";
  /** A sentence of the service's own. */
  message: string;
  error?: unknown;
}

type LogEntry = LoggedEvent | { request: RequestSummary };

/** Takes what is worth writing down, one entry at a time. How it is written is for whoever starts the service. */
export type Log = (entry: LogEntry) => void;

import type { Caller } from "./caller.ts";

export interface RequestSummary {
  method: string;
  path: string;
  status: number;
  milliseconds: number;
  requestId: string;
  clientRequestId?: string | undefined;
  operation?: string | undefined;
  from?: string | undefined;
  /** Whose key it was sent with. Of the key only its id is written down. */
  caller?: Pick<Caller, "accountName" | "keyId"> | undefined;
  /** The limit that it met, if it did: `key_rate`. */
  limit?: string | undefined;
  brokeOff?: true;
  /** What went wrong inside the service, for a status of 500 or more. */
  error?: unknown;
}

export interface LoggedEvent {
  level: "info" | "warn" | "error";
  message: string;
  error?: unknown;
}

type LogEntry = LoggedEvent | { request: RequestSummary };

/** Takes what is worth writing down, one entry at a time. How it is written is for whoever starts the service. */
export type Log = (entry: LogEntry) => void;

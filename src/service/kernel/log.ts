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
  /** The account and key of the request. Only the key's id is logged. */
  caller?: Pick<Caller, "accountName" | "keyId"> | undefined;
  /** The limit that the request exceeded, if any: `key_rate`. */
  limit?: string | undefined;
  brokeOff?: true;
  /** The failure of the service, for a status of 500 or more. */
  error?: unknown;
}

export interface LoggedEvent {
  level: "info" | "warn" | "error";
  message: string;
  error?: unknown;
}

type LogEntry = LoggedEvent | { request: RequestSummary };

/** Receives one log entry at a time. The starter of the service decides how it is written. */
export type Log = (entry: LogEntry) => void;

import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

const ACCEPTED = /^[\x21-\x7e]{1,128}$/;

const known = new WeakMap<IncomingMessage, string>();

/** The id that the service gives a request. A caller cannot choose it. */
export function requestIdOf(request: IncomingMessage): string {
  const id = known.get(request) ?? newRequestId();
  known.set(request, id);
  return id;
}

/** Gives a request the id that it has in another thread. */
export function setRequestId(request: IncomingMessage, id: string): void {
  known.set(request, id);
}

/** The caller's own id of a request, if it sent a usable one. */
export function clientRequestIdOf({ headers }: IncomingMessage): string | undefined {
  const sent = headers["x-request-id"];
  return typeof sent === "string" && ACCEPTED.test(sent) ? sent : undefined;
}

/** The id in the response: the caller's own, or the service's. */
export function shownRequestIdOf(request: IncomingMessage): string {
  return clientRequestIdOf(request) ?? requestIdOf(request);
}

export function newRequestId(): string {
  return randomUUID();
}

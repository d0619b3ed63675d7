import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

const ACCEPTED = /^[\x21-\x7e]{1,128}$/;

const known = new WeakMap<IncomingMessage, string>();

/** The id of a request: its sender's own when there is a usable one, else a new one that it keeps. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers["x-request-id"];
  if (typeof sent === "string" && ACCEPTED.test(sent)) return sent;
  const id = known.get(request) ?? newRequestId();
  known.set(request, id);
  return id;
}

export function newRequestId(): string {
  return randomUUID();
}

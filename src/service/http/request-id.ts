import { randomUUID } from "node:crypto";

const ACCEPTED = /^[\x21-\x7e]{1,128}$/;

/** The caller's own request id when it sent a usable one, else a new one. */
export function requestIdOf(header: string | undefined): string {
  return header !== undefined && ACCEPTED.test(header) ? header : randomUUID();
}

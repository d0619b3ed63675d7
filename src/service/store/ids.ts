import { randomBytes } from "node:crypto";

/** A new random id in the interface's own form: lower-case hex, 8-4-4-4-8. */
export function newId(): string {
  return randomBytes(14)
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{8})$/, "$1-$2-$3-$4-$5");
}

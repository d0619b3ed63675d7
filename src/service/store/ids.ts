import { hash, randomUUID } from "node:crypto";

/** Creates a random id in the interface's form: lowercase hex, 8-4-4-4-8, the beginning of a UUID. */
export function newId(): string {
  return randomUUID().slice(0, -4);
}

/** Creates an id that begins with its time (Unix seconds), so that many rows touch few index pages. */
export function newIdOf(now: number): string {
  // Node caches random bytes for UUIDs, while `randomBytes` costs a call each time. These parts of one are random.
  const random = randomUUID();
  return `${idBefore(now)}-${random.slice(9, 13)}-${random.slice(24, 28)}-${random.slice(0, 8)}`;
}

/** A text before all ids that `newIdOf` gives at this time or later, and after those of earlier milliseconds. */
export function idBefore(time: number): string {
  const start = Math.floor(time * 1000)
    .toString(16)
    .padStart(12, "0");
  return `${start.slice(0, 8)}-${start.slice(8)}`;
}

/** Creates an id from content, so that equal content has an equal id. */
export function contentId(content: readonly (string | null)[]): string {
  const digest = hash("sha256", JSON.stringify(content));
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{8}).*$/, "$1-$2-$3-$4-$5");
}

export function idsOf<Id>(rows: readonly { readonly id: Id }[]): Id[] {
  return rows.map(({ id }) => id);
}

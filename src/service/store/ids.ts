import { hash, randomUUID } from "node:crypto";

/** Creates a random id in the interface's form: lowercase hex, 8-4-4-4-8, the beginning of a UUID. */
export function newId(): string {
  return randomUUID().slice(0, -4);
}

/** Creates an id that begins with its time (Unix seconds), so that many rows touch few index pages. */
export function newIdOf(now: number): string {
  const time = timeOf(now);
  // Node caches random bytes for UUIDs, while `randomBytes` costs a call each time. These three groups are random.
  const [eight = "", four = "", , , twelve = ""] = randomUUID().split("-");
  return [time.slice(0, 8), time.slice(8), four, twelve.slice(0, 4), eight].join("-");
}

/** A text before all ids that `newIdOf` gives at this time or later, and after those of earlier milliseconds. */
export function idBefore(time: number): string {
  const start = timeOf(time);
  return `${start.slice(0, 8)}-${start.slice(8)}`;
}

/** Milliseconds in hex. */
function timeOf(seconds: number): string {
  return Math.floor(seconds * 1000)
    .toString(16)
    .padStart(12, "0");
}

/** Creates an id from content, so that equal content has an equal id. */
export function contentId(content: readonly (string | null)[]): string {
  const digest = hash("sha256", JSON.stringify(content));
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{8}).*$/, "$1-$2-$3-$4-$5");
}

export function idsOf<Id>(rows: readonly { readonly id: Id }[]): Id[] {
  return rows.map(({ id }) => id);
}

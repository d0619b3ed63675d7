import { hash, randomUUID } from "node:crypto";

/** A new random id in the interface's own form: lower-case hex, 8-4-4-4-8, which a UUID begins with. */
export function newId(): string {
  return randomUUID().slice(0, -4);
}

/** A new id that begins with its time (Unix seconds), so that many rows touch few index pages. */
export function newIdOf(now: number): string {
  const time = Math.floor(now * 1000)
    .toString(16)
    .padStart(12, "0");
  // A UUID keeps randomness in store, where random bytes cost a call each time. These three groups are random.
  const [eight = "", four = "", , , twelve = ""] = randomUUID().split("-");
  return [time.slice(0, 8), time.slice(8), four, twelve.slice(0, 4), eight].join("-");
}

/** An id in the same form for what is known by its content: the same for the same content. */
export function contentId(content: readonly (string | null)[]): string {
  const digest = hash("sha256", JSON.stringify(content));
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{8}).*$/, "$1-$2-$3-$4-$5");
}

export function idsOf<Id>(rows: readonly { readonly id: Id }[]): Id[] {
  return rows.map(({ id }) => id);
}

import { hash, randomFillSync } from "node:crypto";
import { newIdOf } from "../store/ids.ts";
import type { Tables } from "../store/tables.ts";

/** An event before the database assigns its number and before it has a digest. */
export type SaltedEvent = Omit<Tables["events"], "sequence" | "digest">;

const SALT_BYTES = 16;
/** Random bytes for the next salts. A call for each salt would take longer than the digest. */
const pool = Buffer.alloc(256 * SALT_BYTES);
let used = pool.length;

function newSalt(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += SALT_BYTES;
  return pool.toString("hex", used - SALT_BYTES, used);
}

type Unsalted = Omit<SaltedEvent, "id" | "salt" | "data">;

/** A new row of the journal. */
export function eventRow(event: Unsalted, data: object): SaltedEvent & { digest: string } {
  const row = { ...event, id: newIdOf(event.at), data: canonicalJson(data), salt: newSalt() };
  return { ...row, digest: digestOfEvent(row) };
}

/** The sha256 of an event in canonical form, in hex. */
export function digestOfEvent(event: SaltedEvent): string {
  return hash("sha256", canonicalEvent(event));
}

/** An event in canonical form, without its number. Its data must be in that form already. */
export function canonicalEvent(event: SaltedEvent): string {
  const { id, org_id, type, at, by, by_id, subject_id, subject_name, trail_id, data, salt } = event;
  const fields = { id, org_id, type, at, by, by_id, subject_id, subject_name, trail_id, data, salt };
  return objectOf(fields, (value, name) => (name === "data" ? data : JSON.stringify(value)));
}

/** Canonical JSON (RFC 8785). JSON of users stays text, because canonical numbers could differ from theirs. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  return objectOf(value, canonicalJson);
}

function objectOf(object: object, jsonOf: (value: unknown, name: string) => string): string {
  let fields = "";
  for (const name of Object.keys(object).sort()) {
    const value: unknown = Reflect.get(object, name);
    if (value !== undefined) fields += `,${JSON.stringify(name)}:${jsonOf(value, name)}`;
  }
  return `{${fields.slice(1)}}`;
}

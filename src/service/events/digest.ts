import { hash, randomBytes } from "node:crypto";
import { newIdOf } from "../store/ids.ts";
import type { Tables } from "../store/tables.ts";

/** An event before the database assigns its number and before it has a digest. */
export type SaltedEvent = Omit<Tables["events"], "sequence" | "digest">;

const SALT_BYTES = 16;

type Unsalted = Omit<SaltedEvent, "id" | "salt" | "data">;

/** A new row of the journal. */
export function eventRow(event: Unsalted, data: object): SaltedEvent & { digest: string } {
  const salt = randomBytes(SALT_BYTES).toString("hex");
  const row = { ...event, id: newIdOf(event.at), data: canonicalJson(data), salt };
  return { ...row, digest: digestOfEvent(row) };
}

/** The sha256 of an event in canonical form, in hex. Its data must be in that form already. */
export function digestOfEvent({ data, ...event }: SaltedEvent): string {
  const fields = Object.entries(event).map(([name, value]): Field => [name, JSON.stringify(value)]);
  return hash("sha256", objectOf([...fields, ["data", data]]));
}

/** Canonical JSON (RFC 8785). JSON of users stays text, because canonical numbers could differ from theirs. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).filter(([, item]) => item !== undefined);
  return objectOf(fields.map(([name, item]) => [name, canonicalJson(item)]));
}

type Field = readonly [string, string];

function objectOf(fields: readonly Field[]): string {
  const sorted = fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;
}

import * as z from "zod/mini";
import { type Schema, toWire } from "../../api/wire-names.ts";
import { parseExactJson } from "./exact-json.ts";

const anything = z.unknown();

/** JSON text for a column, with the names of the wire. Absent and null are both null. */
export function jsonColumn(value: unknown, schema: Schema = anything): string | null {
  return value === undefined || value === null ? null : JSON.stringify(toWire(schema, value));
}

/** The fields of an object in a JSON column, digits of numbers included. */
export function fieldsOf(column: string): Record<string, unknown> {
  return fieldsIn(parseExactJson(column));
}

/** The fields of an object; none of another value. */
export function fieldsIn(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

interface ExternalUrl {
  href: string;
  fingerprint?: string | null | undefined;
}

type ExternalUrls = { readonly [label: string]: ExternalUrl | string };

/** Links by label, always as objects, also those that were sent as a plain address. */
export function asLinkObjects(
  urls: ExternalUrls | null | undefined,
): Record<string, ExternalUrl> | null | undefined {
  return (
    urls &&
    Object.fromEntries(
      Object.entries(urls).map(([label, url]) => [label, typeof url === "string" ? { href: url } : url]),
    )
  );
}

export function externalUrlsColumn(urls: ExternalUrls | null | undefined): string | null {
  return jsonColumn(asLinkObjects(urls));
}

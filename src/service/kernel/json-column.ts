import * as z from "zod/mini";
import { type Schema, toWire } from "../../api/wire-names.ts";
import { parseExactJson } from "./exact-json.ts";

const anything = z.unknown();

/** JSON text for a column, with the interface's names. Absent and null both become null. */
export function jsonColumn(value: unknown, schema: Schema = anything): string | null {
  return value === undefined || value === null ? null : JSON.stringify(toWire(schema, value));
}

/** The fields of an object in a JSON column, with the digits of its numbers. */
export function fieldsOf(column: string): Record<string, unknown> {
  return fieldsIn(parseExactJson(column));
}

/** The fields of an object. Empty for other values. */
export function fieldsIn(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

interface ExternalUrl {
  href: string;
  fingerprint?: string | null | undefined;
}

type ExternalUrls = { readonly [label: string]: ExternalUrl | string };

/** Links by label, always as objects, even if they were sent as plain addresses. */
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

import { parseJson } from "../api/json.ts";
import { asObject, type Untyped } from "../api/untyped.ts";
import type { Answer } from "../net/exchange.ts";

/** The JSON object in an answer, empty if it has none. */
export function objectIn({ bytes }: Pick<Answer, "bytes">): Untyped {
  return asObject(parseJson(bytes.toString())?.value);
}

/** A time such as `2026-01-02T03:04:05.000Z` in whole Unix seconds; 0 if it is none. */
export function unixSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000) || 0;
}

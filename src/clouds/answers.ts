import { ProtocolError } from "../api/client/errors.ts";
import { parseJson } from "../api/json.ts";
import { asObject, type Untyped } from "../api/untyped.ts";
import type { Answer } from "../net/exchange.ts";

/** The JSON object in an answer, empty if it has none. */
export function objectIn({ bytes }: Pick<Answer, "bytes">): Untyped {
  return asObject(parseJson(bytes.toString())?.value);
}

/** The error for a successful response that is not what the cloud sends. */
export function strangeAnswer(what: string, cause?: unknown): ProtocolError {
  const advice = "Nothing was reported. Check whether a proxy answers in place of the cloud.";
  return new ProtocolError({ what, advice, cause });
}

/** A time such as `2026-01-02T03:04:05.000Z` in whole Unix seconds; 0 if it is none. */
export function unixSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000) || 0;
}

import { asObject, asText } from "../api/untyped.ts";
import { unixSeconds } from "../github/api/commit-facts.ts";

/** The value at a dotted path. */
function at(value: unknown, path: string): unknown {
  return path.split(".").reduce((inside, key) => asObject(inside)[key], value);
}

/** The text at a dotted path; empty for any other value. */
export function textAt(value: unknown, path: string): string {
  return asText(at(value, path));
}

/** Unix seconds of a time at a dotted path: of ISO 8601, or in milliseconds. */
export function secondsAt(value: unknown, path: string): number | undefined {
  const time = at(value, path);
  return typeof time === "number" ? Math.floor(time / 1000) : unixSeconds(asText(time));
}

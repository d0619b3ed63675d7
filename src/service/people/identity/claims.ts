import { isObject } from "../../../api/untyped.ts";

export type Claims = Readonly<Record<string, unknown>>;

/**
 * The text of a claim, or of a field within it: `kubernetes.io/serviceaccount/uid`. Undefined if it is missing or empty.
 */
export function claimText(claims: Claims, name: string): string | undefined {
  const value = fieldOf(claims, name);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function fieldOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  const [, outer = "", inner = ""] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
  const within = Object.hasOwn(claims, outer) ? claims[outer] : undefined;
  return isObject(within) ? fieldOf(within, inner) : undefined;
}

/* Reads values of unknown shape. Written by hand, because a schema would be too slow for 150,000 values. */

export type Untyped = Readonly<Record<string, unknown>>;

const NOTHING: Untyped = Object.freeze({});

export function isObject(value: unknown): value is Untyped {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the object, or an empty one for any other value. */
export function asObject(value: unknown): Untyped {
  return isObject(value) ? value : NOTHING;
}

/** Returns the objects of a list, or none for any other value. */
export function asObjects(value: unknown): readonly Untyped[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the text, or an empty one for any other value. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

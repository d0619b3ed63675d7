/* Reading values whose shape nobody promised. Written by hand, not as a schema: there may be 150,000 of them. */

export type Untyped = Readonly<Record<string, unknown>>;

const NOTHING: Untyped = Object.freeze({});

export function isObject(value: unknown): value is Untyped {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object, or an empty one when the value is anything else. */
export function asObject(value: unknown): Untyped {
  return isObject(value) ? value : NOTHING;
}

/** The objects of a list; none when the value is anything else. */
export function asObjects(value: unknown): readonly Untyped[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The text, or an empty one when the value is anything else. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

import * as z from "zod/mini";
import type { Schema } from "../../../src/api/wire-names.ts";
import { COMMIT, FP } from "../requests.ts";

/** Texts of which one is valid for nearly every kind of field. */
const TEXTS = [
  "sample",
  FP,
  COMMIT,
  "https://sample.invalid/x",
  "sample@sample.invalid",
  "2030-01-31T12:00:00Z",
  "1",
  "generic",
  "a=b",
  "12345678-1234-1234-1234-12345678",
  "sample/sample",
];
const NUMBERS = [1, 0, 2, 10, 100, 1_800_000_000];

/**
 * A value with every field that a schema declares. Each union uses the member of that number, so that counting up
 * covers them all.
 */
export function filled(schema: Schema, member = 0): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(def.shape).map(([name, field]) => [name, filled(field, member)]),
      );
    case "array":
      return [filled(def.element, member)];
    case "record":
      return Object.fromEntries([[String(filled(def.keyType, member)), filled(def.valueType, member)]]);
    case "union": {
      const option = def.options[member % def.options.length];
      return option && filled(option, member);
    }
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "readonly":
      return filled(def.innerType, member);
    case "pipe":
      return filled(def.in, member);
    case "enum":
      return Object.values(def.entries)[0];
    case "literal":
      return def.values[0];
    case "boolean":
      return true;
    case "number":
      return fitting(schema, NUMBERS);
    case "string":
      return fitting(schema, TEXTS);
    default:
      return { sample: ["sample"] };
  }
}

function fitting(schema: Schema, candidates: readonly unknown[]): unknown {
  return candidates.find((candidate) => z.core.safeParse(schema, candidate).success) ?? candidates[0];
}

/** Position within a value. */
export type Place = readonly (string | number)[];

/** Every position within a value, the outermost first. */
export function placesIn(value: unknown, place: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [place];
  const inner = Array.isArray(value)
    ? value.flatMap((item, index) => placesIn(item, [...place, index]))
    : Object.entries(value).flatMap(([name, item]) => placesIn(item, [...place, name]));
  return [place, ...inner];
}

export function valueAt(value: unknown, place: Place): unknown {
  return place.reduce<unknown>(
    (inner, step) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );
}

/** The value with a replacement at one position. */
export function replaced(value: unknown, [step, ...rest]: Place, replacement: unknown): unknown {
  if (step === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === step ? replaced(item, rest, replacement) : item));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === step ? replaced(item, rest, replacement) : item,
    ]),
  );
}

import type * as z from "zod/mini";

/*
 * Where `git_commit_info` on the wire and `gitCommitInfo` in TypeScript meet. Only keys that a schema declares
 * are renamed; the keys of maps and of free-form data belong to their author and stay as they are.
 */

/** `attestation_file` as `attestationFile`, in types. */
export type CamelKey<K> = K extends `_${infer Rest}`
  ? `_${CamelKey<Rest>}`
  : K extends `${infer Head}_${infer Tail}`
    ? `${Head}${Capitalize<CamelKey<Tail>>}`
    : K extends `${infer Head}-${infer Tail}`
      ? `${Head}${Capitalize<CamelKey<Tail>>}`
      : K;

/** A wire type as TypeScript code sees it. */
export type Camel<T> = T extends Uint8Array | ReadableStream
  ? T
  : T extends readonly (infer Item)[]
    ? Camel<Item>[]
    : T extends object
      ? string extends keyof T
        ? CamelLoose<T>
        : { [K in keyof T as CamelKey<K>]: Camel<T[K]> }
      : T;

/** Maps keep their keys, their values are converted; an open object converts the keys it declares. */
type CamelLoose<T> = { [K in keyof T as string extends K ? K : CamelKey<K>]: Camel<T[K]> };

export type Schema = z.core.$ZodType;

/** The name in TypeScript of a name on the wire: `attestation_name` is `attestationName`. */
export function camelName(wireName: string): string {
  return wireName.replace(/(?<=[^_])[_-]([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}

/** Renames the keys of a wire value to those of TypeScript, as the schema declares them. */
export function fromWire(schema: Schema, value: unknown): unknown {
  return rename(schema, value, "from");
}

/** Renames the keys of a TypeScript value to those of the wire, as the schema declares them. */
export function toWire(schema: Schema, value: unknown): unknown {
  return rename(schema, value, "to");
}

type Direction = "from" | "to";
type Renaming = (value: unknown) => unknown;

const identity: Renaming = (value) => value;
const plans = { from: new WeakMap<Schema, Renaming>(), to: new WeakMap<Schema, Renaming>() };

function rename(schema: Schema, value: unknown, direction: Direction): unknown {
  return planOf(schema, direction)(value);
}

function planOf(schema: Schema, direction: Direction): Renaming {
  const known = plans[direction].get(schema);
  if (known) return known;
  const plan = makePlan(schema, direction);
  plans[direction].set(schema, plan);
  return plan;
}

function makePlan(schema: Schema, direction: Direction): Renaming {
  const inner = innermost(schema);
  if (inner !== schema) return planOf(inner, direction);
  const { def } = inner._zod;
  switch (def.type) {
    case "object":
      return objectPlan(def.shape, direction);
    case "array": {
      const item = planOf(def.element, direction);
      return item === identity ? identity : (value) => (Array.isArray(value) ? value.map(item) : value);
    }
    case "record": {
      const item = planOf(def.valueType, direction);
      return item === identity ? identity : (value) => mapValues(value, item);
    }
    case "union": {
      // The members of a union here differ in their keys, so each renames what it knows.
      const members = def.options.map((option) => planOf(option, direction)).filter((m) => m !== identity);
      return members.length === 0 ? identity : (value) => members.reduce((v, member) => member(v), value);
    }
    default:
      return identity;
  }
}

function objectPlan(shape: Readonly<Record<string, Schema>>, direction: Direction): Renaming {
  const fields = new Map<string, { to: string; plan: Renaming }>();
  for (const [wireName, schema] of Object.entries(shape)) {
    const name = camelName(wireName);
    const [source, target] = direction === "from" ? [wireName, name] : [name, wireName];
    fields.set(source, { to: target, plan: planOf(schema, direction) });
  }
  if ([...fields].every(([source, { to, plan }]) => source === to && plan === identity)) return identity;
  return (value) => {
    if (!isPlainObject(value)) return value;
    const renamed: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      const field = fields.get(key);
      setOwn(renamed, field?.to ?? key, field ? field.plan(item) : item);
    }
    return renamed;
  };
}

function mapValues(value: unknown, plan: Renaming): unknown {
  if (!isPlainObject(value)) return value;
  const mapped: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) setOwn(mapped, key, plan(item));
  return mapped;
}

/** Assignment would run the setter of `__proto__` instead of adding a key of that name. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(target, key, { value, enumerable: true, writable: true });
  else target[key] = value;
}

/** JSON.rawJSON numbers are objects without a prototype that are frozen: they are values, not objects. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || (prototype === null && !Object.isFrozen(value));
}

/** What a schema speaks of, without what only says that it may be left out, may be null, or stays as it is. */
export function innermost(schema: z.core.$ZodType): z.core.$ZodTypes {
  const typed = schema as z.core.$ZodTypes;
  const { def } = typed._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "readonly":
      return innermost(def.innerType);
    default:
      return typed;
  }
}

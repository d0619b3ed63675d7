import type * as z from "zod/mini";
import { planner } from "./schema-plans.ts";

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

const fromWirePlan = planner({ fieldNames: (wireName) => [wireName, camelName(wireName)] });
const toWirePlan = planner({ fieldNames: (wireName) => [camelName(wireName), wireName] });

/** Renames the keys of a wire value to those of TypeScript, as the schema declares them. */
export function fromWire(schema: Schema, value: unknown): unknown {
  return fromWirePlan(schema)(value);
}

/** Renames the keys of a TypeScript value to those of the wire, as the schema declares them. */
export function toWire(schema: Schema, value: unknown): unknown {
  return toWirePlan(schema)(value);
}

import type * as z from "zod/mini";
import { planner } from "./schema-plans.ts";

/*
 * Renames `git_commit_info` on the wire to `gitCommitInfo` in TypeScript and back. Renames only keys that a schema
 * declares; keys of maps and free-form data stay unchanged.
 */

/** Type of a renamed key: `attestation_file` becomes `attestationFile`. */
export type CamelKey<K> = K extends `_${infer Rest}`
  ? `_${CamelKey<Rest>}`
  : K extends `${infer Head}_${infer Tail}`
    ? `${Head}${Capitalize<CamelKey<Tail>>}`
    : K extends `${infer Head}-${infer Tail}`
      ? `${Head}${Capitalize<CamelKey<Tail>>}`
      : K;

/** A wire type with renamed keys. */
export type Camel<T> = T extends Uint8Array | ReadableStream
  ? T
  : T extends readonly (infer Item)[]
    ? Camel<Item>[]
    : T extends object
      ? string extends keyof T
        ? CamelLoose<T>
        : { [K in keyof T as CamelKey<K>]: Camel<T[K]> }
      : T;

/** Keeps the keys of maps, and renames only the declared keys of an open object. */
type CamelLoose<T> = { [K in keyof T as string extends K ? K : CamelKey<K>]: Camel<T[K]> };

export type Schema = z.core.$ZodType;

/** Converts a wire name: `attestation_name` becomes `attestationName`. */
export function camelName(wireName: string): string {
  return wireName.replace(/(?<=[^_])[_-]([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}

const fromWirePlan = planner({ fieldNames: (wireName) => [camelName(wireName), wireName] });
const toWirePlan = planner({ fieldNames: (wireName) => [wireName, camelName(wireName)] });

/** Renames the declared keys of a wire value to those of TypeScript. */
export function fromWire(schema: Schema, value: unknown): unknown {
  return fromWirePlan(schema)(value);
}

/** Renames the declared keys of a TypeScript value to those of the wire. */
export function toWire(schema: Schema, value: unknown): unknown {
  return toWirePlan(schema)(value);
}

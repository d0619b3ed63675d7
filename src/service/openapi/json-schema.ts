import * as z from "zod/mini";
import type { Schema } from "../../api/wire-names.ts";

/** A JSON Schema (2020-12), the dialect of OpenAPI 3.1. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * What a schema lets over the wire. Both ways that is its input: a request before the service fills in its defaults,
 * an answer before the client has read it.
 */
export function jsonSchemaOf(schema: Schema): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override({ jsonSchema }) {
      // That a whole number fits JavaScript's goes without saying.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return rest;
}

/** Whether a parameter of this schema may be left out. */
export function isOptional(schema: Schema): boolean {
  return schema._zod.optin !== undefined;
}

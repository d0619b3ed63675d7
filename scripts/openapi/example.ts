import * as z from "zod/mini";
import type { Schema } from "../../src/api/wire-names.ts";

/** A JSON Schema (2020-12), the dialect of OpenAPI 3.1. */
type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A request before the service fills in defaults; a response before the client reads it. */
export function jsonSchemaOf(schema: Schema): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override({ jsonSchema }) {
      // The range of safe integers is implied.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return rest;
}

/** Whether a parameter of this schema is optional. */
export function isOptional(schema: Schema): boolean {
  return schema._zod.optin !== undefined;
}

/** Typical values of fields, by name. The first value that matches the field's schema is used. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  attestation_name: "unit-test",
  build_url: "https://ci.example.com/runs/77",
  commit_url: "https://git.example.com/acme/web/commit/9f2c1e7",
  compliance_state: "COMPLIANT",
  created_at: 1_795_000_000.25,
  creationTimestamp: 1_795_000_000,
  description: "Description for people",
  digests: { "registry.example.com/web:1.2": "4e6f".repeat(16) },
  duration: 1.5,
  env_name: "production",
  environment_name: "production",
  errors: 0,
  expires_at: 1_830_000_000,
  failures: 0,
  filename: "app.tgz",
  fingerprint: "4e6f".repeat(16),
  flow_name: "web",
  last_modified_at: 1_795_000_000.25,
  message: "OK",
  namespace: "default",
  org: "acme",
  page: 1,
  per_page: 15,
  podName: "web-5d7c9",
  policy_name: "production-ready",
  provider: "github",
  reason: "Accepted until the next release",
  repository: "acme/web",
  repository_id: "4711",
  repository_owner_id: "815",
  revision: "9f2c1e7ab4".repeat(4),
  service_account: "evidence/reporter",
  service_account_uid: "0a1b2c3d-4e5f-6789-abcd-ef0123456789",
  skipped: 0,
  template: ["artifact", "unit-test"],
  timestamp: 1_795_000_000,
  total: 12,
  trail_name: "v1",
  url: "https://git.example.com/acme/web",
  version: "1.2.0",
};

/** Texts that match the patterns of the interface, the simplest first. */
const TEXTS = [
  "web",
  "unit-test",
  "v1",
  "generic",
  "https://example.com",
  "ada@example.com",
  "9f2c1e7ab4".repeat(4),
  "4e6f".repeat(16),
  "0f8fad5b-d9cb-469f-a165-70867728",
  "0f8fad5b-d9cb-469f-a165-70867728950e",
  "2027-01-31T12:00:00Z",
];

/** Shortest value that a schema accepts, with its required fields only. */
export function exampleOf(schema: JsonSchema, name = ""): unknown {
  const [first] = schema.examples ?? [];
  if (first !== undefined) return first;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const [option] = schema.anyOf ?? schema.oneOf ?? [];
  if (option) return exampleOf(option, name);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, name)));
  const usual = BY_NAME[name];
  if (usual !== undefined && typeOf(usual) === plainType(schema) && fits(schema, usual)) return usual;
  return byType(schema, name);
}

function byType(schema: JsonSchema, name: string): unknown {
  switch (plainType(schema)) {
    case "string":
      return textFor(schema);
    case "number":
      return Math.max(schema.minimum ?? 1, 1);
    case "boolean":
      return true;
    case "array":
      return arrayOf(schema, name);
    case "object":
      return objectOf(schema);
    default:
      return null;
  }
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value;
}

function plainType({ type }: JsonSchema): string | undefined {
  const first = Array.isArray(type) ? type[0] : type;
  return first === "integer" ? "number" : first;
}

function textFor(schema: JsonSchema): string {
  const byFormat = { uri: "https://example.com", email: "ada@example.com" }[schema.format ?? ""];
  return byFormat ?? TEXTS.find((text) => fits(schema, text)) ?? "text";
}

function fits({ pattern, minLength = 0 }: JsonSchema, value: unknown): boolean {
  if (typeof value !== "string") return true;
  return value.length >= minLength && (!pattern || new RegExp(pattern).test(value));
}

function arrayOf({ items, minItems = 0 }: JsonSchema, name: string): unknown[] {
  const item = Array.isArray(items) ? items[0] : items;
  if (!isSchema(item)) return [];
  // Records are informative; lists of names may stay empty if allowed.
  return minItems > 0 || item.type === "object" ? [exampleOf(item, name)] : [];
}

function objectOf({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
  // Without required fields, all optional ones are shown, because an empty object is no example.
  const shown = required.length > 0 ? required : Object.keys(properties);
  const fields = shown.map((name) => {
    const field = properties[name];
    return [name, isSchema(field) ? exampleOf(field, name) : null];
  });
  return Object.fromEntries(fields);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null;
}

import { parseExactJson } from "../../kernel/exact-json.ts";
import { applyRules, problemOfRule } from "./jq-rules.ts";
import type { Problems } from "./problems.ts";
import { type CompiledSchema, compileTypeSchema } from "./type-schema.ts";

export interface TypeRules {
  /** JSON text. */
  schema: string | null;
  /** jq expressions that must all be true. */
  rules: readonly string[];
}

export interface TypeProblems {
  schema: Problems;
  /** By index. */
  rules: Record<number, string>;
}

export interface DataVerdict {
  /** Schema mismatches. If there are any, the rules are not evaluated. */
  mismatches: Problems;
  isCompliant: boolean;
  /** In rule order; shorter if a rule had an error. */
  results: boolean[];
  error?: string;
}

/** Checks a type without data. */
export async function checkType({ schema, rules }: TypeRules): Promise<TypeProblems> {
  const problems: TypeProblems = { schema: {}, rules: {} };
  if (schema !== null) {
    const compiled = compiledSchema(schema);
    if ("problems" in compiled) problems.schema = compiled.problems;
  }
  for (const [index, rule] of rules.entries()) {
    const problem = await problemOfRule(rule);
    if (problem !== undefined) problems.rules[index] = problem;
  }
  return problems;
}

/** Evaluates JSON text by a checked type. */
export async function evaluate({ schema, rules }: TypeRules, data: string): Promise<DataVerdict> {
  const compiled = schema === null ? undefined : compiledSchema(schema);
  if (compiled && "problems" in compiled) {
    return {
      mismatches: {},
      isCompliant: false,
      results: [],
      error: "the schema of the type is invalid",
    };
  }
  const mismatches = compiled?.validate(JSON.parse(data)) ?? {};
  if (Object.keys(mismatches).length > 0) return { mismatches, isCompliant: false, results: [] };
  // Serialized again, so that jq gets the stored JSON.
  return { mismatches, ...(await applyRules(rules, JSON.stringify(parseExactJson(data)))) };
}

/** Number of cached schemas, because compiling takes longest. */
const MAX_CACHED_SCHEMAS = 50;
const cachedSchemas = new Map<string, CompiledSchema>();

function compiledSchema(schema: string): CompiledSchema {
  const compiled = cachedSchemas.get(schema) ?? compileTypeSchema(JSON.parse(schema));
  cachedSchemas.delete(schema);
  cachedSchemas.set(schema, compiled);
  const [oldest] = cachedSchemas.keys();
  if (cachedSchemas.size > MAX_CACHED_SCHEMAS && oldest !== undefined) cachedSchemas.delete(oldest);
  return compiled;
}

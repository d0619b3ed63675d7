import { parseExactJson } from "../../kernel/exact-json.ts";
import { applyRules, problemOfRule } from "./jq-rules.ts";
import type { Problems } from "./problems.ts";
import { type CompiledSchema, compileTypeSchema } from "./type-schema.ts";

/** How a version of a custom attestation type judges data. */
export interface TypeRules {
  /** A JSON Schema, as JSON text. */
  schema: string | null;
  /** jq expressions that must all give true. */
  rules: readonly string[];
}

/** What is wrong with a type, by what its author called it. */
export interface TypeProblems {
  schema: Problems;
  /** By the index of the rule. */
  rules: Record<number, string>;
}

export interface DataVerdict {
  /** Where the data does not match the schema. When there is something, the rules were not asked. */
  mismatches: Problems;
  isCompliant: boolean;
  /** Whether each rule holds, in their order; shorter when one of them gave no verdict. */
  results: boolean[];
  /** Why the rules gave no verdict. */
  error?: string;
}

/** What is wrong with a type before any data is judged by it. */
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

/** Judges data, which is JSON text, by a type that was checked. */
export async function judgeData({ schema, rules }: TypeRules, data: string): Promise<DataVerdict> {
  const compiled = schema === null ? undefined : compiledSchema(schema);
  if (compiled && "problems" in compiled) {
    return {
      mismatches: {},
      isCompliant: false,
      results: [],
      error: "the schema of the type cannot be used",
    };
  }
  const mismatches = compiled?.validate(JSON.parse(data)) ?? {};
  if (Object.keys(mismatches).length > 0) return { mismatches, isCompliant: false, results: [] };
  // Through the parser, so that jq is given the JSON that is stored and not what else a text may hold.
  return { mismatches, ...(await applyRules(rules, JSON.stringify(parseExactJson(data)))) };
}

/** Schemas that were compiled lately: compiling takes longer than all the rest. */
const MAX_KEPT_SCHEMAS = 50;
const keptSchemas = new Map<string, CompiledSchema>();

function compiledSchema(schema: string): CompiledSchema {
  const compiled = keptSchemas.get(schema) ?? compileTypeSchema(JSON.parse(schema));
  keptSchemas.delete(schema);
  keptSchemas.set(schema, compiled);
  const [oldest] = keptSchemas.keys();
  if (keptSchemas.size > MAX_KEPT_SCHEMAS && oldest !== undefined) keptSchemas.delete(oldest);
  return compiled;
}

import { Ajv, type ErrorObject, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fieldName } from "../../../api/validation.ts";
import { compilePattern } from "../patterns/linear-regex.ts";
import type { Problems } from "./problems.ts";

const MAX_PROBLEMS = 20;

const OPTIONS: Options = {
  allErrors: true,
  // Ignores keywords outside the standard.
  strict: false,
  logger: false,
  // Patterns are untrusted and need a safe engine.
  code: { regExp: Object.assign(patternOf, { code: "linear" }) },
};

/** The validator compares patterns by their text. */
function patternOf(pattern: string) {
  return { ...compilePattern(pattern), toString: () => pattern };
}

export type CompiledSchema = { validate: (data: unknown) => Problems } | { problems: Problems };

/** Compiles a JSON Schema: draft 2020-12, or draft-07 if `$schema` says so. Refuses references to other documents. */
export function compileTypeSchema(schema: Record<string, unknown>): CompiledSchema {
  const ajv = validatorFor(schema["$schema"]);
  if (!ajv) {
    return {
      problems: {
        $schema:
          "Input should be 'https://json-schema.org/draft/2020-12/schema' or 'http://json-schema.org/draft-07/schema#'",
      },
    };
  }
  if (ajv.validateSchema(schema) !== true) return { problems: problemsOf(ajv.errors) };
  try {
    const validate = ajv.compile(schema);
    return { validate: (data) => (validate(data) ? {} : problemsOf(validate.errors)) };
  } catch (error) {
    return { problems: { "": error instanceof Error ? error.message : String(error) } };
  }
}

function validatorFor(dialect: unknown): Ajv | undefined {
  if (dialect === undefined) return new Ajv2020(OPTIONS);
  if (typeof dialect !== "string") return undefined;
  if (/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test(dialect)) return new Ajv2020(OPTIONS);
  if (/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/.test(dialect)) return new Ajv(OPTIONS);
  return undefined;
}

function problemsOf(errors: readonly ErrorObject[] | null | undefined): Problems {
  const problems: Problems = {};
  for (const error of (errors ?? []).slice(0, MAX_PROBLEMS)) {
    problems[fieldName(stepsOf(error.instancePath))] ??= textOf(error);
  }
  return problems;
}

function stepsOf(pointer: string): (string | number)[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** Uses the interface's wording where it has one. */
function textOf({ keyword, message = "is not valid", params }: ErrorObject): string {
  if (keyword === "additionalProperties" || keyword === "unevaluatedProperties") {
    const name: unknown = params["additionalProperty"] ?? params["unevaluatedProperty"];
    return `Extra inputs are not permitted: '${String(name)}'`;
  }
  if (keyword === "enum" && Array.isArray(params["allowedValues"])) {
    return `Input should be one of ${params["allowedValues"].map((value) => JSON.stringify(value)).join(", ")}`;
  }
  return `Input ${message.replace(/^must /, "should ")}`;
}

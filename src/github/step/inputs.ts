import type { InputProblem } from "../../api/client/errors.ts";
import { parseJson } from "../../api/json.ts";
import { type Input, type Inputs, Unreadable, type ValuesOf } from "./input.ts";

export interface ParsedInputs<I extends Inputs> {
  values: ValuesOf<I>;
  /** Names of the inputs that the user set, without defaults. */
  given: ReadonlySet<string>;
  problems: InputProblem[];
}

/**
 * Reads an action's inputs from the JSON object of a composite action, or from the variables that the runner sets for
 * a JavaScript action. An empty input is read from its variable, or else has its default. Collects all problems. An
 * input with a problem gets its `absent` value.
 */
export function parseInputs<const I extends Inputs>(inputs: I, env: NodeJS.ProcessEnv): ParsedInputs<I> {
  return readInputs(inputs, handedOver(env, Object.keys(inputs)), env);
}

/** Parses texts by input name. An array is parsed item by item. */
export function readInputs<const I extends Inputs>(
  inputs: I,
  texts: Readonly<Record<string, string | readonly string[]>>,
  env: NodeJS.ProcessEnv,
): ParsedInputs<I> {
  const values: Record<string, unknown> = {};
  const given = new Set<string>();
  const problems: InputProblem[] = [];
  for (const [name, input] of Object.entries(inputs)) {
    const raw = texts[name];
    const own = typeof raw === "object" ? raw.map(trimmed).filter(Boolean) : trimmed(raw);
    // Defaults are also in action.yml, so an input that equals its default may not have been set.
    if (own.length > 0 && own !== input.default) given.add(name);
    const text = own.length > 0 ? own : trimmed(env[input.fallback ?? ""]) || defaultOf(input) || "";
    values[inputKey(name)] = input.absent;
    if (text.length === 0) {
      if (input.required)
        problems.push({ input: name, problem: requiredText(input.fallback), missing: true });
      continue;
    }
    try {
      values[inputKey(name)] = read(input, text);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      problems.push({ input: name, problem: error.message });
    }
  }
  // Each value was parsed by the input of the same name.
  return { values: values as ValuesOf<I>, given, problems };
}

/** @throws {Unreadable} with the expected form */
function read(input: Input<unknown>, text: string | readonly string[]): unknown {
  if (typeof text === "string") return input.parse(text);
  if (input.parseItems) return input.parseItems(text);
  throw new Unreadable("must be one text, not a list");
}

/** The default, unless it is an expression, which only the runner evaluates. */
function defaultOf(input: Input<unknown>): string | undefined {
  return input.default?.startsWith("${{") ? undefined : input.default;
}

export function requiredText(fallback: string | undefined): string {
  return fallback ? `is required, or set the variable ${fallback}` : "is required";
}

function handedOver(env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  const json = env["INPUTS"];
  if (json === undefined) {
    // The runner sets a variable for each input of action.yml, even for empty ones.
    const set = names.filter((name) => env[runnerVariable(name)] !== undefined);
    if (set.length > 0) return Object.fromEntries(set.map((name) => [name, env[runnerVariable(name)] ?? ""]));
    throw new Error("The variable INPUTS is not set: run this program through the action.yml next to it.");
  }
  const value = parseJson(json)?.value;
  // The parser's message would quote it, and it contains secrets that are not masked yet.
  if (typeof value !== "object" || value === null)
    throw new Error("The variable INPUTS is not a JSON object.");
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text ?? "")]));
}

/** The runner's variable for an input. Hyphens are kept. */
function runnerVariable(name: string): string {
  return `INPUT_${name.replaceAll(" ", "_").toUpperCase()}`;
}

/** Trims only blanks. Other invisible characters may be a mistake to report. */
function trimmed(text: string | undefined): string {
  return (text ?? "").replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
}

/** Name of an input in code: `apiKey` for `api-key`. */
export function inputKey(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

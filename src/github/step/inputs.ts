import type { InputProblem } from "../../api/client/errors.ts";
import { parseJson } from "../../api/json.ts";
import { type Input, type Inputs, Unreadable, type ValuesOf } from "./input.ts";

export interface ParsedInputs<I extends Inputs> {
  values: ValuesOf<I>;
  /** The names of the inputs the caller gave, not counting defaults. */
  given: ReadonlySet<string>;
  problems: InputProblem[];
}

/**
 * Reads an action's inputs: from the JSON object of texts that a composite step hands over, or from the variables
 * that the runner sets for an action of its own. An input left empty is read from its variable, else it has its
 * default. All problems are collected; the value of an input with a problem
 * is its absent one.
 */
export function parseInputs<const I extends Inputs>(inputs: I, env: NodeJS.ProcessEnv): ParsedInputs<I> {
  return readInputs(inputs, handedOver(env, Object.keys(inputs)), env);
}

/** Parses texts by the names of inputs, from wherever they are; a list of texts is what its input takes item by item. */
export function readInputs<const I extends Inputs>(
  inputs: I,
  texts: Readonly<Record<string, string | readonly string[]>>,
  env: NodeJS.ProcessEnv,
): ParsedInputs<I> {
  const values: Record<string, unknown> = {};
  const given = new Set<string>();
  const problems: InputProblem[] = [];
  for (const [name, input] of Object.entries(inputs)) {
    const told = texts[name];
    const own = typeof told === "object" ? told.map(trimmed).filter(Boolean) : trimmed(told);
    // A default stands in action.yml too, so an input that equals it may not have been given at all.
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
  // Each value was made by the input of its own name.
  return { values: values as ValuesOf<I>, given, problems };
}

/** @throws {Unreadable} with what was expected */
function read(input: Input<unknown>, text: string | readonly string[]): unknown {
  if (typeof text === "string") return input.parse(text);
  if (input.parseItems) return input.parseItems(text);
  throw new Unreadable("must be one text, not several");
}

/** A default that is an expression has a value only where the runner evaluates it. */
function defaultOf(input: Input<unknown>): string | undefined {
  return input.default?.startsWith("${{") ? undefined : input.default;
}

export function requiredText(fallback: string | undefined): string {
  return fallback ? `is required (here or in the variable ${fallback})` : "is required";
}

function handedOver(env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  const json = env["INPUTS"];
  if (json === undefined) {
    // The runner sets one for each input of action.yml, also for those left empty.
    const set = names.filter((name) => env[runnerVariable(name)] !== undefined);
    if (set.length > 0) return Object.fromEntries(set.map((name) => [name, env[runnerVariable(name)] ?? ""]));
    throw new Error("The variable INPUTS is not set: this program is run by the action.yml beside it.");
  }
  const value = parseJson(json)?.value;
  // The parser's own words would show a part of it, and it holds secrets that nobody has masked yet.
  if (typeof value !== "object" || value === null)
    throw new Error("The variable INPUTS is not a JSON object.");
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text ?? "")]));
}

/** The runner's variable for an input; it leaves the hyphens. */
function runnerVariable(name: string): string {
  return `INPUT_${name.replaceAll(" ", "_").toUpperCase()}`;
}

/** Without the blanks around it. Other characters that show as nothing may be a mistake that should be told. */
function trimmed(text: string | undefined): string {
  return (text ?? "").replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
}

/** The name in code of an input: `api-key` is `apiKey`. */
export function inputKey(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

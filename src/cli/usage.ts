import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { nearest } from "../api/nearest.ts";
import type { MessageKind } from "../ci/messages.ts";

/** A user's mistake, shown as one line. */
export class UsageError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Terminal {
  readonly environment: Environment;
  /** The standard error is a terminal. */
  readonly interactive: boolean;
  /** The standard output is a terminal. */
  readonly printsToTerminal: boolean;
  /** Writes text and a line break to the standard output. */
  print(text: string): void;
  /** Writes bytes to the standard output as they are. */
  write(bytes: Uint8Array): void;
  /**
   * Writes a line to the standard error.
   *
   * @param kind for a message that a CI system shows beside the log
   */
  note(line: string, kind?: MessageKind): void;
  /** Passes outputs to later steps if the CI system reads them from the standard error. */
  pass?(outputs: Readonly<Record<string, string>>): void;
  /** On a terminal, replaces the line last shown on the standard error. */
  show(line: string): void;
  /** From now on, failed writes do not end the program. Returns a function that counts them. */
  tolerateLostLines(): () => number;
  /** Reads the standard input to its end. */
  readInput(): Promise<string>;
}

/** An option that parsing, help, completion and documentation read. */
export interface Option {
  readonly type: "string" | "boolean";
  readonly multiple?: true;
  /** Placeholder of its value in help. */
  readonly value?: string;
  readonly text: string;
  /** Default in help. Not `default`, because `parseArgs` would set that and hide the variable. */
  readonly otherwise?: string;
  /** Also read from its variable: `--key-rate` from `EVIDENCE_KEY_RATE`. */
  readonly variable?: true;
  /** All valid values. */
  readonly values?: readonly string[];
  /** Whether a value may be written in any case. */
  readonly anyCase?: true;
  /** Its heading in help. */
  readonly heading?: string;
  readonly required?: true;
}

export type Options = Readonly<Record<string, Option>>;

type More = Pick<Option, "otherwise" | "variable" | "values" | "required" | "heading">;

/** An option with one value. */
export function text<const T extends More>(value: string, text: string, more?: T) {
  return { type: "string", value, text, ...more } as { type: "string"; value: string; text: string } & T;
}

/** An option that can be repeated. */
export function list(value: string, text: string, more?: Pick<More, "otherwise" | "variable">) {
  return { type: "string", multiple: true, value, text, ...more } as const;
}

export function flag(text: string, more?: Pick<More, "variable">) {
  return { type: "boolean", text, ...more } as const;
}

type ValueOf<O> = O extends { type: "boolean" }
  ? boolean
  : O extends { values: readonly (infer Value)[] }
    ? Value
    : O extends { multiple: true }
      ? string[]
      : string;

/** Values of options by name. */
export type ValuesOf<O> = { readonly [Name in keyof O]?: ValueOf<O[Name]> | undefined } & {
  readonly [Name in keyof O as O[Name] extends { required: true } ? Name : never]: ValueOf<O[Name]>;
};

export interface Definition {
  readonly group: string;
  readonly summary: string;
  /** Alternatives of arguments: `trail FLOW TRAIL`. Words in lower case are literal, those in brackets optional. */
  readonly args: readonly string[];
  readonly options: Options;
  readonly details?: string;
  /** Exit statuses, if there are others than 0 for success and 1 for failure. */
  readonly statuses?: string;
  /** Command lines, from the command's name on. */
  readonly examples: readonly string[];
}

/** A parsed command line. */
export interface Given<D extends Pick<Definition, "options">> {
  readonly values: ValuesOf<D["options"]>;
  readonly positionals: readonly string[];
}

/** @throws {UsageError} for unknown, missing or surplus options and arguments, and for invalid values */
export function parse<const D extends Definition>(
  args: readonly string[],
  name: string,
  { options, args: usages }: D,
): Given<D> {
  const { values, positionals } = split(args, options);
  for (const [option, { required, values: allowed, anyCase, value }] of Object.entries(options)) {
    const found = values[option];
    // An unset variable of a script, which must not mean the default.
    if ([found].flat().includes("")) throw new UsageError(`--${option} must not be empty`);
    if (required && found === undefined) throw new UsageError(`--${option} ${value} is required`);
    if (allowed && !anyCase && typeof found === "string") oneOf(found, allowed, `--${option}`);
  }
  requireArguments(positionals, name, usages.length === 0 ? [""] : usages, values);
  // The values were checked above.
  return { values: values as ValuesOf<D["options"]>, positionals };
}

type Values = Readonly<Record<string, unknown>>;

function split(args: readonly string[], options: Options): { values: Values; positionals: string[] } {
  try {
    const flags = args.map((word) => asFlag(word, options));
    const known = { options, strict: true, allowPositionals: true, allowNegative: true };
    const { tokens, ...parsed } = parseArgs({ args: flags, ...known, tokens: true });
    requireOnce(tokens, options);
    return parsed;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [, unknown] = /^Unknown option '([^']+)'/.exec(error.message) ?? [];
    const [, incomplete] = /^Option '.*?--([\w-]+).*?' argument/.exec(error.message) ?? [];
    if (unknown !== undefined) {
      const name = unknown.replace(/^--?/, "");
      const hint = name.length > 1 ? didYouMean(name, [...Object.keys(options), "help"], "--") : "";
      throw new UsageError(`Unknown option ${unknown}${hint}`);
    }
    if (incomplete === undefined) throw new UsageError(error.message.split(". ")[0]);
    throw new UsageError(
      `--${incomplete} needs a value: --${incomplete} ${options[incomplete]?.value ?? ""}`,
    );
  }
}

/** Refuses a second value, because a command that ignored one would still succeed. */
function requireOnce(tokens: readonly { kind: string; name?: string }[], options: Options): void {
  const names = tokens.flatMap(({ kind, name }) => (kind === "option" && name !== undefined ? [name] : []));
  const twice = names.find((name, index) => {
    const option = options[name];
    return option?.type === "string" && !option.multiple && names.indexOf(name) !== index;
  });
  if (twice !== undefined) throw new UsageError(`--${twice} must not be given twice`);
}

/** `--no-summary` for `--summary=false`, if it is a flag. */
function asFlag(word: string, options: Options): string {
  const [, name = "", value] = /^--([\w-]+)=(true|false)$/.exec(word) ?? [];
  if (options[name]?.type !== "boolean") return word;
  return value === "true" ? `--${name}` : `--no-${name}`;
}

/** `. Did you mean --port or --host?`, or an empty text if no name is similar. */
export function didYouMean(word: string, names: readonly string[], prefix = ""): string {
  const meant = nearest(word, names).map((name) => prefix + name);
  return meant.length === 0 ? "" : `. Did you mean ${alternatives(meant)}?`;
}

/** `a, b, or c` */
export function alternatives(words: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "disjunction" }).format(words);
}

/** A first word of a usage that has to be typed as it is. */
export const LITERAL = /^[a-z]+$/;

function requireArguments(
  found: readonly string[],
  name: string,
  usages: readonly string[],
  values: Values,
): void {
  const usage = usages.findLast((each) => {
    const [first = ""] = each.split(" ");
    if (first.startsWith("--")) return values[first.slice(2)] !== undefined;
    return !LITERAL.test(first) || first === found[0];
  });
  if (usage === undefined) {
    throw new UsageError(`Expected ${alternatives(usages.map((each) => `${name} ${each}`))}`);
  }
  const words = usage.split(" ").filter((word) => word !== "" && !word.startsWith("--"));
  const missing = words.slice(found.length).find((word) => !word.startsWith("["));
  if (missing !== undefined) {
    const allowed = usages.filter((each) => each === usage || each.startsWith("--"));
    const lines = allowed.map((each) => `delivery-evidence ${name} ${each}`);
    throw new UsageError(`${missing} is missing. Usage: ${lines.join(" or ")}`);
  }
  const surplus = usage.includes("…") ? undefined : found[words.length];
  if (surplus !== undefined) throw new UsageError(`Unexpected argument '${surplus}'`);
}

/**
 * @param name where the text is from, for the message: `--role`
 * @throws {UsageError} for any other text
 */
export function oneOf<const Value extends string>(
  text: string,
  values: readonly Value[],
  name: string,
): Value {
  const value = values.find((each) => each === text);
  if (value === undefined) throw new UsageError(`${name} must be ${alternatives(values)}, got '${text}'`);
  return value;
}

/** An empty variable counts as unset, as everywhere in workflows. */
export function given(environment: Environment, name: string): string | undefined {
  return environment[name] === "" ? undefined : environment[name];
}

/** `EVIDENCE_KEY_RATE` for `key-rate`. */
export function variableOf(option: string): string {
  return `EVIDENCE_${option.toUpperCase().replaceAll("-", "_")}`;
}

type TextOption<Values> = {
  [Name in keyof Values]-?: Values[Name] extends string | undefined ? Name : never;
}[keyof Values] &
  string;

/** Reads an option, else its variable: `--key-rate` or `EVIDENCE_KEY_RATE`. */
export function optionOrVariable<Values extends object>(
  values: Values,
  environment: Environment,
): (name: TextOption<Values>) => string | undefined {
  return (name) => {
    const option: unknown = values[name];
    return typeof option === "string" ? option : given(environment, variableOf(name));
  };
}

/**
 * @param what the content, for messages: `the key of secrets`
 * @throws {UsageError}
 */
export async function contentOf(file: string, what: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch {
    throw new UsageError(`Cannot read ${what} from the file ${file}`);
  }
}

/**
 * Unix seconds of `2027-01-31` or `2027-01-31T12:00:00Z`.
 *
 * @param option for messages: `--until`
 * @throws {UsageError} for an invalid or past date
 */
export function futureTime(text: string, option: string): number {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) / 1000 : Number.NaN;
  if (Number.isNaN(time)) throw new UsageError(`${option} must be a date such as 2027-01-31, got '${text}'`);
  if (time <= Date.now() / 1000) throw new UsageError(`${option} must be in the future, got '${text}'`);
  return time;
}

/** @throws {UsageError} */
export function portNumber(text: string, option: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new UsageError(`${option} must be between 0 and 65535, got '${text}'`);
  }
  return port;
}

/** Unix seconds as `2027-01-31`. */
export function day(time: number): string {
  return new Date(time * 1000).toISOString().slice(0, 10);
}

/** Unix seconds as `2027-01-31 12:00 UTC`. */
export function minute(time: number): string {
  return `${new Date(time * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

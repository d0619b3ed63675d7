/** An input's text is invalid. The message follows the input's name. */
export class Unreadable extends Error {}

export interface InputSpec {
  readonly description: string;
  /** Value of an empty input, as in `action.yml`. */
  readonly default?: string;
  /** Variable that an empty input is read from. */
  readonly fallback?: `EVIDENCE_${string}`;
}

export interface Input<T> extends InputSpec {
  /** The type as named in the README. */
  readonly type: string;
  readonly required: boolean;
  readonly secret?: true;
  /** @throws {Unreadable} with the expected form */
  readonly parse: (text: string) => T;
  /** Parses the items of a list from a file, without separators and comments. Lists and pairs have it. */
  readonly parseItems?: (items: readonly string[]) => T;
  readonly absent: T;
  /** All valid texts of a choice. */
  readonly choices?: readonly string[];
  /** Whether a choice may be written in any case. */
  readonly anyCase?: true;
}

export type Inputs = Readonly<Record<string, Input<unknown>>>;
export type ValuesOf<I extends Inputs> = {
  [Name in keyof I as CamelName<Name>]: I[Name] extends Input<infer T> ? T : never;
};
type CamelName<N> = N extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<CamelName<Tail>>}` : N;

const asIs = (value: string) => value;

export function required(spec: InputSpec): Input<string> {
  return { ...spec, type: "text", required: true, parse: asIs, absent: "" };
}

/** The service's key, masked before anything is printed. */
export function secret(spec: InputSpec & { required: boolean }): Input<string> {
  return { type: "secret", secret: true, parse: asIs, absent: "", ...spec };
}

export function text(spec: InputSpec): Input<string | undefined> {
  return { ...spec, type: "text", required: false, parse: asIs, absent: undefined };
}

/** A token for another service, masked before anything is printed. */
export function token(spec: InputSpec): Input<string | undefined> {
  return { ...text(spec), type: "secret", secret: true };
}

/** A boolean of the YAML 1.2 core schema. Anything else is ambiguous. */
export function flag(spec: InputSpec & { default: "true" | "false" }): Input<boolean> {
  return {
    ...spec,
    type: "true or false",
    required: false,
    parse: parseFlag,
    absent: spec.default === "true",
  };
}

export function parseFlag(value: string): boolean {
  if (/^(true|True|TRUE)$/.test(value)) return true;
  if (/^(false|False|FALSE)$/.test(value)) return false;
  throw new Unreadable(`must be true or false, not '${value}'`);
}

/** One of several choices. Without a default, the value may be absent. */
export function choice<const Choice extends string>(
  spec: InputSpec & { choices: readonly Choice[]; default: NoInfer<Choice>; anyCase?: true },
): Input<Choice>;
export function choice<const Choice extends string>(
  spec: InputSpec & { choices: readonly Choice[] },
): Input<Choice | undefined>;
export function choice({
  choices,
  anyCase,
  ...spec
}: InputSpec & { choices: readonly string[]; anyCase?: true }): Input<string | undefined> {
  return {
    ...spec,
    type: choices.map((c) => `\`${c}\``).join(", "),
    required: false,
    choices,
    ...(anyCase && { anyCase }),
    parse(value) {
      const known = (each: string) =>
        each === value || (anyCase && each.toLowerCase() === value.toLowerCase());
      const choice = choices.find(known);
      if (choice !== undefined) return choice;
      throw new Unreadable(`must be ${orList(choices)}, not '${value}'`);
    },
    absent: spec.default,
  };
}

export function whole(spec: InputSpec & { default: string; min: number; max: number }): Input<number> {
  const { min, max, ...rest } = spec;
  return {
    ...rest,
    type: "whole number",
    required: false,
    parse(value) {
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      if (number >= min && number <= max) return number;
      throw new Unreadable(`must be a whole number from ${min} to ${max}, not '${value}'`);
    },
    absent: Number(spec.default),
  };
}

/** Items without commas, one a line or comma-separated; `#` begins a comment. */
export function list(spec: InputSpec & { required?: boolean }): Input<string[]> {
  const parse = (value: string) =>
    itemsOf(value).flatMap((line) =>
      line
        .split(",")
        .map((i) => i.trim())
        .filter(Boolean),
    );
  return { required: false, ...spec, type: "list", parse, parseItems, absent: [] };
}

/** Items that may contain commas, one a line; `#` begins a comment. */
export function lines(spec: InputSpec): Input<string[]> {
  return { ...spec, type: "lines", required: false, parse: itemsOf, parseItems, absent: [] };
}

function parseItems(items: readonly string[]): string[] {
  return [...items];
}

/** A list of choices. */
export function choices<const Choice extends string>(
  spec: InputSpec & { choices: readonly Choice[] },
): Input<Choice[]> {
  const { choices: known, ...rest } = spec;
  const base = list(rest);
  const isKnown = (item: string): item is Choice => known.some((choice) => choice === item);
  const parseItems = (items: readonly string[]) => {
    const wrong = items.filter((item) => !isKnown(item));
    if (wrong.length > 0)
      throw new Unreadable(`must list ${orList(known)}, not ${wrong.map((w) => `'${w}'`).join(", ")}`);
    return items.filter(isKnown);
  };
  return {
    ...rest,
    required: false,
    type: `list of ${known.map((c) => `\`${c}\``).join(", ")}`,
    parse: (value) => parseItems(base.parse(value)),
    parseItems,
    absent: [],
  };
}

/** `name=value` lines. */
export function pairs(spec: InputSpec): Input<Record<string, string>> {
  const parseItems = (items: readonly string[]) => {
    const entries = items.map((line): [string, string] => {
      const at = line.indexOf("=");
      if (at < 1) throw new Unreadable(`must be name=value lines, not '${line}'`);
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    });
    const names = entries.map(([name]) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Unreadable(`must not name '${twice}' twice`);
    return Object.fromEntries(entries);
  };
  return {
    ...spec,
    type: "`name=value` lines",
    required: false,
    parse: (value) => parseItems(itemsOf(value)),
    parseItems,
    absent: {},
  };
}

/** A `#` begins a comment at the start of a line or after a blank, so that addresses keep their fragments. */
function itemsOf(value: string): string[] {
  return value
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter(Boolean);
}

function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

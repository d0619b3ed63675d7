import { readFile } from "node:fs/promises";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** A user's mistake, shown as one line. */
export class UsageError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Terminal {
  readonly environment: Environment;
  /** The standard error is a terminal. */
  readonly interactive: boolean;
  /** Writes text and a line break to the standard output. */
  print(text: string): void;
  /** Writes bytes to the standard output as they are. */
  write(bytes: Uint8Array): void;
  /** Writes a line to the standard error. */
  note(line: string): void;
  /** On a terminal, replaces the line last shown on the standard error. */
  show(line: string): void;
  /** From now on, failed writes do not end the program. Returns a function that counts them. */
  tolerateLostLines(): () => number;
  /** Reads the standard input to its end. */
  readInput(): Promise<string>;
}

/**
 * Options by what they take.
 *
 * @param texts options with one value
 * @param lists options that may be given again
 */
export function options<
  const Text extends string = never,
  const List extends string = never,
  const Flag extends string = never,
>(texts: readonly Text[], lists: readonly List[] = [], flags: readonly Flag[] = []) {
  const named = <Name extends string, Option>(names: readonly Name[], option: Option) =>
    Object.fromEntries(names.map((name) => [name, option])) as Record<Name, Option>;
  return {
    ...named(texts, { type: "string" } as const),
    ...named(lists, { type: "string", multiple: true } as const),
    ...named(flags, { type: "boolean" } as const),
  };
}

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<typeof parse<Options>>["values"];
export type ValuesOf<Options extends ParseArgsOptionsConfig> = {
  readonly [Name in keyof Parsed<Options>]?: Parsed<Options>[Name] | undefined;
};

/** @throws {UsageError} for an unknown option or surplus arguments */
export function parse<T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: T,
  maxPositionals = 0,
) {
  try {
    const parsed = parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
    const surplus = parsed.positionals[maxPositionals];
    if (surplus !== undefined) throw new UsageError(`Unexpected argument '${surplus}'`);
    return parsed;
  } catch (error) {
    // The rest of Node's message is about arguments with a leading dash.
    if (error instanceof TypeError) throw new UsageError(error.message.split(". ")[0]);
    throw error;
  }
}

/** An empty variable counts as unset, as everywhere in workflows. */
export function given(environment: Environment, name: string): string | undefined {
  return environment[name] === "" ? undefined : environment[name];
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
    if (typeof option === "string") return option;
    return given(environment, `EVIDENCE_${name.toUpperCase().replaceAll("-", "_")}`);
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
    throw new UsageError(`The file ${file} with ${what} cannot be read`);
  }
}

/**
 * Unix seconds of `2027-01-31` or `2027-01-31T12:00:00Z`.
 *
 * @throws {UsageError} for an invalid or past date
 */
export function futureTime(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) / 1000 : Number.NaN;
  if (Number.isNaN(time)) throw new UsageError(`'${text}' is not a date such as 2027-01-31`);
  if (time <= Date.now() / 1000) throw new UsageError("The expiry date is in the past");
  return time;
}

/** Unix seconds as `2027-01-31`. */
export function day(time: number): string {
  return new Date(time * 1000).toISOString().slice(0, 10);
}

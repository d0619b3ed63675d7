import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** A mistake of the user: shown as one line. */
export class UsageError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command speaks to. */
export interface Terminal {
  readonly environment: Environment;
  /** Whether a person sees what is noted: the standard error is a terminal. */
  readonly interactive: boolean;
  /** Writes text and a line break to the standard output. */
  print(text: string): void;
  /** Writes bytes to the standard output as they are. */
  write(bytes: Uint8Array): void;
  /** Writes a line to the standard error. */
  note(line: string): void;
  /** Shows a line on the standard error in place of the one that it showed before, when a person sees it. */
  show(line: string): void;
  /** From now on a line that cannot be written no longer ends the program. Returns a function that counts such lines. */
  tolerateLostLines(): () => number;
  /** Reads the standard input to its end. */
  readInput(): Promise<string>;
}

/** @throws {UsageError} for an option that is not known, or more words than there may be */
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
    // Node's own text goes on to explain how to pass arguments that start with a dash.
    if (error instanceof TypeError) throw new UsageError(error.message.split(". ")[0]);
    throw error;
  }
}

/** A variable that is set to nothing counts as not set, as everywhere in workflows. */
export function given(environment: Environment, name: string): string | undefined {
  return environment[name] === "" ? undefined : environment[name];
}

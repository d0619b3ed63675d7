import { InputError, isUnavailable } from "../api/client/errors.ts";
import { hiding } from "../api/client/hiding.ts";
import { type Action, fieldInputs, type Outcome } from "../github/step/action.ts";
import { makeContext } from "../github/step/context.ts";
import type { Inputs } from "../github/step/input.ts";
import { readInputs } from "../github/step/inputs.ts";
import { readRunner } from "../github/step/runner.ts";
import type { Cell, Summary } from "../github/step/summary.ts";
import { openConnection } from "./connection-options.ts";
import { textsOf } from "./input-options.ts";
import { columns } from "./layout.ts";
import { interrupted } from "./long-command.ts";
import type { CONNECTION_OPTIONS } from "./options.ts";
import type { Options, Terminal, ValuesOf } from "./usage.ts";

/** Exit status if the service could not be asked, so that nothing is known. */
const UNDECIDED = 2;

/** Options of commands that do what an action does. */
interface ActionValues extends ValuesOf<typeof CONNECTION_OPTIONS> {
  readonly "dry-run"?: boolean | undefined;
  readonly output?: string | undefined;
}

/**
 * Does what an action does, with options in place of its inputs. Prints only the outcome to the standard output.
 *
 * @param options the inputs that are options; others have their defaults
 * @returns the exit status
 */
export async function runAsCommand<I extends Inputs, Output extends string, Ready>(
  action: Action<I, Output, Ready>,
  options: Options,
  values: ActionValues,
  terminal: Terminal,
): Promise<number> {
  const {
    values: inputs,
    given,
    problems,
  } = readInputs(action.inputs, textsOf(options, { ...values }, terminal.environment), {});
  const asOptions = (error: unknown) => inOptions(error, Object.keys(options));
  const checked = await action.check(inputs, given);
  if ("problems" in checked || problems.length > 0)
    throw asOptions(new InputError([...problems, ...("problems" in checked ? checked.problems : [])]));
  await using connection = await openConnection(values, terminal);
  using interruption = interrupted();
  const { signal } = interruption;
  const { mask, log } = wordsFor(terminal);
  const context = makeContext(
    {
      runner: readRunner({ ...terminal.environment }),
      connection,
      signal,
      dryRun: values["dry-run"] ?? false,
      allowHttp: values["allow-http"] ?? false,
      log,
      mask,
    },
    fieldInputs(action),
  );
  try {
    const outcome = await action.run(checked.values, context);
    printOutcome(outcome, values.output === "json", terminal);
    return outcome.failure === undefined ? 0 : 1;
  } catch (error) {
    if (signal.aborted) return interruption.status(terminal);
    if (!isUnavailable(error)) throw asOptions(error);
    log.error(String(error instanceof Error ? error.message : error));
    return UNDECIDED;
  }
}

/** Writes what an action tells to the standard error, without secrets. */
function wordsFor({ note, print }: Terminal) {
  const secrets: string[] = [];
  let hide = hiding(secrets);
  return {
    mask(secret: string) {
      secrets.push(secret);
      hide = hiding(secrets);
    },
    log: {
      info: (line: string) => note(hide(line)),
      warning: (text: string) => note(hide(`warning: ${text}`)),
      error: (text: string) => note(hide(`delivery-evidence: ${text}`)),
      debug() {},
      group(title: string, text: string) {
        note(hide(`${title}:`));
        print(hide(text));
      },
    },
  };
}

function printOutcome(
  { outputs, summary, failure }: Outcome<string>,
  asJson: boolean,
  { print, note }: Terminal,
): void {
  if (asJson) print(JSON.stringify(outputs));
  else if (summary) print(textOf(summary));
  if (failure) note(`delivery-evidence: ${failure.title}\n${failure.text}`);
}

function textOf({ heading, columns: names, rows }: Summary): string {
  const filled = rows.map((row) => row.map(cellText)).filter((row) => names || row.at(-1) !== "");
  const table = names ? [names, ...filled] : filled;
  return table.length === 0 ? heading : `${heading}\n${columns(table)}`;
}

function cellText(cell: Cell): string {
  return typeof cell === "string" ? cell : cell.text;
}

/** Names options in place of inputs. */
function inOptions(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof InputError)) return error;
  const problems = error.problems.map(({ input, problem, ...more }) => ({
    ...more,
    input: names.includes(input) ? `--${input}` : input,
    problem: withOptions(problem, names),
  }));
  return new InputError(problems, { advice: withOptions(error.advice, names), cause: error });
}

/** `allow-empty: true` and `pods-file` as `--allow-empty` and `--pods-file`. Names of one word are also plain words. */
function withOptions(text: string, names: readonly string[]): string {
  return names
    .filter((name) => name.includes("-"))
    .reduce(
      (left, name) => left.replace(new RegExp(`(?<![\\w-])${name}(?: ?: true)?(?![\\w-])`, "g"), `--${name}`),
      text,
    );
}

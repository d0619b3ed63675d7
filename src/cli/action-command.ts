import { InputError, isUnavailable } from "../api/client/errors.ts";
import { hiding } from "../api/client/hiding.ts";
import { readJob } from "../ci/job-runner.ts";
import { type Action, fieldInputs, type Outcome } from "../github/step/action.ts";
import { makeContext } from "../github/step/context.ts";
import { readInputs } from "../github/step/inputs.ts";
import type { Cell, Summary } from "../github/step/summary.ts";
import { openConnection } from "./connection-options.ts";
import { textsOf } from "./input-options.ts";
import { interrupted } from "./interrupts.ts";
import { columns } from "./layout.ts";
import type { ACTION_OPTIONS } from "./options.ts";
import type { Terminal, ValuesOf } from "./usage.ts";

/** Exit status if the service could not be asked, so that nothing is known. */
const UNDECIDED = 2;

/**
 * Does what an action does, with options in place of its inputs. Prints only the outcome to the standard output.
 *
 * @returns the exit status
 */
export async function runAsCommand(
  action: Action,
  values: ValuesOf<typeof ACTION_OPTIONS>,
  terminal: Terminal,
): Promise<number> {
  const texts = textsOf(action.inputs, { ...values }, terminal.environment);
  const { values: inputs, given, problems } = readInputs(action.inputs, texts, {});
  const asOptions = (error: unknown) => inOptions(error, Object.keys(action.inputs));
  const checked = await action.check(inputs, given);
  if ("problems" in checked || problems.length > 0)
    throw asOptions(new InputError([...problems, ...("problems" in checked ? checked.problems : [])]));
  await using connection = await openConnection(values, terminal);
  using interruption = interrupted();
  const { signal } = interruption;
  const { mask, log } = wordsFor(terminal);
  for (const [name, { secret }] of Object.entries(action.inputs)) if (secret) mask(String(texts[name] ?? ""));
  const context = makeContext(
    {
      runner: await readJob(terminal.environment),
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
      if (secret !== "") secrets.push(secret);
      hide = hiding(secrets);
    },
    log: {
      info: (line: string) => note(hide(line)),
      warning: (text: string) => note(hide(`warning: ${text}`), "warning"),
      error: (text: string) => note(hide(`delivery-evidence: ${text}`), "error"),
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
  { print, note, pass }: Terminal,
): void {
  if (asJson) print(JSON.stringify(outputs));
  else if (summary) print(textOf(summary));
  pass?.(outputs);
  if (failure) note(`delivery-evidence: ${failure.title}\n${failure.text}`, "error");
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
  return new InputError(problems, {
    noun: "option",
    advice: withOptions(error.advice, names),
    cause: error,
  });
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

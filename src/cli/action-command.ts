import {
  ApiError,
  type FilePlace,
  InputError,
  isEvidenceError,
  isUnavailable,
  ProtocolError,
} from "../api/client/errors.ts";
import { hiding } from "../api/client/hiding.ts";
import { readJob } from "../ci/job-runner.ts";
import { type Action, fieldInputs, type Outcome } from "../github/step/action.ts";
import { makeContext } from "../github/step/context.ts";
import { readInputs } from "../github/step/inputs.ts";
import type { Cell, Summary } from "../github/step/summary.ts";
import { openConnection } from "./connection-options.ts";
import { type NamedInputs, textsOf, withOptions } from "./input-options.ts";
import { interrupted } from "./interrupts.ts";
import { columns } from "./layout.ts";
import { ACTION_OPTIONS } from "./options.ts";
import type { Terminal, ValuesOf } from "./usage.ts";

/** Exit status if the result is unknown, for example because the service is unavailable. */
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
  const named: NamedInputs = { ...action.inputs, ...ACTION_OPTIONS };
  const asOptions = (error: unknown) => inOptions(error, named);
  const asJson = values.output === "json";
  const checked = await action.check(inputs, given);
  if ("problems" in checked || problems.length > 0)
    throw asOptions(new InputError([...problems, ...("problems" in checked ? checked.problems : [])]));
  using interruption = interrupted();
  const { signal } = interruption;
  await using connection = await openConnection(values, terminal, undefined, signal);
  const { mask, log } = logFor(terminal, { named, asJson });
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
    printOutcome(outcome, { named, asJson }, terminal);
    if (outcome.failure === undefined) return 0;
    return outcome.failure.undecided ? UNDECIDED : 1;
  } catch (error) {
    if (signal.aborted) return interruption.status(terminal);
    if (!isUnavailable(error)) throw asOptions(error);
    log.error(
      isEvidenceError(error)
        ? [error.message, withOptions(error.advice, named)].filter(Boolean).join("\n  ")
        : String(error),
    );
    return UNDECIDED;
  }
}

interface Form {
  readonly named: NamedInputs;
  readonly asJson: boolean;
}

/**
 * The log of an action, which goes to the standard error without secrets. The requests of a dry run are its result, so
 * they go to the standard output, unless that is JSON.
 */
function logFor({ note, print }: Terminal, { named, asJson }: Form) {
  const secrets: string[] = [];
  let hide = hiding(secrets);
  return {
    mask(secret: string) {
      if (secret !== "") secrets.push(secret);
      hide = hiding(secrets);
    },
    log: {
      info: (line: string) => note(hide(line)),
      warning: (text: string) => note(hide(`warning: ${withOptions(text, named)}`), "warning"),
      error(text: string, title?: string, place?: FilePlace) {
        const line = place?.line === undefined ? "" : `:${place.line}`;
        const parts = [place && `${place.file}${line}`, title, text].filter(Boolean);
        note(hide(`delivery-evidence: ${parts.join(": ")}`), "error");
      },
      debug() {},
      group(title: string, text: string) {
        note(hide(`${title}:`));
        if (asJson) note(hide(text));
        else print(hide(text));
      },
    },
  };
}

function printOutcome(
  { outputs, summary, failure }: Outcome<string>,
  { named, asJson }: Form,
  { print, note, pass }: Terminal,
): void {
  if (asJson) print(JSON.stringify(outputs));
  else if (summary) print(textOf(summary));
  pass?.(outputs);
  if (failure) note(`delivery-evidence: ${failure.title}\n${withOptions(failure.text, named)}`, "error");
}

function textOf({ heading, columns: names, rows }: Summary): string {
  const filled = rows.map((row) => row.map(cellText)).filter((row) => names || row.at(-1) !== "");
  const table = names ? [names, ...filled] : filled;
  return table.length === 0 ? heading : `${heading}\n${columns(table)}`;
}

function cellText(cell: Cell): string {
  return typeof cell === "string" ? cell : cell.text;
}

/** Names options in place of inputs. Messages of the service stay unchanged. */
function inOptions(error: unknown, named: NamedInputs): unknown {
  if (error instanceof InputError) {
    const problems = error.problems.map(({ input, problem, ...more }) => ({
      ...more,
      input: Object.hasOwn(named, input) ? `--${input}` : input,
      problem: withOptions(problem, named),
    }));
    return new InputError(problems, {
      noun: "option",
      advice: withOptions(error.advice, named),
      cause: error,
    });
  }
  if (error instanceof ApiError) return error.explained({ advice: withOptions(error.advice, named) });
  if (error instanceof ProtocolError) {
    const { message: what, advice, details } = error;
    return new ProtocolError({ what, advice: withOptions(advice, named), details, cause: error });
  }
  return error;
}

import { COMMANDS, type CommandName, commandOf, commandsOf, NAMES } from "./commands.ts";
import { rows, sections, WIDTH, wrapped } from "./layout.ts";
import { alternatives, type Definition, didYouMean, type Option, UsageError, variableOf } from "./usage.ts";

const PROGRAM = "delivery-evidence";
const LISTS = `${PROGRAM} --help lists the commands`;

/**
 * Help for a command or an operation; an overview of all commands, or of a group such as `keys`.
 *
 * @throws {UsageError} for an unknown command
 */
export async function helpFor(words: readonly string[]): Promise<string> {
  const [first, second] = words;
  if (first === undefined) return overview(NAMES);
  if (first === "call" && second !== undefined) {
    return (await import("./operation-help.ts")).operationHelp(second);
  }
  const name = commandOf(words);
  if (name !== undefined) return commandHelp(name);
  const group = commandsOf(words.join(" "));
  if (group.length === 0) throw unknownCommand(words);
  return overview(group);
}

export function unknownCommand([first, second = ""]: readonly string[]): UsageError {
  if (first === undefined) return new UsageError(`No command given. ${LISTS}`);
  const group = commandsOf(first);
  if (first.startsWith("-")) {
    const hint = didYouMean(first.replace(/^--?/, ""), ["version", "help"], "--") || ".";
    return new UsageError(`Unknown option ${first}${hint} ${LISTS}`);
  }
  const hint = didYouMean(first, NAMES) || ".";
  if (group.length === 0) return new UsageError(`Unknown command '${first}'${hint} ${LISTS}`);
  return new UsageError(`Expected ${alternatives(group)}, got '${`${first} ${second}`.trim()}'`);
}

function overview(listed: readonly CommandName[]): string {
  const groups = Map.groupBy(listed, (name) => COMMANDS[name].group);
  const width = Math.max(...listed.map(({ length }) => length));
  return sections({
    [`Usage: ${PROGRAM} COMMAND [OPTION…]`]: [],
    ...Object.fromEntries(
      [...groups].map(([group, names]) => [
        `${group}:`,
        rows(
          names.map((name) => [name, COMMANDS[name].summary]),
          width,
        ),
      ]),
    ),
    [`"${PROGRAM} help COMMAND" prints the options of a command,`]: [`"${PROGRAM} --version" the version.`],
  });
}

function commandHelp(name: CommandName): string {
  const definition: Definition = COMMANDS[name];
  const { summary, details, statuses, examples } = definition;
  const options = Object.entries(definition.options).map(
    ([option, shape]) => [optionText(option, shape), describeOption(option, shape)] as const,
  );
  return sections({
    [summary]: [],
    "Usage:": usagesOf(name, definition).map((line) => `  ${PROGRAM} ${line}`),
    ...(options.length > 0 && { "Options:": rows(options) }),
    "Examples:": examples.map((line) => `  ${PROGRAM} ${line}`),
    ...(details !== undefined && { [wrapped(details, WIDTH).join("\n")]: [] }),
    ...(statuses !== undefined && { [`Exit status: ${statuses}.`]: [] }),
  });
}

/** `share badge FLOW [OPTION…]` for each alternative. */
export function usagesOf(name: string, { args, options }: Definition): string[] {
  const required = Object.entries(options).filter(([, option]) => option.required);
  const rest = [
    ...required.map(([option, shape]) => optionText(option, shape)),
    ...(Object.keys(options).length > required.length ? ["[OPTION…]"] : []),
  ];
  return (args.length > 0 ? args : [""]).map((words) => [name, words, ...rest].filter(Boolean).join(" "));
}

/** `--port PORT` */
export function optionText(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

export function describeOption(
  name: string,
  { text, values, otherwise, variable, multiple }: Option,
): string {
  return [
    text,
    ...(values === undefined ? [] : [`Values: ${values.join(", ")}`]),
    ...(otherwise === undefined ? [] : [`Default: ${otherwise}`]),
    ...(variable ? [`Variable: ${variableOf(name)}`] : []),
    ...(multiple ? ["Repeatable"] : []),
  ]
    .map((sentence) => `${sentence}.`)
    .join(" ");
}

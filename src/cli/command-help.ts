import { rows, sections, WIDTH, wrapped } from "./layout.ts";
import { type Definition, type Option, variableOf } from "./usage.ts";

export const PROGRAM_NAME = "delivery-evidence";

/** Help for one command. */
export function commandHelp(name: string, definition: Definition): string {
  const { summary, details, statuses, examples } = definition;
  const byHeading = Map.groupBy(Object.entries(definition.options), ([, { heading = "Options" }]) => heading);
  const options = [...byHeading].map(([heading, members]) => [
    `${heading}:`,
    rows(members.map(([option, shape]) => [optionText(option, shape), describeOption(option, shape)])),
  ]);
  return sections({
    [summary]: [],
    "Usage:": usagesOf(name, definition).map((line) => `  ${PROGRAM_NAME} ${line}`),
    ...Object.fromEntries(options),
    "Examples:": examples.map((line) => `  ${PROGRAM_NAME} ${line}`),
    ...(details !== undefined && { [wrapped(details, WIDTH).join("\n")]: [] }),
    ...(statuses !== undefined && { [wrapped(`Exit status: ${statuses}.`, WIDTH).join("\n")]: [] }),
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

import type { Input, Inputs } from "../github/step/input.ts";
import { type Environment, given, type Option, type Options, variableOf } from "./usage.ts";

/** Options with the names of an action's inputs. Each is also read from its variable. */
export function optionsOf(inputs: Inputs): Options {
  return Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, optionOf(input)]));
}

const JOB_TOKEN = "${{ github.token }}";

function optionOf({ type, description, default: otherwise, parseItems, choices }: Input<unknown>): Option {
  const about = { text: description.replaceAll("`", "").replace(/\.$/, ""), variable: true } as const;
  const isFlag = type === "true or false";
  if (isFlag && otherwise === "false") return { type: "boolean", ...about };
  const shown = otherwise === JOB_TOKEN ? "GITHUB_TOKEN" : otherwise;
  const more = shown === undefined ? about : { ...about, otherwise: shown };
  if (isFlag) return { type: "boolean", ...more };
  return {
    type: "string",
    value: "TEXT",
    ...(parseItems && { multiple: true }),
    ...(choices && { values: choices }),
    ...more,
  };
}

/** The texts of an action's inputs, from its options or their variables. */
export function textsOf(
  inputs: Inputs,
  values: Readonly<Record<string, unknown>>,
  environment: Environment,
): Record<string, string | string[]> {
  const texts: Record<string, string | string[]> = {};
  for (const [name, input] of Object.entries(inputs)) {
    const isJobToken = input.default === JOB_TOKEN;
    const otherwise = isJobToken ? given(environment, "GITHUB_TOKEN") : undefined;
    const value = values[name] ?? given(environment, variableOf(name)) ?? otherwise;
    if (value !== undefined) texts[name] = Array.isArray(value) ? value.map(String) : String(value);
  }
  return texts;
}

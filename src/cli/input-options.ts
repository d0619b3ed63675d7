import type { Input, Inputs } from "../github/step/input.ts";
import { type Environment, given, type Option, type Options, variableOf } from "./usage.ts";

/** Options with the names of an action's inputs. Each is also read from its variable. */
export function optionsOf<I extends Inputs>(inputs: I): { readonly [Name in keyof I]: Option } {
  const options = Object.entries(inputs).map(([name, input]) => [name, optionOf(input)]);
  return Object.fromEntries(options);
}

function optionOf({ type, description, default: otherwise, parseItems }: Input<unknown>): Option {
  const about = { text: description.replaceAll("`", "").replace(/\.$/, ""), variable: true } as const;
  if (type === "true or false" && otherwise === "false") return { type: "boolean", ...about };
  const more = otherwise === undefined ? about : { ...about, otherwise };
  if (parseItems) return { type: "string", multiple: true, value: "TEXT", ...more };
  if (type === "true or false") return { type: "string", value: "FLAG", values: ["true", "false"], ...more };
  return { type: "string", value: "TEXT", ...more };
}

/** The texts of an action's inputs, from its options or their variables. */
export function textsOf(
  options: Options,
  values: Readonly<Record<string, unknown>>,
  environment: Environment,
): Record<string, string | string[]> {
  const texts: Record<string, string | string[]> = {};
  for (const name of Object.keys(options)) {
    const value = values[name] ?? given(environment, variableOf(name));
    if (value !== undefined) texts[name] = Array.isArray(value) ? value.map(String) : String(value);
  }
  return texts;
}

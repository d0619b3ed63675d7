import type { Action } from "../github/step/action.ts";
import type { Input, Inputs } from "../github/step/input.ts";
import { type Environment, given, type Option, type Options, variableOf } from "./usage.ts";

/**
 * Options with the names of an action's inputs. Each is also read from its variable. An option that only one value
 * of a choice uses has a heading.
 */
export function optionsOf(inputs: Inputs, usedBy?: Action["usedBy"]): Options {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => {
      const [only, ...others] = usedBy?.values[name] ?? [];
      const heading = only && others.length === 0 ? `Options of --${usedBy?.choice} ${only}` : undefined;
      return [name, optionOf(name, input, inputs, heading)];
    }),
  );
}

/** Inputs by name, as far as texts name them. */
export type NamedInputs = Readonly<Record<string, Pick<Input<unknown>, "type" | "choices">>>;

/**
 * Names of inputs as options: `fingerprint` in backticks as `--fingerprint`, `kind: artifact` as `--kind artifact`, and
 * `allow-empty: true` as `--allow-empty`. A name with a hyphen, or with one of its choices, needs no backticks, unless it
 * is part of a path or of quoted text. Other names of one word are also plain words.
 */
export function withOptions(text: string, inputs: NamedInputs): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? codeWithOption(part, inputs) : plainWithOptions(part, inputs)))
    .join("");
}

function codeWithOption(code: string, inputs: NamedInputs): string {
  const [, name = "", value] = /^`([\w-]+)(?:: ?([^\s`]+))?`$/.exec(code) ?? [];
  return Object.hasOwn(inputs, name) ? asOption(name, value) : code;
}

function plainWithOptions(text: string, inputs: NamedInputs): string {
  return Object.entries(inputs).reduce((left, [name, { choices = ["true", "false"] }]) => {
    const isWord = !name.includes("-");
    const value = `(?: ?: (${choices.join("|")})(?![\\w-]))${isWord ? "" : "?"}`;
    return left.replace(
      new RegExp(`(?<![\\w./'"=-])${name}(?!\\.\\w|[\\w/'"=-])${value}`, "g"),
      (_, chosen?: string) => asOption(name, chosen),
    );
  }, text);
}

function asOption(name: string, value: string | undefined): string {
  if (value === "false") return `--no-${name}`;
  return value === undefined || value === "true" ? `--${name}` : `--${name} ${value}`;
}

const JOB_TOKEN = "${{ github.token }}";

/** Placeholder of a value in help, by the description or else the name: `--test-results PATH`, `--flow FLOW`. */
function placeholder(name: string, { type, description, choices, parseItems }: Input<unknown>): string {
  if (/^(?:Paths?|Globs|File|YAML file|Artifact to fingerprint)\b/.test(description)) return "PATH";
  if (type === "whole number") return "NUMBER";
  if (type === "`name=value` lines") return "NAME=VALUE";
  if (choices && !parseItems) return "VALUE";
  const word = name.split("-").at(-1) ?? name;
  return (parseItems ? word.replace(/ies$/, "y").replace(/s$/, "") : word).toUpperCase();
}

function optionOf(name: string, input: Input<unknown>, inputs: Inputs, heading?: string): Option {
  const { type, description, default: otherwise, parseItems, choices, anyCase } = input;
  const isFlag = type === "true or false";
  const shown = otherwise === JOB_TOKEN ? "GITHUB_TOKEN" : otherwise;
  return {
    ...(isFlag ? { type: "boolean" } : { type: "string", value: placeholder(name, input) }),
    ...(parseItems && { multiple: true }),
    ...(choices && { values: choices, ...(anyCase && { anyCase }) }),
    ...(shown !== undefined && !(isFlag && shown === "false") && { otherwise: shown }),
    ...(heading !== undefined && { heading }),
    variable: true,
    // Only help reads it, and looking for names in all texts takes longer than the rest of a start.
    get text() {
      const others = Object.entries(inputs).filter(([other]) => !choices?.includes(other));
      return withOptions(description, Object.fromEntries(others)).replaceAll("`", "").replace(/\.$/, "");
    },
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

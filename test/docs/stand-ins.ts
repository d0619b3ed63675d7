import type { Input, Inputs } from "../../src/github/step/input.ts";
import { Unreadable } from "../../src/github/step/input.ts";

/** Possible values of an expression, for inputs that accept only some values. */
const BY_NAME: Readonly<Record<string, string>> = {
  fingerprint: "a".repeat(64),
  commit: "b".repeat(40),
  "base-url": "https://evidence.example.com",
  "user-data": "{}",
  data: "{}",
  "slack-webhooks": "https://hooks.example.com/1",
  webhooks: "https://hooks.example.com/2",
};

/** The texts of inputs with a valid value of the input instead of each expression. */
export function withStandIns(
  inputs: Inputs,
  texts: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const input = inputs[name];
      return [name, input && isExpression(text) ? standInFor(name, input) : evaluated(text)];
    }),
  );
}

/** Whether all of a value is an expression; one within a text is only a part of it. */
function isExpression(text: string): boolean {
  return /^\s*\$\{\{[^}]*\}\}\s*$/.test(text);
}

/** A text with its expressions replaced by possible values. */
export function evaluated(text: string): string {
  return text.replace(/\$\{\{([^}]*)\}\}/g, (_, expression: string) => {
    if (/fingerprint|digest/.test(expression)) return "a".repeat(64);
    if (/BASE_URL/.test(expression)) return "https://evidence.example.com";
    return /sha/.test(expression) ? "b".repeat(40) : "standin";
  });
}

function standInFor(name: string, input: Input<unknown>): string {
  const words = [...input.type.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
  const candidates = [BY_NAME[name], "standin", "true", "1", ...words].filter((text) => text !== undefined);
  const taken = candidates.find((text) => text !== input.default && takes(input, text));
  if (taken === undefined) throw new Error(`No value is known that ${name} takes`);
  return taken;
}

function takes(input: Input<unknown>, text: string): boolean {
  try {
    input.parse(text);
    return true;
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}

import type { Inputs } from "./input.ts";
import { inputKey } from "./inputs.ts";
import { issueCommand } from "./toolkit.ts";

/**
 * Keeps the API key out of the log from here on, also as the basic authorization made of it: the runner would mask
 * that itself only for one key length in three.
 */
export function maskApiKey(apiKey: string): void {
  const key = apiKey.trim();
  maskLines(key);
  if (key !== "") mask(Buffer.from(`${key}:`).toString("base64"));
}

/** Keeps the values of an action's secret inputs out of the log from here on. */
export function maskSecrets(inputs: Inputs, values: Readonly<Record<string, unknown>>): void {
  for (const [name, { secret }] of Object.entries(inputs)) {
    const value = values[inputKey(name)];
    if (secret) for (const item of Array.isArray(value) ? value : [value]) maskLines(String(item ?? ""));
  }
}

/** Keeps one secret out of the log. The runner masks within lines, and warns when it is to mask nothing. */
export function maskLines(secret: string): void {
  for (const line of secret.split(/\r?\n/).map((l) => l.trim())) if (line !== "") mask(line);
}

function mask(text: string): void {
  issueCommand("add-mask", {}, text);
}

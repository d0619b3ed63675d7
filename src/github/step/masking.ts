import { base64, basicCredentials } from "../../net/basic-credentials.ts";
import type { Inputs } from "./input.ts";
import { inputKey } from "./inputs.ts";
import { issueCommand } from "./toolkit.ts";

/** A shorter key cannot be kept out of the log without hiding half of the log, so no action takes one. */
export const MIN_KEY_LENGTH = 8;
/** Shorter texts stand in other words by chance: hiding them would garble the log and keep nothing secret. */
const MIN_MASKED = 4;
/** From this length on a part of a webhook's address is a token; what is shorter is a word such as `services`. */
const MIN_TOKEN_LENGTH = 16;

const hidden = new Set<string>();
/** Of these, what came with the inputs: nothing that is handed on may hold it. */
const given = new Set<string>();

/**
 * Keeps the API key out of the log from here on, also as the basic authorization made of it: the runner would mask
 * that itself only for one key length in three.
 */
export function maskApiKey(apiKey: string): void {
  const key = apiKey.trim();
  if (key.length < MIN_KEY_LENGTH) return;
  maskGiven(key);
  maskGiven(basicCredentials(key));
  maskGiven(base64(key));
}

/** Keeps the values of an action's secret inputs out of the log from here on. */
export function maskSecrets(inputs: Inputs, values: Readonly<Record<string, unknown>>): void {
  for (const [name, { secret }] of Object.entries(inputs)) {
    const value = values[inputKey(name)];
    if (!secret) continue;
    for (const item of Array.isArray(value) ? value : [value]) {
      const text = String(item ?? "");
      for (const part of [text, ...tokensIn(text)]) maskGiven(part);
    }
  }
}

/** Keeps the password of a proxy out of the log, as the variable has it and as it is sent. */
export function maskProxyPasswords(env: NodeJS.ProcessEnv): void {
  for (const name of ["https_proxy", "http_proxy", "all_proxy"].flatMap((n) => [n, n.toUpperCase()])) {
    const address = env[name]?.trim() ?? "";
    const url = URL.parse(address.includes("://") ? address : `http://${address}`);
    if (!url?.password) continue;
    const [user, password] = [decoded(url.username), decoded(url.password)];
    for (const secret of [url.password, password, basicCredentials(user, password)]) maskGiven(secret);
  }
}

export function maskLines(secret: string): void {
  for (const line of linesOf(secret)) mask(line);
}

/** Text as the runner shows it in the log: for what is written so that the runner would not know a secret again. */
export function withoutSecrets(text: string): string {
  return without(hidden, text);
}

/** Text without the secrets that the step was given. One that was made for the caller stays. */
export function withoutGivenSecrets(text: string): string {
  return without(given, text);
}

function maskGiven(secret: string): void {
  for (const line of linesOf(secret)) if (mask(line)) hide(line, given);
}

/** False for what is too short to be hidden. */
function mask(text: string): boolean {
  if (text.length < MIN_MASKED) return false;
  if (!hidden.has(text)) issueCommand("add-mask", {}, text);
  hide(text);
  return true;
}

/** As the runner does: also as JSON and as an address have it. */
function hide(text: string, ...further: readonly Set<string>[]): void {
  const forms = [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed())];
  for (const secrets of [hidden, ...further]) for (const form of forms) secrets.add(form);
}

/** The longest first: a secret may begin with another one. */
function without(secrets: ReadonlySet<string>, text: string): string {
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((shown, secret) => shown.replaceAll(secret, "***"), text);
}

function linesOf(secret: string): string[] {
  return secret
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Who knows the token in an address needs no more of it. */
function tokensIn(text: string): string[] {
  const url = URL.parse(text);
  if (!url) return [];
  const parts = [url.password, ...url.pathname.split("/"), ...url.searchParams.values()];
  return parts.filter((part) => part.length >= MIN_TOKEN_LENGTH);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // the proxy's variable is refused, with the reason
  }
}

import { base64, basicCredentials } from "../../net/basic-credentials.ts";
import type { Inputs } from "./input.ts";
import { inputKey } from "./inputs.ts";
import { issueCommand } from "./toolkit.ts";

/** Masking a shorter key would hide half of the log, so no action accepts one. */
export const MIN_KEY_LENGTH = 8;
/** Shorter texts are parts of other words by chance. Masking them would garble the log and protect nothing. */
const MIN_MASKED = 4;
/** Minimum length of a token in a webhook's address. Shorter parts are words such as `services`. */
const MIN_TOKEN_LENGTH = 16;

const hidden = new Set<string>();
/** The hidden texts that came with the inputs. Outputs must not contain them. */
const given = new Set<string>();

/** Forgets all secrets: a step knows only its own, also where several run in one process. */
export function forgetSecrets(): void {
  hidden.clear();
  given.clear();
}

/**
 * Masks the API key in the log from now on, also in its basic authorization, which the runner itself would mask for
 * only one key length in three.
 */
export function maskApiKey(apiKey: string): void {
  const key = apiKey.trim();
  if (key.length < MIN_KEY_LENGTH) return;
  maskGiven(key);
  maskGiven(basicCredentials(key));
  maskGiven(base64(key));
}

/** Masks the values of an action's secret inputs in the log from now on. */
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

/** Masks the password of a proxy in the log, as written in the variable and as sent. */
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

/** Text with masked secrets, for forms in which the runner would not recognize them. */
export function withoutSecrets(text: string): string {
  return without(hidden, text);
}

/** Text without the secrets of the inputs. A secret created for the caller remains. */
export function withoutGivenSecrets(text: string): string {
  return without(given, text);
}

function maskGiven(secret: string): void {
  for (const line of linesOf(secret)) if (mask(line)) hide(line, given);
}

/** False if the text is too short to be masked. */
function mask(text: string): boolean {
  if (text.length < MIN_MASKED) return false;
  if (!hidden.has(text)) issueCommand("add-mask", {}, text);
  hide(text);
  return true;
}

/** Hides a text as the runner does, also in its JSON and URL encodings. */
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

/** Tokens in an address: each grants access without the rest of it. */
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

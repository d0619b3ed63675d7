import { stat } from "node:fs/promises";
import { isIP } from "node:net";
import type { JSONWebKeySet } from "jose";
import * as z from "zod/mini";
import { InputError } from "../../api/client/errors.ts";
import { GITHUB_ISSUER } from "../../api/resources/trust-policies.ts";
import { isLoopback } from "../../net/proxy.ts";
import { readSealingKey, type SealingKey } from "../../service/delivery/outgoing/sealed.ts";
import type { ServiceLimits } from "../../service/http/limits.ts";
import type { ServiceOptions } from "../../service/service.ts";
import {
  contentOf,
  type Environment,
  given,
  oneOf,
  optionOrVariable,
  UsageError,
  type ValuesOf,
} from "../usage.ts";
import type { SERVE_OPTIONS } from "./options.ts";

type Values = ValuesOf<typeof SERVE_OPTIONS>;

/** An organization can use half of these megabytes, which must fit the largest request. */
const LEAST_DISK = 512;
const MEGABYTE = 1024 * 1024;

/**
 * Reads `--key-rate` or `EVIDENCE_KEY_RATE`, and so on.
 *
 * @throws {UsageError}
 */
export function limitsFrom(values: Values, environment: Environment): Partial<ServiceLimits> {
  const text = optionOrVariable(values, environment);
  const number = (name: Parameters<typeof text>[0], least = 0, unit = 1) => {
    const found = text(name);
    return found === undefined ? undefined : unit * wholeNumber(found, `--${name}`, least);
  };
  const limits = {
    bodyMemory: number("body-memory", 1, MEGABYTE),
    bodyDisk: number("body-disk", LEAST_DISK, MEGABYTE),
    keyRate: number("key-rate"),
    addressRate: number("address-rate"),
    failedLoginRate: number("failed-login-rate"),
    maxRules: number("max-rules"),
    mailRate: number("mail-rate"),
    trustedProxies: text("trusted-proxies")
      ?.split(",")
      .map((entry) => entry.trim()),
  };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

/** @throws {UsageError} */
export function wholeNumber(text: string, option: string, least: number): number {
  const number = Number(text);
  if (!/^\d{1,9}$/.test(text) || number < least) {
    throw new UsageError(`${option} must be a whole number of at least ${least}, got '${text}'`);
  }
  return number;
}

/**
 * Reads `--smtp-url` or `EVIDENCE_SMTP_URL`, and so on. No message repeats a key or an address with a password.
 *
 * @throws {UsageError}
 */
export async function notificationsFrom(
  values: Values,
  environment: Environment,
): Promise<Pick<ServiceOptions, "secretKey" | "outgoing" | "mail">> {
  const text = optionOrVariable(values, environment);
  const secretKey = await secretKeyFrom(values, environment);
  const allowTargets = networksIn(text("allow-targets"));
  const allowHttpTargets = values["allow-http-targets"] ?? flagIn(environment, "EVIDENCE_ALLOW_HTTP_TARGETS");
  const githubHosts = githubHostsIn(text("github-hosts"));
  const isConfigured = allowTargets.length > 0 || allowHttpTargets || githubHosts.length > 0;
  return {
    secretKey,
    outgoing: isConfigured ? { allowTargets, allowHttpTargets, githubHosts } : undefined,
    mail: await mailFrom({ url: text("smtp-url"), file: text("smtp-url-file"), from: text("mail-from") }),
  };
}

/** Warns if the service has no key of secrets, or if other users of the machine can read it. */
export async function secretKeyWarning(
  values: Values,
  environment: Environment,
  { isOnServer }: { isOnServer: boolean },
) {
  const file = values["secret-key-file"] ?? given(environment, "EVIDENCE_SECRET_KEY_FILE");
  if (file === undefined && isOnServer && given(environment, "EVIDENCE_SECRET_KEY") === undefined) {
    return (
      "There is no secret key, so the evidence log and deliveries are not signed, and addresses of notifications are " +
      "stored in plain text. Set --secret-key-file: the same key for all instances"
    );
  }
  if (file === undefined || process.platform === "win32") return undefined;
  const { mode } = await stat(file);
  if ((mode & 0o007) === 0) return undefined;
  return `All users of this machine can read ${file}, the key of notification secrets. Run chmod o= ${file}`;
}

/** Reads `--secret-key-file`, its variable or `EVIDENCE_SECRET_KEY`. @throws {UsageError} */
export async function secretKeyFrom(
  values: Pick<Values, "secret-key-file">,
  environment: Environment,
): Promise<SealingKey | undefined> {
  const file = values["secret-key-file"] ?? given(environment, "EVIDENCE_SECRET_KEY_FILE");
  const variable = given(environment, "EVIDENCE_SECRET_KEY");
  if (file !== undefined && variable !== undefined) {
    throw new UsageError("Set --secret-key-file or EVIDENCE_SECRET_KEY, not both");
  }
  const name = file ?? "EVIDENCE_SECRET_KEY";
  const text = file === undefined ? variable : await contentOf(file, "the key of secrets");
  if (text === undefined) return undefined;
  try {
    const key = readSealingKey(text, name);
    if (key.bytes.some((byte) => byte !== 0)) return key;
    throw new UsageError(`${name} contains only zeros. Generate a key with openssl rand -base64 32`);
  } catch (error) {
    if (error instanceof InputError) throw new UsageError(error.message);
    throw error;
  }
}

function flagIn(environment: Environment, name: string): boolean {
  return oneOf(given(environment, name) ?? "false", ["true", "false"], name) === "true";
}

function networksIn(list: string | undefined): string[] {
  const networks = list === undefined ? [] : list.split(",").map((entry) => entry.trim());
  for (const network of networks) {
    const [address = "", bits, ...rest] = network.split("/");
    const most = isIP(address) === 4 ? 32 : 128;
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
    if (isIP(address) === 0 || !isNetwork || rest.length > 0) {
      throw new UsageError(
        `--allow-targets must be addresses or networks such as 10.0.0.0/8, got '${network}'`,
      );
    }
  }
  return networks;
}

function githubHostsIn(list: string | undefined): string[] {
  const hosts = list === undefined ? [] : list.split(",").map((entry) => entry.trim().toLowerCase());
  for (const host of hosts) {
    // A default port is not part of a URL's host, so it would never match.
    if (URL.parse(`https://${host}`)?.host !== host) {
      throw new UsageError(`--github-hosts must be host names such as github.example.com, got '${host}'`);
    }
  }
  return hosts;
}

interface MailTexts {
  readonly url: string | undefined;
  readonly file: string | undefined;
  readonly from: string | undefined;
}

async function mailFrom({ url: named, file, from }: MailTexts): Promise<ServiceOptions["mail"]> {
  if (named !== undefined && file !== undefined) {
    throw new UsageError("Set --smtp-url or --smtp-url-file, not both");
  }
  const url = file === undefined ? named : await contentOf(file, "the address of the mail server");
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined) throw new UsageError("--mail-from needs --smtp-url");
  if (from === undefined) throw new UsageError("--smtp-url needs --mail-from, the sender of emails");
  if (!/^smtps?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new UsageError("--smtp-url must be an address such as smtps://user:password@mail.example.com");
  }
  return { url, from };
}

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).check(z.minLength(1)) });

/**
 * Reads `--oidc-issuer URL` or `EVIDENCE_OIDC_ISSUER`, separated by commas. `--oidc-keys URL=FILE` gives the keys of
 * an issuer that cannot be asked for them.
 *
 * @throws {UsageError}
 */
export async function issuersFrom(
  values: Values,
  environment: Environment,
): Promise<Pick<ServiceOptions, "issuers">> {
  const list = (named: string[] | undefined, variable: string) =>
    (named ?? [given(environment, variable) ?? ""]).flatMap((texts) =>
      texts.split(",").flatMap((text) => (text.trim() === "" ? [] : [text.trim()])),
    );
  const urls = list(values["oidc-issuer"], "EVIDENCE_OIDC_ISSUER");
  const files = list(values["oidc-keys"], "EVIDENCE_OIDC_KEYS");
  if (urls.length === 0 && files.length === 0) return {};
  for (const url of urls) requireIssuer(url, "--oidc-issuer");
  const known = new Map<string, { url: string; keys?: JSONWebKeySet }>();
  for (const url of urls.length === 0 ? [GITHUB_ISSUER] : urls) known.set(url, { url });
  for (const entry of files) {
    const [url = "", file] = entry.split(/=(.*)/s);
    requireIssuer(url, "--oidc-keys");
    if (!file)
      throw new UsageError(
        `--oidc-keys must be URL=FILE, such as https://issuer.example.com=keys.json, got '${entry}'`,
      );
    known.set(url, { url, keys: await keysIn(file) });
  }
  return { issuers: [...known.values()] };
}

function requireIssuer(url: string, option: string): void {
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return;
  throw new UsageError(
    `${option} must be an address such as https://token.actions.githubusercontent.com, got '${url}'`,
  );
}

async function keysIn(file: string): Promise<JSONWebKeySet> {
  const text = await contentOf(file, "the keys of an issuer");
  try {
    return z.parse(keySet, JSON.parse(text)) as JSONWebKeySet;
  } catch {
    throw new UsageError(
      `The file ${file} must contain the keys of an issuer as JSON, such as {"keys": […]}`,
    );
  }
}

/** Warns if others reach the service, which speaks plain HTTP. A public https address implies a proxy before it. */
export function exposureWarning(host: string, publicUrl: string | undefined): string | undefined {
  const hostname = host.includes(":") ? `[${host}]` : host.toLowerCase();
  if (isLoopback(hostname) || URL.parse(publicUrl ?? "")?.protocol === "https:") return undefined;
  return (
    `--host ${host} exposes the service over plain HTTP, so keys can be read in transit. ` +
    "Put a TLS proxy in front of it and set --public-url to the https:// address of the proxy"
  );
}

import { readFile } from "node:fs/promises";
import type { JSONWebKeySet } from "jose";
import * as z from "zod/mini";
import { GITHUB_ISSUER } from "../api/resources/trust-policies.ts";
import type { ServiceOptions } from "../service/service.ts";
import { type Environment, given, UsageError } from "./usage.ts";

/** The options that say whose tokens prove who a workflow is. */
export const IDENTITY_OPTIONS = {
  "oidc-issuer": { type: "string", multiple: true },
  "oidc-keys": { type: "string", multiple: true },
} as const;

interface Values {
  readonly "oidc-issuer"?: string[] | undefined;
  readonly "oidc-keys"?: string[] | undefined;
}

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).check(z.minLength(1)) });

/**
 * What was said of issuers, as options or variables: `--oidc-issuer URL` or `EVIDENCE_OIDC_ISSUER`, several with
 * commas. `--oidc-keys URL=FILE` gives the keys of one that cannot be asked for them.
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
      throw new UsageError(`'${entry}' cannot be --oidc-keys: https://issuer.example.com=keys.json can`);
    known.set(url, { url, keys: await keysIn(file) });
  }
  return { issuers: [...known.values()] };
}

function requireIssuer(url: string, option: string): void {
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return;
  throw new UsageError(
    `'${url}' cannot be ${option}: an address such as https://token.actions.githubusercontent.com can`,
  );
}

async function keysIn(file: string): Promise<JSONWebKeySet> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    throw new UsageError(`The file ${file} with the keys of an issuer cannot be read`);
  }
  try {
    return z.parse(keySet, JSON.parse(text)) as JSONWebKeySet;
  } catch {
    throw new UsageError(`The file ${file} holds no keys of an issuer: it is JSON such as {"keys": […]}`);
  }
}

import {
  type Connection,
  type ConnectionOptions,
  connect,
  type KeylessOptions,
} from "../api/client/connection.ts";
import { type TokenRequest, tokenRequest } from "../github/step/token-request.ts";
import type { RetryNote } from "../net/client.ts";
import { type CONNECTION_OPTIONS, REGION_NAMES } from "./options.ts";
import { type Environment, given, oneOf, type Terminal, UsageError, type ValuesOf } from "./usage.ts";

/**
 * Connects to a service until disposed.
 *
 * @param defaultOrg organization if none is named, for callers with a key
 * @throws {UsageError} for a missing or invalid option
 */
export async function openConnection(
  values: ValuesOf<typeof CONNECTION_OPTIONS>,
  terminal: Terminal,
  defaultOrg?: string,
): Promise<Connection & AsyncDisposable> {
  const connection = connect(await connectionOptions(values, terminal, defaultOrg), "options");
  return { ...connection, [Symbol.asyncDispose]: () => connection.close() };
}

async function connectionOptions(
  values: ValuesOf<typeof CONNECTION_OPTIONS>,
  { environment, note }: Terminal,
  defaultOrg?: string,
): Promise<ConnectionOptions | KeylessOptions> {
  // An explicit region overrides the variable with an address.
  const address = values.region === undefined ? given(environment, "EVIDENCE_BASE_URL") : undefined;
  const baseUrl = values["base-url"] ?? address;
  const credentials = credentialsFrom(environment, baseUrl !== undefined);
  const named = values.org ?? given(environment, "EVIDENCE_ORG");
  const org = named ?? ("apiKey" in credentials ? defaultOrg : undefined);
  if (org === undefined) throw new UsageError("--org NAME or EVIDENCE_ORG is required");
  const region = values.region ?? given(environment, "EVIDENCE_REGION");
  const scheme = values["auth-scheme"];
  const reached = {
    org,
    ...(region !== undefined && { region: oneOf(region, REGION_NAMES, "--region") }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(values.timeout !== undefined && { timeout: numberOf(values.timeout) }),
    ...(values.retries !== undefined && { retries: numberOf(values.retries) }),
    ...(values["allow-http"] && { allowHttp: true }),
    proxyVariables: environment,
    onRetry: ({ attempt, attempts, reason }: RetryNote) =>
      note(`attempt ${attempt} of ${attempts} failed: ${reason}`),
  };
  if ("apiKey" in credentials) {
    return { ...reached, ...credentials, ...(scheme !== undefined && { authScheme: scheme }) };
  }
  const { workflowTokens } = await import("../github/step/workflow-token.ts");
  const policy = given(environment, "EVIDENCE_TRUST_POLICY");
  // Commands never print tokens. Masking one would write it to the output, which a script may keep.
  const mask = () => {};
  const exchange = { ...credentials, options: reached, policy, mask, naming: "options" } as const;
  return { ...reached, accessTokens: workflowTokens(exchange) };
}

/** Invalid numbers are refused with the other limits. */
function numberOf(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}

type Credentials = { readonly apiKey: string } | { readonly request: TokenRequest };

const METHODS = ["auto", "key", "oidc"] as const;
const NO_KEY = "Set EVIDENCE_API_KEY to the API key of an account";
const ADD_PERMISSION = "add `id-token: write` to the job's `permissions`";

/**
 * Credentials allowed by `EVIDENCE_AUTH`, a key first. A job's token goes only to a named service, never to the hosted
 * one.
 *
 * @throws {UsageError} with advice, if there are none
 */
function credentialsFrom(environment: Environment, isNamed: boolean): Credentials {
  const method = oneOf(given(environment, "EVIDENCE_AUTH") ?? "auto", METHODS, "EVIDENCE_AUTH");
  const apiKey = given(environment, "EVIDENCE_API_KEY");
  if (apiKey !== undefined && method !== "oidc") return { apiKey };
  const request = method === "key" ? undefined : tokenRequest(environment);
  if (request !== undefined && isNamed) return { request };
  if (method === "oidc") {
    const missing =
      request === undefined
        ? `but this job cannot request a token: ${ADD_PERMISSION}`
        : "so --base-url or EVIDENCE_BASE_URL is required";
    throw new UsageError(`EVIDENCE_AUTH is oidc, ${missing}`);
  }
  if (request !== undefined) {
    throw new UsageError(`${NO_KEY}, or set --base-url to a service that trusts this workflow`);
  }
  const isJob = method === "auto" && given(environment, "GITHUB_ACTIONS") === "true";
  throw new UsageError(
    isJob ? `${NO_KEY}. If the service trusts this workflow, ${ADD_PERMISSION} instead` : NO_KEY,
  );
}

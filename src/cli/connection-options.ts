import {
  type AccessTokens,
  type Connection,
  connect,
  type KeylessOptions,
} from "../api/client/connection.ts";
import type { ConnectionOptions } from "../api/client/connection-options.ts";
import type { RetryNote } from "../net/retry.ts";
import { type JobTokens, jobTokens, missingToken } from "./job-tokens/job-tokens.ts";
import { type CONNECTION_OPTIONS, REGION_NAMES } from "./options.ts";
import type { StoredLogin } from "./stored-logins.ts";
import { type Environment, given, minute, oneOf, type Terminal, UsageError, type ValuesOf } from "./usage.ts";

/**
 * Connects to a service until disposed.
 *
 * @param defaultOrg organization if none is named, for callers with a key
 * @param signal cancels all calls
 * @throws {UsageError} for a missing or invalid option
 */
export async function openConnection(
  values: ValuesOf<typeof CONNECTION_OPTIONS>,
  terminal: Terminal,
  defaultOrg?: string,
  signal?: AbortSignal,
): Promise<OpenedConnection> {
  const { options, login } = await connectionOptions(values, terminal, defaultOrg);
  const connection = connect({ ...options, ...(signal && { signal }) }, "options");
  return { ...connection, login, [Symbol.asyncDispose]: () => connection.close() };
}

export interface OpenedConnection extends Connection, AsyncDisposable {
  /** The stored login that it uses, if there is no key. */
  readonly login: StoredLogin | undefined;
}

async function connectionOptions(
  values: ValuesOf<typeof CONNECTION_OPTIONS>,
  { environment, note }: Terminal,
  defaultOrg?: string,
): Promise<{ options: ConnectionOptions | KeylessOptions; login?: StoredLogin }> {
  // An explicit region overrides the variable with an address.
  const address = values.region === undefined ? given(environment, "EVIDENCE_BASE_URL") : undefined;
  const namedUrl = values["base-url"] ?? address;
  const region = values.region ?? given(environment, "EVIDENCE_REGION");
  const credentials = await credentialsFrom(environment, { baseUrl: namedUrl, region });
  const login = "login" in credentials ? credentials.login : undefined;
  const baseUrl = namedUrl ?? login?.url;
  const named = values.org ?? given(environment, "EVIDENCE_ORG") ?? login?.org;
  const org = named ?? ("request" in credentials ? undefined : defaultOrg);
  if (org === undefined) throw new UsageError("--org NAME or EVIDENCE_ORG is required");
  if (baseUrl === undefined && region === undefined)
    throw new UsageError(
      "--base-url URL or EVIDENCE_BASE_URL is required, or --region for the hosted service",
    );
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
    return { options: { ...reached, ...credentials, ...(scheme !== undefined && { authScheme: scheme }) } };
  }
  if ("login" in credentials) {
    return { options: { ...reached, accessTokens: tokenOf(credentials.login) }, login: credentials.login };
  }
  const { workflowTokens } = await import("../github/step/workflow-token.ts");
  const policy = given(environment, "EVIDENCE_TRUST_POLICY");
  // Commands never print tokens. Masking one would write it to the output, which a script may keep.
  const mask = () => {};
  const exchange = { ...credentials, options: reached, policy, mask, naming: "options" } as const;
  return { options: { ...reached, accessTokens: renewed(() => workflowTokens(exchange)) } };
}

/** Starts over after a failed exchange, because some commands run for weeks. */
function renewed(begin: () => AccessTokens): AccessTokens {
  let tokens = begin();
  return {
    async current(refused) {
      try {
        return await tokens.current(refused);
      } catch (error) {
        tokens = begin();
        throw error;
      }
    },
  };
}

/** A login is never renewed: the person signs in again. */
function tokenOf({ url, token, expires_at }: StoredLogin): AccessTokens {
  const again = `Run: delivery-evidence login --base-url ${url}`;
  return {
    async current(refused) {
      if (expires_at <= Date.now() / 1000)
        throw new UsageError(`Your login to ${url} expired at ${minute(expires_at)}. ${again}`);
      if (refused !== undefined) throw new UsageError(`Your login to ${url} was ended. ${again}`);
      return token;
    },
  };
}

/** Invalid numbers are refused with the other limits. */
function numberOf(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}

type Credentials =
  | { readonly apiKey: string }
  | { readonly request: JobTokens }
  | { readonly login: StoredLogin };

const METHODS = ["auto", "key", "oidc"] as const;
const NO_KEY = "Set EVIDENCE_API_KEY to the API key of an account";
/** Azure Pipelines and Bitbucket leave the name of a variable that does not exist. */
const LEFT_NAME = /^\$\w+$|^\$\([\w.]+\)$/;

/**
 * Credentials allowed by `EVIDENCE_AUTH`: a key, else a job's token, else a stored login. A job's token goes only to a
 * named service, never to the hosted one, which has no logins either.
 *
 * @throws {UsageError} with advice, if there are none
 */
async function credentialsFrom(
  environment: Environment,
  { baseUrl, region }: { baseUrl: string | undefined; region: string | undefined },
): Promise<Credentials> {
  const isNamed = baseUrl !== undefined;
  const method = oneOf(given(environment, "EVIDENCE_AUTH") ?? "auto", METHODS, "EVIDENCE_AUTH");
  const apiKey = given(environment, "EVIDENCE_API_KEY");
  if (apiKey !== undefined && method !== "oidc") {
    if (!LEFT_NAME.test(apiKey)) return { apiKey };
    throw new UsageError(
      `EVIDENCE_API_KEY is '${apiKey}', because this job has no such variable. Set the variable, or remove EVIDENCE_API_KEY if the service trusts this job`,
    );
  }
  const request = method === "key" ? undefined : jobTokens(environment);
  if (request !== undefined && isNamed) return { request };
  const way = missingToken(environment);
  if (method === "oidc") {
    const missing =
      request === undefined
        ? `but this job has no token: ${way ?? "set EVIDENCE_ID_TOKEN or EVIDENCE_TOKEN_FILE"}`
        : "so --base-url or EVIDENCE_BASE_URL is required";
    throw new UsageError(`EVIDENCE_AUTH is oidc, ${missing}`);
  }
  if (request !== undefined) {
    throw new UsageError(`${NO_KEY}, or set --base-url to a service that trusts this job`);
  }
  const isHosted = !isNamed && region !== undefined;
  const login = method === "auto" && !isHosted ? await storedLogin(environment, baseUrl) : undefined;
  if (login !== undefined) return { login };
  if (method === "key") throw new UsageError(NO_KEY);
  throw new UsageError(
    way === undefined
      ? `${NO_KEY}, or run: delivery-evidence login`
      : `${NO_KEY}. If the service trusts this job, ${way} instead`,
  );
}

async function storedLogin(
  environment: Environment,
  baseUrl: string | undefined,
): Promise<StoredLogin | undefined> {
  const { findLogin } = await import("./stored-logins.ts");
  return findLogin(environment, baseUrl);
}

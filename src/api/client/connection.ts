import { base64, basicCredentials } from "../../net/basic-credentials.ts";
import { Client } from "../../net/client.ts";
import { Deadline } from "../../net/deadline.ts";
import { PROFILES } from "../../net/profiles.ts";
import { isLoopback } from "../../net/proxy.ts";
import { type ConnectionOptions, REGIONS } from "./connection-options.ts";
import { InputError, type InputProblem } from "./errors.ts";
import { type Counterpart, failedExchange } from "./failed-exchange.ts";
import { hiding } from "./hiding.ts";
import { type Naming, optionName } from "./naming.ts";

const DEFAULT_TIMEOUT_SECONDS = 120;
/** One day. Much longer timers overflow and fire at once. */
const MAX_TIMEOUT_SECONDS = 86_400;

/** Path of the API version. */
const VERSION_PATH = "/api/v2";

/** Source of short-lived tokens, in place of an API key. */
export interface AccessTokens {
  /**
   * Returns a token that should be valid; empty if the service requires none.
   *
   * @param refused token that the service has just rejected and that needs a replacement
   */
  current(refused?: string): Promise<string>;
}

/** For operations without authentication. */
export const NOBODY: AccessTokens = { current: async () => "" };

type Reached = Omit<ConnectionOptions, "apiKey" | "authScheme">;

export type KeylessOptions = Reached & { readonly accessTokens: AccessTokens };

/** A service and the credentials for it. */
export interface Connection {
  /** Ends in `/api/v2`. */
  readonly baseUrl: string;
  readonly org: string;
  readonly naming: Naming;
  /** For messages. */
  readonly credential: "API key" | "access token";
  /**
   * Returns the `Authorization` header; undefined without authentication.
   *
   * @param refused header that the service has just rejected. Without another one, it is returned again
   */
  authorization(refused?: string): Promise<string | undefined>;
  /** Number of retries after a failed attempt. */
  readonly retries: number;
  /** Replaces keys, proxy passwords and their encoded forms in a text. */
  hide(text: string): string;
  readonly client: Client;
  /** Runs the work of one call within the shared deadline or a new one. */
  within<T>(work: (deadline: Deadline) => Promise<T>): Promise<T>;
  /** Ends the deadline and closes all connections, because either would keep the process alive. */
  close(): Promise<void>;
}

/**
 * Prepares calls to a service. Sends nothing.
 *
 * @param naming the names of options and fields in messages
 * @throws {InputError} with all invalid options
 */
export function connect(options: ConnectionOptions | KeylessOptions, naming: Naming = "inputs"): Connection {
  const problems: InputProblem[] = [];
  const named = (option: string) => optionName(naming, option);
  const apiKey = "apiKey" in options ? checkedKey(options.apiKey, named("apiKey"), problems) : undefined;
  checkOrg(options.org, named("org"), problems);
  const baseUrl = checkedBaseUrl(options, naming, problems);
  checkLimits(options, named, problems);
  if (problems.length > 0 || baseUrl === undefined) throw new InputError(problems);

  const { timeout = DEFAULT_TIMEOUT_SECONDS, retries = PROFILES.api.attempts - 1, onRetry, signal } = options;
  const counterpart = serviceCounterpart((text) => hide(text), naming);
  const client = new Client({
    profile: { ...PROFILES.api, attempts: retries + 1 },
    errorOf: (failure) => failedExchange(failure, counterpart),
    proxyVariables: options.proxyVariables,
    onRetry,
    pause: options.pause,
  });
  const proxy = client.proxyFor(baseUrl);
  const ofKey = apiKey === undefined ? [] : [apiKey, base64(apiKey), basicCredentials(apiKey)];
  const secrets = [...ofKey, ...(proxy ? secretsOf(proxy) : [])];
  let hideKnown = hiding(secrets);
  const hide = (text: string) => hideKnown(text);
  const learn = (token: string) => {
    if (secrets.includes(token)) return;
    secrets.push(token);
    hideKnown = hiding(secrets);
  };
  let shared: Deadline | undefined;
  return {
    baseUrl: baseUrl.href,
    org: options.org,
    naming,
    credential: "apiKey" in options ? "API key" : "access token",
    async authorization(refused) {
      if ("apiKey" in options) return authorizationOf(apiKey ?? "", options.authScheme ?? "bearer");
      const token = await options.accessTokens.current(refused?.replace(/^Bearer /, ""));
      learn(token);
      return token === "" ? undefined : authorizationOf(token, "bearer");
    },
    retries,
    hide,
    client,
    async within(work) {
      if (options.oneDeadline) {
        shared ??= new Deadline(timeout, signal);
        return work(shared);
      }
      using own = new Deadline(timeout, signal);
      return await work(own);
    },
    async close() {
      shared?.[Symbol.dispose]();
      await client.close();
    },
  };
}

export function serviceCounterpart(hide: (text: string) => string, naming: Naming = "inputs"): Counterpart {
  const baseUrl = optionName(naming, "baseUrl");
  return {
    name: "the service",
    doubt: "It may or may not have been recorded.",
    unanswered({ advice }) {
      const text = advice.replaceAll("base-url", baseUrl);
      return naming === "inputs" ? text : text.replace("the runner", "this machine");
    },
    tooLate: `Try again later, or set a longer ${optionName(naming, "timeout")}.`,
    tooLarge: `Check that ${baseUrl} is the address of the service.`,
    redirected: {
      to: (target) => hide(target?.href ?? "nowhere"),
      advice: `Redirects are not followed, because evidence could reach another server: set ${baseUrl} to the address of the service.`,
    },
  };
}

/** `Bearer <key>`, or for basic the key as the user name with an empty password, including the colon. */
export function authorizationOf(apiKey: string, scheme: "bearer" | "basic"): string {
  return scheme === "bearer" ? `Bearer ${apiKey}` : `Basic ${basicCredentials(apiKey)}`;
}

/** Secret parts of a proxy's address. */
function secretsOf({ username, password }: URL): string[] {
  const [user, plain] = [decodeURIComponent(username), decodeURIComponent(password)];
  return password === "" ? [] : [password, plain, basicCredentials(user, plain)];
}

/** Trims the key: copying one often adds a line break. */
function checkedKey(given: string, input: string, problems: InputProblem[]): string {
  const key = given.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
  if (key === "") {
    problems.push({ input, problem: "is missing; give the key of a service account", missing: true });
  } else if (!/^[\x21-\x7e]+$/.test(key)) {
    const problem = "contains a space or a non-ASCII character; copy the key again, and only the key";
    problems.push({ input, problem });
  }
  return key;
}

function checkOrg(org: string, input: string, problems: InputProblem[]): void {
  if (org === "")
    problems.push({
      input,
      problem: "is missing; set it to the name of your organization",
      missing: true,
    });
  else if (isDotSegment(org)) problems.push({ input, problem: `must be a name, not '${org}'` });
}

/** `.` and `..` would change the path, and the request would reach another endpoint. */
export function isDotSegment(name: string): boolean {
  return name === "." || name === "..";
}

function checkedBaseUrl(options: Reached, naming: Naming, problems: InputProblem[]): URL | undefined {
  const named = (option: string) => optionName(naming, option);
  const input = named("baseUrl");
  const given = (options.baseUrl ?? "").trim() || (options.region && REGIONS[options.region]);
  if (given === undefined) {
    problems.push({
      input,
      problem:
        "is missing; set it to the address of your service, or set the region (eu or us) of the hosted service",
      missing: true,
    });
    return undefined;
  }
  const problem = (text: string) => {
    problems.push({ input, problem: text });
    return undefined;
  };
  // The parser removes line breaks silently, so "https://app.example\n.other.com" would be another host.
  if (/\s/.test(given)) return problem("must not contain spaces or line breaks");
  if (!URL.canParse(given))
    return problem("must be a complete address, such as https://evidence.example.com");
  const url = new URL(given);
  if (url.protocol !== "https:" && url.protocol !== "http:") return problem("must begin with https://");
  if (url.username !== "" || url.password !== "") {
    return problem(`must not contain a user or password; set ${named("apiKey")} instead`);
  }
  // An empty query or fragment is absent from `search` and `hash`, but would swallow the appended path.
  if (/[?#]/.test(url.href)) return problem("must not contain a query or fragment");
  if (url.protocol === "http:" && !isLoopback(url.hostname) && options.allowHttp !== true) {
    const allowHttp = naming === "options" ? named("allowHttp") : `${named("allowHttp")}: true`;
    return problem(`is http://, which would send the key unencrypted; use https://, or set ${allowHttp}`);
  }
  url.pathname = url.pathname.replace(/\/{2,}/g, "/").replace(/(\/api\/v2|\/)+$/, "") + VERSION_PATH;
  return url;
}

function checkLimits(
  { timeout = 1, retries = 0 }: Reached,
  named: (option: string) => string,
  problems: InputProblem[],
): void {
  if (!(timeout > 0 && timeout <= MAX_TIMEOUT_SECONDS)) {
    problems.push({
      input: named("timeout"),
      problem: `must be more than 0 and at most ${MAX_TIMEOUT_SECONDS} seconds`,
    });
  }
  if (!(Number.isInteger(retries) && retries >= 0)) {
    problems.push({ input: named("retries"), problem: "must be a whole number of at least 0" });
  }
}

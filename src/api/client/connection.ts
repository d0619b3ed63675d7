import { base64, basicCredentials } from "../../net/basic-credentials.ts";
import { Client, type ClientOptions, type RetryNote } from "../../net/client.ts";
import { Deadline } from "../../net/deadline.ts";
import { PROFILES } from "../../net/profiles.ts";
import { isLoopback, type ProxyVariables } from "../../net/proxy.ts";
import { InputError, type InputProblem } from "./errors.ts";
import { type Counterpart, failedExchange } from "./failed-exchange.ts";
import { hiding } from "./hiding.ts";

export const REGIONS = {
  eu: "https://app.kosli.com/api/v2",
  us: "https://app.us.kosli.com/api/v2",
} as const;
export type Region = keyof typeof REGIONS;

const DEFAULT_TIMEOUT_SECONDS = 120;
/** A day: timers cannot hold much more, and would fire at once. */
const MAX_TIMEOUT_SECONDS = 86_400;

/** Path of the interface's version below a host. */
const VERSION_PATH = "/api/v2";

export interface ConnectionOptions {
  readonly apiKey: string;
  readonly org: string;
  /** The region of the hosted service. One of `region` and `baseUrl` is required. */
  readonly region?: Region;
  /** The address of the service, with or without `/api/v2`; overrides `region`. */
  readonly baseUrl?: string;
  /** `bearer` by default; `basic` for services that know nothing newer. */
  readonly authScheme?: "bearer" | "basic";
  /** Seconds for all the work of one call, retries included. */
  readonly timeout?: number;
  /** Makes `timeout` the limit of all calls of this connection together, from the first one on. */
  readonly oneDeadline?: boolean;
  /** Ends all work early, for a reason of its own. */
  readonly signal?: AbortSignal;
  /** Further attempts after the first. */
  readonly retries?: number;
  /** Allows http:// to hosts other than this machine: the key travels in clear. */
  readonly allowHttp?: boolean;
  /** Where the proxy variables are: `process.env` in most programs. Without it, no proxy is used. */
  readonly proxyVariables?: ProxyVariables;
  readonly onRetry?: (note: RetryNote) => void;
  /** Stands in for waiting, in tests. */
  readonly pause?: ClientOptions["pause"];
}

/** What stands for a key where there is none: tokens that work for a while. */
export interface AccessTokens {
  /**
   * A token that works now, as far as is known; empty for a service that asks for none.
   *
   * @param refused one that the service has just refused, in whose place another is wanted
   */
  current(refused?: string): Promise<string>;
}

/** For operations without authentication. */
export const NOBODY: AccessTokens = { current: async () => "" };

type Reached = Omit<ConnectionOptions, "apiKey" | "authScheme">;

export type KeylessOptions = Reached & { readonly accessTokens: AccessTokens };

/** A service with what says who asks: what every call needs. */
export interface Connection {
  /** Ends in `/api/v2`. */
  readonly baseUrl: string;
  readonly org: string;
  /** For messages. */
  readonly credential: "API key" | "access token";
  /**
   * Says who asks; undefined for nobody.
   *
   * @param refused what was just refused: the same again where there is no other
   */
  authorization(refused?: string): Promise<string | undefined>;
  /** Further attempts after the first. */
  readonly retries: number;
  /** Takes the key, a proxy's password, and what authorizes by them out of a text. */
  hide(text: string): string;
  readonly client: Client;
  /** Runs one call's work within the deadline of all, or within one of its own. */
  within<T>(work: (deadline: Deadline) => Promise<T>): Promise<T>;
  /** Ends the deadline and closes every connection at once: either would keep the process alive. */
  close(): Promise<void>;
}

/**
 * Prepares calls to a service. Nothing is sent yet.
 *
 * @throws {InputError} with everything that is wrong with the options
 */
export function connect(options: ConnectionOptions | KeylessOptions): Connection {
  const problems: InputProblem[] = [];
  const apiKey = "apiKey" in options ? checkedKey(options.apiKey, problems) : undefined;
  checkOrg(options.org, problems);
  const baseUrl = checkedBaseUrl(options, problems);
  checkLimits(options, problems);
  if (problems.length > 0 || baseUrl === undefined) throw new InputError(problems);

  const { timeout = DEFAULT_TIMEOUT_SECONDS, retries = PROFILES.api.attempts - 1, onRetry, signal } = options;
  const counterpart = serviceCounterpart((text) => hide(text));
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

export function serviceCounterpart(hide: (text: string) => string): Counterpart {
  return {
    name: "the service",
    doubt: "It may or may not have been recorded.",
    unanswered: ({ advice }) => advice,
    tooLate: "Try again later, or allow more time with timeout.",
    tooLarge: "Check that base-url names the service.",
    redirected: {
      to: (target) => hide(target?.href ?? "nowhere"),
      advice:
        "Redirects are not followed, since evidence could go astray: set base-url to the address of the service.",
    },
  };
}

/** `Bearer <key>`, or for basic the key as the user name of an empty password: the colon belongs to it. */
export function authorizationOf(apiKey: string, scheme: "bearer" | "basic"): string {
  return scheme === "bearer" ? `Bearer ${apiKey}` : `Basic ${basicCredentials(apiKey)}`;
}

/** What of a proxy's address nobody may see. */
function secretsOf({ username, password }: URL): string[] {
  const [user, plain] = [decodeURIComponent(username), decodeURIComponent(password)];
  return password === "" ? [] : [password, plain, basicCredentials(user, plain)];
}

/** A line break at the end is what copying a key leaves behind; it is never part of one. */
function checkedKey(given: string, problems: InputProblem[]): string {
  const key = given.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
  if (key === "") {
    const problem = "is missing; give the key of a service account";
    problems.push({ input: "api-key", problem, missing: true });
  } else if (!/^[\x21-\x7e]+$/.test(key)) {
    const problem = "holds a blank or a character outside ASCII; copy the key again, nothing else with it";
    problems.push({ input: "api-key", problem });
  }
  return key;
}

function checkOrg(org: string, problems: InputProblem[]): void {
  if (org === "")
    problems.push({ input: "org", problem: "is missing; name your organization", missing: true });
  else if (isDotSegment(org)) problems.push({ input: "org", problem: `'${org}' is not a name` });
}

/** `.` and `..` would be taken for steps in the path, and the request would reach another endpoint. */
export function isDotSegment(name: string): boolean {
  return name === "." || name === "..";
}

function checkedBaseUrl(options: Reached, problems: InputProblem[]): URL | undefined {
  const given = (options.baseUrl ?? "").trim() || (options.region && REGIONS[options.region]);
  if (given === undefined) {
    problems.push({
      input: "base-url",
      problem: "is missing; give the address of your service, or the region (eu or us) of the hosted service",
      missing: true,
    });
    return undefined;
  }
  const problem = (text: string) => {
    problems.push({ input: "base-url", problem: text });
    return undefined;
  };
  // The parser drops line breaks silently, and "https://app.example\n.other.com" would be another host.
  if (/\s/.test(given)) return problem("must not hold blanks or line breaks");
  if (!URL.canParse(given)) return problem("must be a whole address such as https://evidence.example.com");
  const url = new URL(given);
  if (url.protocol !== "https:" && url.protocol !== "http:") return problem("must begin with https://");
  if (url.username !== "" || url.password !== "") {
    return problem("must not hold a user or password; the key belongs in api-key");
  }
  // An empty query or fragment is not in `search` or `hash`, but would swallow the path that follows.
  if (/[?#]/.test(url.href)) return problem("must not hold a query or fragment");
  if (url.protocol === "http:" && !isLoopback(url.hostname) && options.allowHttp !== true) {
    return problem("is http://, which would send the key in clear; use https://, or set allow-http: true");
  }
  url.pathname = url.pathname.replace(/\/{2,}/g, "/").replace(/(\/api\/v2|\/)+$/, "") + VERSION_PATH;
  return url;
}

function checkLimits({ timeout = 1, retries = 0 }: Reached, problems: InputProblem[]): void {
  if (!(timeout > 0 && timeout <= MAX_TIMEOUT_SECONDS)) {
    problems.push({ input: "timeout", problem: `must be more than 0 and at most ${MAX_TIMEOUT_SECONDS} s` });
  }
  if (!(Number.isInteger(retries) && retries >= 0)) {
    problems.push({ input: "retries", problem: "must be a whole number from 0" });
  }
}

import { type BodySource, watched } from "./body.ts";
import { type Deadline, DeadlinePassed } from "./deadline.ts";
import type { ConnectOptions } from "./dispatcher.ts";
import {
  type Answer,
  type Connections,
  exchange,
  Incomplete,
  type Opened,
  type Outgoing,
  openAnswer,
} from "./exchange.ts";
import { headerOf } from "./headers.ts";
import type { NetworkFault } from "./network-fault.ts";
import type { Profile } from "./profiles.ts";
import { type ProxyVariables, proxyFor, UnusableProxy } from "./proxy.ts";
import { isRetriedStatus, type LongWait, type pause, type RetryNote, retry, retryAfter } from "./retry.ts";

export interface ClientRequest extends Omit<Outgoing, "body"> {
  readonly operation?: string;
  readonly body?: BodySource | undefined;
  /** Number of attempts; from the profile by default. */
  readonly attempts?: number | undefined;
  /** Maximum size of the response; from the profile by default. */
  readonly maxBytes?: number | undefined;
  /** Status that is not retried, although the profile would. */
  readonly finalStatus?: number | undefined;
  /** Receives the body of a success in chunks. Only other responses then have bytes. */
  readonly take?: ((chunk: Buffer) => void) | undefined;
}

export interface Received extends Answer {
  /** Number of attempts, from 1. */
  readonly attempts: number;
  /** Whether an earlier attempt may have succeeded although its response was lost. */
  readonly mayBeRepeated: boolean;
}

interface Route {
  readonly url: URL;
  readonly proxy?: URL | undefined;
  readonly operation?: string | undefined;
}

export type Failure = Happened &
  Route & {
    /** Whether the request may have succeeded nevertheless. */
    readonly mayBeDone?: boolean;
    readonly cause?: unknown;
  };

type Happened =
  | { readonly kind: "unusable-proxy"; readonly variable: string; readonly problem: string }
  | { readonly kind: "unanswered"; readonly fault: NetworkFault; readonly attempts: number }
  /** `before` is the reason of an earlier failure, or empty. */
  | { readonly kind: "too-late"; readonly deadline: Deadline; readonly before: string }
  | ({ readonly kind: "long-wait"; readonly deadline: Deadline; readonly reason: string } & LongWait)
  | { readonly kind: "too-large"; readonly status: number | undefined; readonly maxBytes: number }
  | { readonly kind: "redirected"; readonly status: number; readonly to: URL | null };

export interface ClientOptions {
  readonly profile: Profile;
  /** Makes the error for a failure. If a wait is too long, undefined keeps the result of the last attempt. */
  readonly errorOf: (failure: Failure) => unknown;
  /** Variables with the proxy settings. Without them, no proxy is used. */
  readonly proxyVariables?: ProxyVariables | undefined;
  readonly connect?: Pick<ConnectOptions, "socket" | "silenceMs" | "most">;
  /** Wait after an attempt, counted from 1, in milliseconds; `backoff` by default. */
  readonly waitMs?: ((attempt: number) => number) | undefined;
  readonly onRetry?: ((note: RetryNote) => void) | undefined;
  /** Replaces the waits, for tests. */
  readonly pause?: typeof pause | undefined;
}

/** Maximum number of redirects in a row. */
const MAX_REDIRECTS = 3;

type Outcome = { readonly answer: Answer } | { readonly fault: NetworkFault; readonly cause: unknown };

/** Sends requests to one service and retries them within the caller's deadline. */
export class Client {
  readonly #options: ClientOptions;
  readonly #connections = new Map<string, Promise<Connections>>();
  #connecting = new AbortController();

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** @throws for an invalid proxy variable */
  proxyFor(url: URL): URL | undefined {
    const { proxyVariables, errorOf } = this.#options;
    try {
      return proxyVariables && proxyFor(url, proxyVariables);
    } catch (cause) {
      if (!(cause instanceof UnusableProxy)) throw cause;
      const { variable, problem } = cause;
      throw errorOf({ kind: "unusable-proxy", variable, problem, url, cause });
    }
  }

  /** Returns the last response, whatever its status. @throws the failure's error or the signal's reason */
  async send(request: ClientRequest, deadline: Deadline): Promise<Received> {
    const { url, operation, finalStatus } = request;
    const { profile, pause, waitMs: own, onRetry, errorOf } = this.#options;
    const route = { url, proxy: this.proxyFor(url), operation };
    const writes = request.method !== "GET" && request.method !== "HEAD";
    const most = request.attempts ?? profile.attempts;
    let mayBeRepeated = false;
    let before = "";
    const { outcome, attempts, tooLong } = await retry(() => this.#attempt(request, route, deadline), {
      attempts: most,
      deadline,
      pause,
      waitMs: own,
      least: (each) => leastWait(each, profile, finalStatus),
      onRetry: ({ outcome: failed, attempt, waitMs }) => {
        before = reasonOf(failed);
        mayBeRepeated ||= mayHaveArrived(failed);
        onRetry?.({ attempt, attempts: most, reason: before, waitMs });
      },
    }).catch((error: unknown) => {
      if (!deadline.signal.aborted) throw error;
      const { reason } = deadline.signal;
      if (!(reason instanceof DeadlinePassed)) throw reason;
      throw errorOf({ kind: "too-late", deadline, before, ...route, mayBeDone: writes, cause: reason });
    });
    const cause = "fault" in outcome ? outcome.cause : undefined;
    const about = { ...route, mayBeDone: writes && (mayBeRepeated || mayHaveArrived(outcome)), cause };
    if (tooLong) {
      const error = errorOf({ kind: "long-wait", deadline, reason: reasonOf(outcome), ...tooLong, ...about });
      if (error !== undefined) throw error;
    }
    if ("fault" in outcome) throw errorOf({ kind: "unanswered", fault: outcome.fault, attempts, ...about });
    return { ...outcome.answer, attempts, mayBeRepeated };
  }

  /** Sends once and resolves with the headers. An unread body must be canceled. */
  async open(request: Pick<ClientRequest, "method" | "url" | "headers" | "operation">): Promise<Opened> {
    const { url, operation } = request;
    try {
      return await openAnswer(await this.#connected(this.proxyFor(url)), request);
    } catch (error) {
      if (!(error instanceof Incomplete)) throw error;
      const { explainFault } = await import("./network-fault.ts");
      const { cause } = error;
      const fault = explainFault(cause);
      throw this.#options.errorOf({ kind: "unanswered", fault, attempts: 1, url, operation, cause });
    }
  }

  async close(): Promise<void> {
    const made = await Promise.all(this.#connections.values());
    const closed = Promise.all(made.map((each) => each.destroy()));
    this.#connecting.abort();
    await closed;
    this.#connections.clear();
    this.#connecting = new AbortController();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #attempt(request: ClientRequest, route: Route, deadline: Deadline): Promise<Outcome> {
    const { profile, errorOf } = this.#options;
    let { url, proxy } = route;
    let { headers } = request;
    for (let redirects = 0; ; redirects++) {
      const outcome = await this.#once({ ...request, url, headers }, { ...route, url, proxy }, deadline);
      if (!("answer" in outcome) || profile.redirects === "given") return outcome;
      const { status } = outcome.answer;
      if (status < 300 || status >= 400) return outcome;
      const location = headerOf(outcome.answer, "location");
      const to = location === undefined ? null : URL.parse(location, url.href);
      const failure = { kind: "redirected", status, ...route } as const;
      if (profile.redirects === "refused") throw errorOf({ ...failure, to });
      if (to?.protocol !== "https:" && to?.protocol !== url.protocol) throw errorOf({ ...failure, to: null });
      if (redirects === MAX_REDIRECTS) throw errorOf({ ...failure, to });
      const { authorization, ...others } = headers;
      if (to.origin !== url.origin) headers = others;
      url = to;
      proxy = this.proxyFor(to);
    }
  }

  async #once(
    { body: source, headers, maxBytes: own, take, ...request }: ClientRequest,
    route: Route,
    deadline: Deadline,
  ): Promise<Outcome> {
    const { profile, errorOf } = this.#options;
    const { signal } = deadline;
    const maxBytes = own ?? profile.maxBytes;
    const body = source && watched(source);
    const ofBody = source && {
      "content-type": source.contentType,
      "content-length": String(source.contentLength),
    };
    const sent = { "user-agent": "delivery-evidence", ...headers, ...ofBody };
    const outgoing = { ...request, headers: sent, body: body?.bytes };
    try {
      const connections = await this.#connected(route.proxy);
      return { answer: await exchange(connections, outgoing, { signal, maxBytes, take }) };
    } catch (error) {
      if (body?.error !== undefined) throw body.error;
      if (signal.aborted || !(error instanceof Incomplete)) throw error;
      const { status, cause, isTooLarge } = error;
      if (isTooLarge) throw errorOf({ kind: "too-large", status, maxBytes, ...route });
      // Loaded on demand, because most steps never need it.
      const { explainFault } = await import("./network-fault.ts");
      return { fault: explainFault(cause, status), cause };
    }
  }

  /** Loads the dispatcher on demand, because a dry run needs none. */
  #connected(proxy: URL | undefined): Promise<Connections> {
    const { signal } = this.#connecting;
    const key = proxy?.href ?? "";
    const connections =
      this.#connections.get(key) ??
      import("./dispatcher.ts").then(({ openConnections }) =>
        openConnections({ proxy, signal, ...this.#options.connect }),
      );
    this.#connections.set(key, connections);
    return connections;
  }
}

/** Minimum wait that the outcome requires, in milliseconds; undefined if it is final. */
function leastWait(outcome: Outcome, profile: Profile, finalStatus: number | undefined): number | undefined {
  if ("fault" in outcome) {
    const { retried, code } = outcome.fault;
    return retried && !profile.finalFaults?.has(code) ? 0 : undefined;
  }
  const { status, headers } = outcome.answer;
  const { isRetried = isRetriedStatus } = profile;
  return isRetried(status) && status !== finalStatus ? (retryAfter(headers) ?? 0) : undefined;
}

function mayHaveArrived(outcome: Outcome): boolean {
  return "answer" in outcome ? outcome.answer.status >= 500 : outcome.fault.mayHaveArrived;
}

function reasonOf(outcome: Outcome): string {
  return "answer" in outcome ? `status ${outcome.answer.status}` : outcome.fault.reason;
}

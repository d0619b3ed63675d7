import type { Dispatcher } from "undici";
import { isEvidenceError, NetworkError, TimeoutError } from "../../api/client/errors.ts";
import { failed } from "../../api/client/failed-exchange.ts";
import { type Outcome, retry } from "../../api/retry.ts";
import { type Deadline, DeadlinePassed } from "../../net/deadline.ts";
import { makeDispatcher } from "../../net/dispatcher.ts";
import { explainFault } from "../../net/network-fault.ts";
import { type ProxyVariables, proxyFor } from "../../net/proxy.ts";
import type { pause } from "../../net/retry.ts";
import { type Answered, type Asked, exchange } from "./exchange.ts";

/** How often one request is made at most. */
const ATTEMPTS = 3;

const REACHABLE = "Check the name of the registry in `artifact`, and that the runner may reach it.";
/** Faults by which a server shows that it speaks plain HTTP where TLS was expected. */
const NO_TLS = /^(?:ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG))$/;
const SPEAK_HTTP =
  "If this registry knows no TLS, write http:// before its name in `artifact` and set allow-http: true.";

export interface ConnectionOptions {
  /** Where the proxy variables are. */
  readonly env: ProxyVariables;
  readonly deadline: Deadline;
  /** Stands in for waiting, in tests. */
  readonly pause?: typeof pause;
}

/** The connections to a registry and to those it sends us to, each by the proxy that is right for it. */
export class Connections {
  readonly #options: ConnectionOptions;
  readonly #dispatchers = new Map<string, Promise<Dispatcher>>();

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /**
   * Sends a request, again where that can help, and gives the last answer, whatever its status.
   *
   * @throws {NetworkError} when no attempt brought an answer
   * @throws {TimeoutError} when the deadline passed
   * @throws the signal's reason when the work is interrupted
   */
  async send(asked: Asked): Promise<Answered> {
    const { deadline, env, pause } = this.#options;
    const proxy = proxyFor(asked.url, env);
    const { outcome } = await retry(() => this.#attempt(asked, proxy), {
      attempts: ATTEMPTS,
      deadline,
      pause,
    }).catch((error: unknown) => {
      throw deadline.signal.aborted ? this.#endOf(asked.url) : error;
    });
    if ("answer" in outcome) return outcome.answer;
    const { code, reason, advice } = outcome.fault;
    const what = failed(reason, { host: asked.url.host, proxy: proxy?.host });
    throw new NetworkError({ what, advice: adviceFor(code, advice), code, cause: outcome.cause });
  }

  /** Closes every connection at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    const dispatchers = await Promise.all(this.#dispatchers.values());
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()));
  }

  async #attempt(asked: Asked, proxy: URL | undefined): Promise<Outcome<Answered>> {
    const { signal } = this.#options.deadline;
    try {
      return { answer: await exchange(await this.#dispatcher(proxy), asked, signal) };
    } catch (error) {
      if (signal.aborted || isEvidenceError(error)) throw error;
      return { fault: explainFault(error), cause: error };
    }
  }

  #dispatcher(proxy: URL | undefined): Promise<Dispatcher> {
    const key = proxy?.href ?? "";
    const made = this.#dispatchers.get(key) ?? makeDispatcher(proxy, this.#options.deadline.signal);
    this.#dispatchers.set(key, made);
    return made;
  }

  /** Why the work has ended, if it has. */
  #endOf({ host }: URL): unknown {
    const { signal, seconds } = this.#options.deadline;
    if (!(signal.reason instanceof DeadlinePassed)) return signal.reason;
    return new TimeoutError({
      what: failed(`no complete answer within ${seconds} s`, { host }),
      advice: "Try again later, or give the image's digest as `fingerprint`: then no registry is asked.",
      cause: signal.reason,
    });
  }
}

/** The advice for the service names its input, which has nothing to do with a registry. */
function adviceFor(code: string, advice: string): string {
  if (NO_TLS.test(code)) return SPEAK_HTTP;
  return advice === "" || advice.includes("base-url") ? REACHABLE : advice;
}

import type { Dispatcher } from "undici";
import Agent from "undici/lib/dispatcher/agent.js";
import {
  InputError,
  isEvidenceError,
  NetworkError,
  ProtocolError,
  TimeoutError,
} from "../../api/client/errors.ts";
import { failed } from "../../api/client/failed-exchange.ts";
import { parseJson } from "../../api/json.ts";
import { type Outcome, retry } from "../../api/retry.ts";
import { asObject, asText } from "../../api/untyped.ts";
import { Deadline, DeadlinePassed } from "../../net/deadline.ts";
import { explainFault } from "../../net/network-fault.ts";
import type { pause } from "../../net/retry.ts";
import { type Answered, exchange } from "../oci/exchange.ts";
import { faultCode } from "../unusable-path.ts";
import { adviceOr, type EngineAddress, type EngineUse, engineAddress } from "./engine-address.ts";

export interface EngineOptions {
  /** Where `DOCKER_HOST` and its kin are. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the work early, for a reason of its own. */
  readonly signal: AbortSignal;
  /** For all that is asked, in seconds. */
  readonly timeLimit?: number;
  /** Stands in for waiting, in tests. */
  readonly pause?: typeof pause;
}

const TIME_LIMIT_SECONDS = 30;
/** How often one thing is asked at most. */
const ATTEMPTS = 3;
/** The most that is read of an answer: a list of containers has all their labels. */
const MAX_ANSWER_BYTES = 20 * 1024 * 1024;
/** Of what the engine says of a failure, this much is quoted. */
const QUOTED = 300;

/** Faults that stay until somebody changes something: no engine is there, or this user may not ask it. */
const NOT_THERE: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ECONNREFUSED"]);
const NOT_ALLOWED: ReadonlySet<string> = new Set(["EACCES", "EPERM"]);

/** A Docker engine, which is asked by its socket or by TCP until it is let go. */
export class Engine {
  /** For messages: `unix:///var/run/docker.sock`. */
  readonly name: string;
  readonly #origin: URL;
  readonly #use: EngineUse;
  readonly #options: EngineOptions;
  readonly #deadline: Deadline;
  readonly #agent: Dispatcher;

  private constructor(
    { name, origin, socketPath, tls }: EngineAddress,
    options: EngineOptions,
    use: EngineUse,
  ) {
    this.name = name;
    this.#origin = origin;
    this.#use = use;
    this.#options = options;
    this.#deadline = new Deadline(options.timeLimit ?? TIME_LIMIT_SECONDS, options.signal);
    const connect = { signal: this.#deadline.signal, ...(socketPath && { socketPath }), ...tls };
    this.#agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, allowH2: false });
  }

  /**
   * The engine of this machine, or the one that `DOCKER_HOST` names. Nothing is asked yet; the time begins.
   *
   * @throws {InputError} (by the name of the use) for an address that cannot be asked
   */
  static async open(options: EngineOptions, use: EngineUse): Promise<Engine> {
    return new Engine(await engineAddress(options.env, use), options, use);
  }

  /**
   * Asks for something, again where that can help, and gives the last answer, whatever its status.
   *
   * @throws {InputError} (by the name of the use) when there is no engine that this user may ask
   * @throws {NetworkError}, {TimeoutError}, {ProtocolError} when the engine does not answer as it should
   * @throws the signal's reason when the work is interrupted
   */
  async get(path: string): Promise<Answered> {
    const { pause } = this.#options;
    const rule = { attempts: ATTEMPTS, deadline: this.#deadline, pause };
    const { outcome, attempts } = await retry(() => this.#attempt(path), rule).catch((error: unknown) => {
      throw this.#deadline.signal.aborted ? this.#endOf(error) : error;
    });
    if ("answer" in outcome) return outcome.answer;
    const { reason, code } = outcome.fault;
    const what = failed(reason, { host: this.#host, attempts });
    throw new NetworkError({ what, code, cause: outcome.cause });
  }

  /**
   * The JSON of an answer that has some, and is a success.
   *
   * @throws {ProtocolError} for any other
   */
  read({ status, bytes }: Answered): unknown {
    const content = parseJson(bytes.toString())?.value;
    if (status === 200 && content !== undefined) return content;
    throw this.unexpected(asText(asObject(content)["message"]).slice(0, QUOTED), status);
  }

  /** The error for an answer that says, or is, something else than it should. */
  unexpected(said: string, status?: number): ProtocolError {
    const host = this.#host;
    return new ProtocolError({
      what: failed(said || "no answer that can be read", { host, ...(status !== undefined && { status }) }),
      advice: "Run `docker info` in this job to see the failure alone.",
    });
  }

  /** Closes every connection at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#deadline[Symbol.dispose]();
    await this.#agent.destroy();
  }

  get #host(): string {
    return `the Docker engine at ${this.name}`;
  }

  async #attempt(path: string): Promise<Outcome<Answered>> {
    const url = new URL(path, this.#origin);
    const asked = { method: "GET", url, headers: {}, maxAnswerBytes: MAX_ANSWER_BYTES } as const;
    const { signal } = this.#deadline;
    try {
      return { answer: await exchange(this.#agent, asked, signal) };
    } catch (cause) {
      if (signal.aborted || isEvidenceError(cause)) throw cause;
      const code = faultCode(cause);
      if (NOT_ALLOWED.has(code)) {
        const why = "which this user may not ask (permission denied)";
        throw this.#notReached(why, "Add the user to the group docker", cause);
      }
      if (NOT_THERE.has(code)) {
        const advice = `Start it${this.#use.instead === "" ? " or" : ","} name its address in DOCKER_HOST`;
        throw this.#notReached("where none answers", advice, cause);
      }
      return { fault: explainFault(cause), cause };
    }
  }

  #notReached(why: string, advice: string, cause: unknown): InputError {
    const problem = `docker needs ${this.#host}, ${why}`;
    return new InputError([{ input: this.#use.input, problem }], {
      advice: adviceOr(advice, this.#use),
      cause,
    });
  }

  /** Why the work has ended. */
  #endOf(cause: unknown): unknown {
    const { signal, seconds } = this.#deadline;
    if (!(signal.reason instanceof DeadlinePassed)) return signal.reason;
    const what = failed(`no complete answer within ${seconds} s`, { host: this.#host });
    return new TimeoutError({ what, cause });
  }
}

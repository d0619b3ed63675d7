import type { Dispatcher } from "undici";
import {
  InputError,
  isEvidenceError,
  NetworkError,
  ProtocolError,
  TimeoutError,
} from "../../api/client/errors.ts";
import { failed } from "../../api/client/failed-exchange.ts";
import { hiding } from "../../api/client/hiding.ts";
import { parseJson } from "../../api/json.ts";
import { type LongWait, type Outcome, retry } from "../../api/retry.ts";
import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";
import { type Deadline, DeadlinePassed } from "../../net/deadline.ts";
import { makeDispatcher } from "../../net/dispatcher.ts";
import { explainFault } from "../../net/network-fault.ts";
import { proxyFor } from "../../net/proxy.ts";
import type { pause } from "../../net/retry.ts";
import { type Answered, exchange, headerOf } from "../oci/exchange.ts";

/** The most that is read of an answer, in bytes. */
const MAX_ANSWER_BYTES = 20 * 1024 * 1024;
/** Of what the other side says, this much is quoted. */
const QUOTED = 300;

/** Who is asked, and within which limits. */
export interface RemoteOptions {
  /** For messages: `Jira`. */
  readonly name: string;
  /** Ends with a slash. */
  readonly address: URL;
  /** The inputs that hold address and token, for messages. */
  readonly inputs: { readonly address: string; readonly token: string };
  /** What nobody may see of what is sent. */
  readonly secrets: readonly string[];
  /** Where the proxy variables are. */
  readonly env: Readonly<Record<string, string>>;
  readonly deadline: Deadline;
  /** Further attempts after the first. */
  readonly retries: number;
  /** Told before each wait. */
  readonly info: (line: string) => void;
  /** Stands in for waiting, in tests. */
  readonly pause?: typeof pause;
}

export interface Question {
  /** Below the address: `rest/api/2/myself`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly authorization: string;
}

/** Somebody else's service, which is asked questions with a token until it is let go. */
export class RemoteService {
  readonly #options: RemoteOptions;
  readonly #proxy: URL | undefined;
  readonly #hide: (text: string) => string;
  #dispatcher: Promise<Dispatcher> | undefined;

  /** @throws {InputError} for a proxy variable that cannot be used */
  constructor(options: RemoteOptions) {
    this.#options = options;
    this.#proxy = proxyFor(options.address, options.env);
    this.#hide = hiding(options.secrets);
  }

  /**
   * Asks, again where that can help, and gives the last answer, whatever its status. The token goes to the address
   * alone: a redirect is an error.
   *
   * @throws {NetworkError} when no attempt brought an answer
   * @throws {TimeoutError} when the deadline passed, or a wait for the next attempt would pass it
   * @throws {ProtocolError} for a redirect or an answer that is too large
   */
  async ask(question: Question): Promise<Answered> {
    const { deadline, retries, pause, name } = this.#options;
    const { outcome, attempts, tooLong } = await retry(() => this.#attempt(question), {
      attempts: retries + 1,
      deadline,
      pause,
      onRetry: ({ outcome: failure, attempt, waitMs }) => {
        const wait = `Trying again in ${(waitMs / 1000).toFixed(1)} s.`;
        const which = `Attempt ${attempt} of ${retries + 1} to ask ${name}`;
        this.#options.info(`${which} failed: ${reasonOf(failure)}. ${wait}`);
      },
    }).catch((error: unknown) => {
      throw deadline.signal.aborted ? this.#endOf(error) : error;
    });
    if (tooLong) throw this.#tooLongAWait(outcome, tooLong);
    if ("fault" in outcome) {
      const { reason, code, advice } = outcome.fault;
      const what = failed(reason, { ...this.#exchange, attempts });
      // It speaks of the address of our service.
      const own = advice.replaceAll("base-url", this.#options.inputs.address);
      throw new NetworkError({ what, advice: own, code, cause: outcome.cause });
    }
    if (outcome.answer.status >= 300 && outcome.answer.status < 400) throw this.#redirected(outcome.answer);
    return outcome.answer;
  }

  /**
   * The JSON of an answer that has some, and is a success.
   *
   * @param subject what was asked for, such as `the issue WEB-7`
   * @throws {InputError} (by the names of the inputs) where the user can cure it: a token that is not accepted
   * @throws {NetworkError}, {ProtocolError} for any other answer
   */
  read(answer: Answered, subject: string): unknown {
    const content = parseJson(answer.bytes.toString())?.value;
    if (answer.status !== 200) throw this.refusal(answer, subject);
    if (typeof content === "object" && content !== null) return content;
    throw this.unexpected(answer, `not JSON but ${this.#excerpt(answer)}`);
  }

  /** The error for an answer that refuses. */
  refusal(answer: Answered, subject: string): Error {
    const { name, inputs } = this.#options;
    const { status } = answer;
    const said = this.#saidIn(answer);
    if (status === 401 || status === 403) {
      const why = status === 401 ? "does not accept it" : `does not let it read ${subject}`;
      const problem = `${name} ${why}: ${said} (${this.#options.address.host}, status ${status})`;
      return new InputError([{ input: inputs.token, problem }], {
        advice: `Check the token and what it may read, and that ${inputs.address} is the ${name} it is of.`,
      });
    }
    return new NetworkError({
      what: failed(`${name} did not tell ${subject}: ${said}`, { ...this.#exchange, status }),
      advice: status >= 500 ? "Try again later." : `Check ${inputs.address}.`,
      code: "REMOTE",
    });
  }

  /** The error for an answer that is, or says, something else than it should. */
  unexpected({ status }: Answered, what: string): ProtocolError {
    const { name, inputs } = this.#options;
    return new ProtocolError({
      what: failed(`${name} gave an answer that cannot be used: ${what}`, { ...this.#exchange, status }),
      advice: `Check that ${inputs.address} is the address of ${name}, and that no login page or proxy stands before it.`,
    });
  }

  /** Closes every connection at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#dispatcher)?.destroy();
  }

  get #exchange() {
    return { host: this.#options.address.host, proxy: this.#proxy?.host };
  }

  async #attempt({ path, query = {}, authorization }: Question): Promise<Outcome<Answered>> {
    const { address, deadline } = this.#options;
    const { signal } = deadline;
    const url = new URL(address.href + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const headers = { accept: "application/json", authorization };
    const asked = { method: "GET", url, headers, maxAnswerBytes: MAX_ANSWER_BYTES } as const;
    try {
      this.#dispatcher ??= makeDispatcher(this.#proxy, signal);
      return { answer: await exchange(await this.#dispatcher, asked, signal) };
    } catch (cause) {
      if (signal.aborted || isEvidenceError(cause)) throw cause;
      return { fault: explainFault(cause), cause };
    }
  }

  /** What the other side says: Jira's and Sonar's words where it has some. */
  #saidIn(answer: Answered): string {
    const content: unknown = parseJson(answer.bytes.toString())?.value;
    return this.#hide(wordsIn(asObject(content))).slice(0, QUOTED) || this.#excerpt(answer);
  }

  #excerpt(answer: Answered): string {
    const type = headerOf(answer, "content-type")?.split(";")[0] ?? "no content type";
    // Hidden before it is cut: half of a token would not be known again as one.
    const start = this.#hide(answer.bytes.subarray(0, QUOTED * 20).toString());
    const excerpt = start.replace(/\s+/g, " ").trim().slice(0, QUOTED);
    return excerpt === "" ? "an empty body" : `${type} "${excerpt}"`;
  }

  #redirected(answer: Answered): ProtocolError {
    const { inputs, name, address } = this.#options;
    const location = headerOf(answer, "location") ?? "";
    const to = this.#hide(URL.parse(location, address.href)?.origin ?? "nowhere");
    return new ProtocolError({
      what: failed(`the request was redirected to ${to}`, { ...this.#exchange, status: answer.status }),
      advice: `Redirects are not followed, since the token could go astray: check ${inputs.token}, and that ${inputs.address} is the address of ${name}.`,
    });
  }

  /** Why the work has ended. */
  #endOf(cause: unknown): unknown {
    const { signal, seconds } = this.#options.deadline;
    if (!(signal.reason instanceof DeadlinePassed)) return signal.reason;
    return new TimeoutError({
      what: failed(`no complete answer within ${seconds} s`, this.#exchange),
      advice: "Try again later, or allow more time with timeout.",
      cause,
    });
  }

  #tooLongAWait(outcome: Outcome<Answered>, { waitMs, asked }: LongWait): TimeoutError {
    const { deadline, name } = this.#options;
    const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
    const who = asked ? `${name} asks for a wait of` : "it takes a wait of";
    const left = `${seconds(deadline.remaining)} of ${deadline.seconds} s`;
    const what = `${reasonOf(outcome)}, and ${who} ${seconds(waitMs)} before the next attempt, but ${left} are left`;
    return new TimeoutError({
      what: failed(what, this.#exchange),
      advice: "Try again later, or allow more time with timeout.",
      ...("fault" in outcome && { cause: outcome.cause }),
    });
  }
}

function reasonOf(outcome: Outcome<Answered>): string {
  return "answer" in outcome ? `status ${outcome.answer.status}` : outcome.fault.reason;
}

/** Jira lists `errorMessages`, Sonar `errors` with a `msg` each. */
function wordsIn({ errorMessages, errors }: Untyped): string {
  const jira = Array.isArray(errorMessages) ? errorMessages.map(asText) : [];
  return [...jira, ...asObjects(errors).map(({ msg }) => asText(msg))].filter(Boolean).join("; ");
}

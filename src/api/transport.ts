import { type Deadline, DeadlinePassed, unlessEnded } from "../net/deadline.ts";
import type { Connections } from "../net/dispatcher.ts";
import type { pause } from "../net/retry.ts";
import { isEvidenceError, NetworkError, ProtocolError, TimeoutError } from "./client/errors.ts";
import { failed } from "./client/failed-exchange.ts";
import type { BodySource } from "./client/multipart.ts";
import { type LongWait, type Outcome, retry } from "./retry.ts";

/** The most that is read of an answer, in bytes. */
export const MAX_ANSWER_BYTES = 20 * 1024 * 1024;
/** The most that is read of an answer that is a file, in bytes. */
export const MAX_FILE_ANSWER_BYTES = 512 * 1024 * 1024;

export interface WireRequest {
  /** The name of what is asked for, for messages. */
  readonly operation: string;
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: BodySource;
  /** The most to read of the answer, in bytes. */
  readonly maxAnswerBytes: number;
  /** Answers with this status are final though they would otherwise be tried again. */
  readonly finalStatus?: number;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly bytes: Buffer;
  /** How many attempts it took, this one included. */
  readonly attempts: number;
  /** An earlier attempt may have been carried out without its answer reaching us. */
  readonly mayBeRepeated: boolean;
}

/** Told before each wait, for the log. */
export interface RetryNote {
  readonly attempt: number;
  readonly attempts: number;
  /** Why the attempt failed: `status 503` or `connection refused`. */
  readonly reason: string;
  readonly waitMs: number;
}

export interface TransportOptions {
  /** Further attempts after the first. */
  readonly retries: number;
  readonly proxy?: URL | undefined;
  /** Takes secrets out of what is told of an answer. */
  readonly hide: (text: string) => string;
  readonly onRetry?: (note: RetryNote) => void;
  /** Stands in for waiting, in tests. */
  readonly pause?: typeof pause;
}

/** What one attempt brings. */
type Received = Omit<WireAnswer, "attempts" | "mayBeRepeated">;

/** Carries requests to one service and tries again where that can help, within the caller's deadline. */
export class Transport {
  readonly #options: TransportOptions;
  #connections: Promise<Connections> | undefined;
  /** Ends the connections that are still being made, which a dispatcher would wait for. */
  #connecting = new AbortController();

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /**
   * Sends a request and gives the last answer, whatever its status.
   *
   * @throws {NetworkError} when no attempt brought an answer
   * @throws {TimeoutError} when the deadline passed, or a wait for the next attempt would pass it
   * @throws {ProtocolError} for a redirect or an answer that is too large
   */
  async send(wireRequest: WireRequest, deadline: Deadline): Promise<WireAnswer> {
    const { retries, pause, onRetry } = this.#options;
    let mayBeRepeated = false;
    let lastReason = "";
    const { outcome, attempts, tooLong } = await retry(() => this.#attempt(wireRequest, deadline), {
      attempts: retries + 1,
      deadline,
      finalStatus: wireRequest.finalStatus,
      pause,
      onRetry: ({ outcome, attempt, waitMs }) => {
        lastReason = reasonOf(outcome);
        mayBeRepeated ||= mayHaveArrived(outcome);
        onRetry?.({ attempt, attempts: retries + 1, reason: lastReason, waitMs });
      },
    }).catch((error: unknown) => {
      throw deadline.signal.aborted ? endOf(deadline, wireRequest, lastReason) : error;
    });
    const doubt = mayBeRepeated || mayHaveArrived(outcome) ? recordedOrNot(wireRequest) : "";
    if (tooLong) throw tooLongAWait(outcome, wireRequest, { ...tooLong, deadline, doubt });
    if ("fault" in outcome) throw this.#unanswered(outcome, wireRequest, { attempts, doubt });
    return { ...outcome.answer, attempts, mayBeRepeated };
  }

  /** Closes every connection at once. */
  async close(): Promise<void> {
    const closed = (await this.#connections)?.destroy();
    this.#connecting.abort();
    await closed;
    this.#connections = undefined;
    this.#connecting = new AbortController();
  }

  async #attempt(wireRequest: WireRequest, deadline: Deadline): Promise<Outcome<Received>> {
    const body = wireRequest.body && watched(wireRequest.body);
    let answered: number | undefined;
    this.#connections ??= connections(this.#options.proxy, this.#connecting.signal);
    try {
      const exchange = (await this.#connections).ask({
        method: wireRequest.method,
        origin: wireRequest.url.origin,
        path: wireRequest.url.pathname + wireRequest.url.search,
        headers: {
          ...wireRequest.headers,
          ...(wireRequest.body && {
            "content-type": wireRequest.body.contentType,
            "content-length": String(wireRequest.body.contentLength),
          }),
        },
        ...(body && { body: body.bytes }),
        signal: deadline.signal,
      });
      const response = await unlessEnded(exchange, deadline.signal);
      const { statusCode: status, headers } = response;
      answered = status;
      if (status >= 300 && status < 400) {
        // Left unread it would keep the connection busy; being cut short is an error that nobody else hears.
        response.body.on("error", () => {}).destroy();
        const target = redirection(headers["location"], wireRequest.url);
        throw redirected(status, this.#options.hide(target), wireRequest);
      }
      return { answer: { status, headers, bytes: await readBytes(response.body, wireRequest, status) } };
    } catch (error) {
      if (body?.error !== undefined) throw body.error;
      if (deadline.signal.aborted || isEvidenceError(error)) throw error;
      // What most steps never need is loaded only now.
      const { explainFault } = await import("../net/network-fault.ts");
      return { fault: explainFault(error, answered), cause: error };
    }
  }

  #unanswered(
    { fault, cause }: Extract<Outcome<Received>, { cause: unknown }>,
    { url: { host }, operation }: WireRequest,
    { attempts, doubt }: { readonly attempts: number; readonly doubt: string },
  ): NetworkError {
    const { reason, advice, code, status } = fault;
    const what = failed(reason, { host, proxy: this.#options.proxy?.host, operation, status, attempts });
    return new NetworkError({ what, advice: `${doubt}${advice}`.trim(), code, cause });
  }
}

/** Loads what connects only for what is sent: a dry run does without. */
async function connections(proxy: URL | undefined, signal: AbortSignal): Promise<Connections> {
  const { openConnections } = await import("../net/dispatcher.ts");
  return openConnections(proxy, signal);
}

/** Remembers an error of the body itself, which undici would report as a broken connection. */
function watched(body: BodySource): { bytes: AsyncIterable<Uint8Array>; error?: unknown } {
  const state: { bytes: AsyncIterable<Uint8Array>; error?: unknown } = { bytes: read() };
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      yield* body.open();
    } catch (error) {
      state.error = error;
      throw error;
    }
  }
  return state;
}

async function readBytes(
  body: AsyncIterable<Uint8Array> & { destroy(): unknown },
  { url: { host }, operation, maxAnswerBytes }: WireRequest,
  status: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxAnswerBytes) {
      body.destroy();
      throw new ProtocolError({
        what: failed(`the answer is larger than ${maxAnswerBytes / 1024 / 1024} MB`, {
          host,
          operation,
          status,
        }),
        advice: "Check that base-url names the service.",
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Whether the service may have carried out the request, though it gave no final answer. */
function mayHaveArrived(outcome: Outcome<Received>): boolean {
  return "answer" in outcome ? outcome.answer.status >= 500 : outcome.fault.mayHaveArrived;
}

/** What to add to the advice when a request may have been carried out. */
function recordedOrNot({ method }: WireRequest): string {
  return method === "GET" ? "" : "It may or may not have been recorded. ";
}

function reasonOf(outcome: Outcome<Received>): string {
  return "answer" in outcome ? `status ${outcome.answer.status}` : outcome.fault.reason;
}

function redirection(location: string | readonly string[] | undefined, url: URL): string {
  return (typeof location === "string" && URL.parse(location, url.href)?.href) || "nowhere";
}

function redirected(
  status: number,
  target: string,
  { url: { host }, operation }: WireRequest,
): ProtocolError {
  return new ProtocolError({
    what: failed(`the request was redirected to ${target}`, { host, operation, status }),
    advice:
      "Redirects are not followed, since evidence could go astray: set base-url to the address of the service.",
  });
}

function endOf(deadline: Deadline, wireRequest: WireRequest, lastReason: string): unknown {
  const { url, operation } = wireRequest;
  if (!(deadline.signal.reason instanceof DeadlinePassed)) return deadline.signal.reason;
  const before = lastReason === "" ? "" : `; before that: ${lastReason}`;
  return new TimeoutError({
    what: failed(`no complete answer within ${deadline.seconds} s${before}`, { host: url.host, operation }),
    advice: `${recordedOrNot(wireRequest)}Try again later, or allow more time with timeout.`,
    cause: deadline.signal.reason,
  });
}

function tooLongAWait(
  outcome: Outcome<Received>,
  { url: { host }, operation }: WireRequest,
  { waitMs, asked, deadline, doubt }: LongWait & { readonly deadline: Deadline; readonly doubt: string },
): Error {
  const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
  const who = asked ? "the service asks for a wait of" : "it takes a wait of";
  const left = `${seconds(deadline.remaining)} of ${deadline.seconds} s`;
  const cause = `${reasonOf(outcome)}, and ${who} ${seconds(waitMs)} before the next attempt, but ${left} are left`;
  return new TimeoutError({
    what: failed(cause, { host, operation }),
    advice: `${doubt}Try again later, or allow more time with timeout.`,
    ...("fault" in outcome && { cause: outcome.cause }),
  });
}

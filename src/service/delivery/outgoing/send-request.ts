import type { Dispatcher } from "undici";
import { retryAfter } from "../../../net/retry.ts";
import { type Failure, failureOf } from "../../outgoing/failure.ts";
import type { GuardedAgent } from "./guarded-agent.ts";
import { checkTarget } from "./target-address.ts";

/** How long all of a request may take: name, connection, TLS, and the whole answer. */
const DEADLINE_MS = 15_000;
/** More than this is not read of an answer: the connection is closed instead. */
const MOST_READ_BYTES = 64 * 1024;
/** So much of an answer is kept. */
const KEPT_BYTES = 4 * 1024;
/** A longer wait than this is not asked of us. */
const LONGEST_RETRY_AFTER_SECONDS = 24 * 60 * 60;

interface Exchange {
  /** Of the answer, if there was one. */
  readonly status?: number;
  readonly durationMs: number;
  /** The first 4 KB of the answer, as text. */
  readonly answer: string;
}

interface Delivered extends Exchange {
  readonly outcome: "delivered";
}

interface Failed extends Exchange, Failure {
  /** When the target wants to be asked again, at most a day from now. */
  readonly retryAfterSeconds?: number;
}

export type SendResult = Delivered | Failed;

export interface OutgoingRequest {
  readonly agent: GuardedAgent;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly deadlineMs?: number;
}

/**
 * Posts once, and says how that ended. The status decides: with one of success the request is delivered, also when the
 * rest of the answer is too long, breaks off or does not end before the deadline.
 *
 * Whatever the target or the network does is a result; nothing of it is thrown.
 */
export async function sendRequest({
  deadlineMs = DEADLINE_MS,
  ...asked
}: OutgoingRequest): Promise<SendResult> {
  const started = performance.now();
  const timed = () => ({ durationMs: Math.round(performance.now() - started), answer: "" });
  const problem = checkTarget(asked.url, asked.agent.rules);
  if (problem !== undefined) return { outcome: "refused_address", detail: problem.message, ...timed() };
  let received: Received | undefined;
  try {
    received = await post(asked, deadlineMs);
  } catch (error) {
    return { ...failureOf(error), ...timed() };
  }
  if (received === undefined) {
    return { outcome: "timeout", detail: `No answer came within ${deadlineMs / 1000} s`, ...timed() };
  }
  const { status, headers, answer } = received;
  const exchange = { ...timed(), status, answer };
  if (status >= 200 && status < 300) return { outcome: "delivered", ...exchange };
  const answered = `The target answered ${status}`;
  const retryAfterSeconds = retryAfterIn(headers);
  return {
    outcome: `status_${status}`,
    detail: status >= 300 && status < 400 ? `${answered}, a redirect, which is not followed` : answered,
    ...exchange,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

interface Received {
  readonly status: number;
  readonly headers: Headers;
  /** The beginning of the answer. */
  readonly answer: string;
}

/** @returns undefined when no status has come in time */
function post(
  { agent, url, headers, body }: Omit<OutgoingRequest, "deadlineMs">,
  deadlineMs: number,
): Promise<Received | undefined> {
  const { origin, pathname, search } = new URL(url);
  const posting = new Posting(deadlineMs);
  agent.dispatcher.dispatch(
    {
      origin,
      path: pathname + search,
      method: "POST",
      headers: { ...headers },
      body: Buffer.from(body),
    },
    posting,
  );
  return posting.ended;
}

/**
 * A request under way. It reads of the answer what can be had within its limits, and without a stream, which would hold
 * several times as much memory as most answers are long.
 */
class Posting implements Dispatcher.DispatchHandler {
  readonly #end = Promise.withResolvers<Received | undefined>();
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;
  #head: Pick<Received, "status" | "headers"> | undefined;
  readonly #chunks: Buffer[] = [];
  #read = 0;

  constructor(deadlineMs: number) {
    this.#timer = setTimeout(() => this.#stop(), deadlineMs);
  }

  get ended(): Promise<Received | undefined> {
    return this.#end.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Time was up before there was a connection.
    if (this.#isOver) this.#abort();
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // One that says that another will follow is none.
    if (status >= 200) this.#head = { status, headers };
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const missing = KEPT_BYTES - this.#read;
    // A copy, as the chunk is a part of a buffer that is used again.
    if (missing > 0) this.#chunks.push(Buffer.from(chunk.subarray(0, missing)));
    this.#read += chunk.length;
    if (this.#read >= MOST_READ_BYTES) this.#stop();
  }

  onResponseEnd(): void {
    this.#finish();
  }

  /** What breaks off after its status is judged by its status. */
  onResponseError(_: unknown, error: Error): void {
    if (this.#head === undefined) this.#fail(error);
    else this.#finish();
  }

  /** Ends it with what has come. An answer that is not read to its end costs its connection. */
  #stop(): void {
    this.#finish();
    this.#abort();
  }

  #abort(): void {
    this.#controller?.abort(new Error("nothing more is read of this answer"));
  }

  #finish(): void {
    this.#over();
    const answer = Buffer.concat(this.#chunks)
      .toString("utf8")
      .replace(/\uFFFD$/, "");
    this.#end.resolve(this.#head && { ...this.#head, answer });
  }

  #fail(error: Error): void {
    this.#over();
    this.#end.reject(error);
  }

  #over(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}

function retryAfterIn(headers: Headers): number | undefined {
  const wait = retryAfter(headers);
  return wait === undefined ? undefined : Math.min(Math.ceil(wait / 1000), LONGEST_RETRY_AFTER_SECONDS);
}

import type { Dispatcher } from "undici";
import request from "undici/lib/api/api-request.js";
import { retryAfter } from "../../api/backoff.ts";
import { Deadline, unlessEnded } from "../../api/deadline.ts";
import { type Failure, failureOf } from "./failure.ts";
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
  // The timer ends with the request: thousands a second would otherwise wait in memory for their time to be up.
  using deadline = new Deadline(deadlineMs / 1000);
  const { signal } = deadline;
  const timed = () => ({ durationMs: Math.round(performance.now() - started), answer: "" });
  const problem = checkTarget(asked.url, asked.agent.rules);
  if (problem !== undefined) return { outcome: "refused_address", detail: problem.message, ...timed() };
  let received: Dispatcher.ResponseData;
  try {
    received = await unlessEnded(post(asked, signal), signal);
  } catch (error) {
    if (!signal.aborted) return { ...failureOf(error), ...timed() };
    return { outcome: "timeout", detail: `No answer came within ${deadlineMs / 1000} s`, ...timed() };
  }
  const { statusCode: status, headers } = received;
  const answer = await startOf(received);
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

function post(
  { agent, url, headers, body }: Omit<OutgoingRequest, "deadlineMs">,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const { origin, pathname, search } = new URL(url);
  return request.call(agent.dispatcher, {
    origin,
    path: pathname + search,
    method: "POST",
    headers: { ...headers },
    body: Buffer.from(body),
    signal,
  });
}

/** What can be had of an answer within its limits. An answer that is not read to its end costs its connection. */
async function startOf({ body }: Dispatcher.ResponseData): Promise<string> {
  const chunks: Buffer[] = [];
  let kept = 0;
  let read = 0;
  const readOn = async () => {
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk);
      read += bytes.length;
      if (kept < KEPT_BYTES) chunks.push(bytes.subarray(0, KEPT_BYTES - kept));
      kept = Math.min(read, KEPT_BYTES);
      if (read >= MOST_READ_BYTES) break;
    }
  };
  // It breaks off when the target hangs up or time is up. What has come is what there is to show.
  await readOn().catch(() => {});
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/\uFFFD$/, "");
}

function retryAfterIn({ "retry-after": header }: Dispatcher.ResponseData["headers"]): number | undefined {
  const wait = retryAfter(typeof header === "string" ? header : undefined);
  return wait === undefined ? undefined : Math.min(Math.ceil(wait / 1000), LONGEST_RETRY_AFTER_SECONDS);
}

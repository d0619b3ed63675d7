import { Deadline, DeadlinePassed } from "../../../net/deadline.ts";
import { exchange, Incomplete } from "../../../net/exchange.ts";
import type { Headers } from "../../../net/headers.ts";
import { explainFault } from "../../../net/network-fault.ts";
import { retryAfter } from "../../../net/retry.ts";
import { type GuardedAgent, RefusedAddress } from "./guarded-agent.ts";
import { checkTarget } from "./target-address.ts";

/** Deadline of the whole request: lookup, connection, TLS and response. */
const DEADLINE_MS = 15_000;
/** Maximum response size. The connection is closed when it is exceeded. */
const MOST_READ_BYTES = 64 * 1024;
/** Maximum stored size of a response. */
const MAX_ANSWER_BYTES = 4 * 1024;
/** Maximum wait that a target may request. */
const LONGEST_RETRY_AFTER_SECONDS = 24 * 60 * 60;

interface Exchange {
  readonly status?: number;
  readonly durationMs: number;
  /** The first 4 KB of the response. */
  readonly answer: string;
}

/** A failure may have the wait that the target requested. */
export type SendResult = Exchange & ({ outcome: "delivered" } | (Failure & { retryAfterSeconds?: number }));

export interface OutgoingRequest {
  readonly agent: GuardedAgent;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly deadlineMs?: number;
}

/**
 * Posts once. A 2xx status means delivered, even if the rest of the response is too long, incomplete or late.
 * Failures of the target or the network are results, not exceptions.
 */
export async function sendRequest({
  deadlineMs = DEADLINE_MS,
  ...request
}: OutgoingRequest): Promise<SendResult> {
  const started = performance.now();
  const timed = () => ({ durationMs: Math.round(performance.now() - started), answer: "" });
  const problem = checkTarget(request.url, request.agent.rules);
  if (problem !== undefined) return { outcome: "refused_address", detail: problem.message, ...timed() };
  let received: Awaited<ReturnType<typeof post>>;
  try {
    received = await post(request, deadlineMs);
  } catch (error) {
    return { ...failureOf(error), ...timed() };
  }
  if (received === undefined) {
    return { outcome: "timeout", detail: `No response within ${deadlineMs / 1000} s`, ...timed() };
  }
  const { status, headers, answer } = received;
  const exchange = { ...timed(), status, answer };
  if (status >= 200 && status < 300) return { outcome: "delivered", ...exchange };
  const answered = `The target returned ${status}`;
  const retryAfterSeconds = retryAfterIn(headers);
  return {
    outcome: `status_${status}`,
    detail: status >= 300 && status < 400 ? `${answered}, a redirect, which is not followed` : answered,
    ...exchange,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** @returns undefined if no status arrived in time */
async function post({ agent, url, headers, body }: Omit<OutgoingRequest, "deadlineMs">, deadlineMs: number) {
  using deadline = new Deadline(deadlineMs / 1000);
  const chunks: Buffer[] = [];
  let missing = MAX_ANSWER_BYTES;
  const take = (chunk: Buffer) => {
    // A copy, because the chunk keeps the whole read buffer alive.
    if (missing > 0) chunks.push(Buffer.from(chunk.subarray(0, missing)));
    missing -= chunk.length;
  };
  const posted = { method: "POST", url: new URL(url), headers, body: Buffer.from(body) } as const;
  const reading = { signal: deadline.signal, maxBytes: MOST_READ_BYTES, mayBeCut: true, take };
  try {
    const { status, headers: answered } = await exchange(agent.connections, posted, reading);
    const answer = Buffer.concat(chunks)
      .toString("utf8")
      .replace(/\uFFFD$/, "");
    return { status, headers: answered, answer };
  } catch (error) {
    if (error instanceof DeadlinePassed) return undefined;
    throw error instanceof Incomplete ? error.cause : error;
  }
}

function retryAfterIn(headers: Headers): number | undefined {
  const wait = retryAfter(headers);
  return wait === undefined ? undefined : Math.min(Math.ceil(wait / 1000), LONGEST_RETRY_AFTER_SECONDS);
}

type FailureCode =
  | "refused_address"
  | "dns"
  | "connect"
  | "tls"
  /** The deadline passed before the status arrived. */
  | "timeout"
  /** The connection broke before the status arrived. */
  | "reset"
  /** The response headers are too long. */
  | "too_large"
  | "not_http"
  /** The response is not 2xx. Redirects are not followed. */
  | `status_${number}`;

interface Failure {
  readonly outcome: FailureCode;
  /** A sentence without a full stop and without any of the response. */
  readonly detail: string;
}

const BY_CODE: Readonly<Record<string, FailureCode>> = {
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  EAI_FAIL: "dns",
  EAI_NODATA: "dns",
  ETIMEDOUT: "connect",
  UND_ERR_HEADERS_OVERFLOW: "too_large",
};

/** @throws the error itself if the request is invalid, for example a header with a line break */
function failureOf(error: unknown): Failure {
  if (error instanceof RefusedAddress) return { outcome: "refused_address", detail: error.message };
  const { code, reason, retried, mayHaveArrived } = explainFault(error);
  if (code === "UND_ERR_INVALID_ARG") throw error;
  const detail = `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}`;
  const byCode = BY_CODE[code];
  if (byCode !== undefined) return { outcome: byCode, detail };
  if (mayHaveArrived) return { outcome: code.startsWith("HPE_") ? "not_http" : "reset", detail };
  return { outcome: retried ? "connect" : "tls", detail };
}

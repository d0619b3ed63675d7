import { setTimeout as sleep } from "node:timers/promises";
import { type Headers, headerOf } from "./headers.ts";

/** Maximum first wait, in milliseconds. It doubles with each attempt. */
const FIRST_MS = 500;
/** Maximum wait of the backoff, in milliseconds. */
const LONGEST_MS = 20_000;

/** Statuses that a retry may change. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

export function isRetriedStatus(status: number): boolean {
  return RETRIED_STATUSES.has(status);
}

/** A failed attempt that will be retried. */
export interface RetryNote {
  /** Number of the failed attempt, counted from 1. */
  readonly attempt: number;
  /** Maximum number of attempts. */
  readonly attempts: number;
  /** Reason of the failure, such as `status 503` or `connection refused`. */
  readonly reason: string;
  /** Wait before the next attempt, in milliseconds. */
  readonly waitMs: number;
}

/** Exponential backoff with full jitter, in milliseconds; `attempt` counts from 1. */
export function backoff(attempt: number, random: number = Math.random()): number {
  return random * Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
}

/**
 * `Retry-After` in milliseconds (RFC 9110, 10.2.3). A date counts from the response's own `Date`,
 * because the clocks may differ.
 */
export function retryAfter(headers: Headers, now: number = Date.now()): number | undefined {
  const text = headerOf({ headers }, "retry-after") ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const end = httpDate(text);
  return end === undefined
    ? undefined
    : Math.max(0, end - (httpDate(headerOf({ headers }, "date") ?? "") ?? now));
}

/** Parses an HTTP date strictly, because `Date.parse` accepts almost anything: "-5" would be in 2001. */
function httpDate(text: string): number | undefined {
  const date = /^[A-Z][a-z]+, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

/** Waits. Rejects with the reason of the signal if it aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

export interface RetryRule<Outcome> {
  readonly attempts: number;
  /** Ends the waits. `remaining` is the time left, in milliseconds. */
  readonly deadline: { readonly signal: AbortSignal; readonly remaining?: number };
  /** Minimum wait before the next attempt, in milliseconds; undefined if a retry cannot help. */
  readonly least: (outcome: Outcome) => number | undefined;
  /** Wait after an attempt, counted from 1, in milliseconds; `backoff` by default. */
  readonly waitMs?: ((attempt: number) => number) | undefined;
  readonly onRetry?: (failed: { outcome: Outcome; attempt: number; waitMs: number }) => void;
  /** Replaces the waits, for tests. */
  readonly pause?: typeof pause | undefined;
}

export interface Retried<Outcome> {
  readonly outcome: Outcome;
  readonly attempts: number;
  /** Wait before the next attempt, if it exceeds the deadline. */
  readonly tooLong?: LongWait;
}

export interface LongWait {
  readonly waitMs: number;
  /** Whether the other side requested the wait. */
  readonly byServer: boolean;
}

/** @throws the error of an attempt, or the reason of the signal if it aborts during a wait */
export async function retry<Outcome>(
  attempt: () => Promise<Outcome>,
  rule: RetryRule<Outcome>,
): Promise<Retried<Outcome>> {
  const { deadline, waitMs: own = backoff, least } = rule;
  for (let made = 1; ; made++) {
    const outcome = await attempt();
    const leastMs = least(outcome);
    if (leastMs === undefined || made >= rule.attempts) return { outcome, attempts: made };
    const ownMs = own(made);
    const waitMs = Math.max(leastMs, ownMs);
    if (deadline.remaining !== undefined && waitMs > deadline.remaining) {
      return { outcome, attempts: made, tooLong: { waitMs, byServer: leastMs > ownMs } };
    }
    rule.onRetry?.({ outcome, attempt: made, waitMs });
    await (rule.pause ?? pause)(waitMs, deadline.signal);
  }
}

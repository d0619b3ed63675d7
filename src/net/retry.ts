import { setTimeout as sleep } from "node:timers/promises";
import { type Headers, headerOf } from "./exchange.ts";

/** The first wait is at most this long, in milliseconds; each further one may be twice as long. */
const FIRST_MS = 500;
/** No wait of our own is longer, in milliseconds. */
const LONGEST_MS = 20_000;

/** Answers that may turn out otherwise when asked again. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

export function isRetriedStatus(status: number): boolean {
  return RETRIED_STATUSES.has(status);
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

/** The parser takes almost anything for a date: "-5" would be one of 2001. */
function httpDate(text: string): number | undefined {
  const date = /^[A-Z][a-z]+, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

/** Waits, unless the signal ends the wait: then it rejects with the signal's own reason. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

export interface RetryRule<Outcome> {
  readonly attempts: number;
  /** Ends the waits, and says how much time is left for one, in milliseconds. */
  readonly deadline: { readonly signal: AbortSignal; readonly remaining?: number };
  /** How long to wait at least before another attempt, in milliseconds; undefined when none would change anything. */
  readonly least: (outcome: Outcome) => number | undefined;
  /** How long to wait after an attempt, counted from 1, in milliseconds: by default as `backoff` says. */
  readonly waitMs?: ((attempt: number) => number) | undefined;
  readonly onRetry?: (failed: { outcome: Outcome; attempt: number; waitMs: number }) => void;
  /** Stands in for waiting, in tests. */
  readonly pause?: typeof pause | undefined;
}

export interface Retried<Outcome> {
  readonly outcome: Outcome;
  readonly attempts: number;
  /** The wait for a further attempt, when the deadline has no room for it. */
  readonly tooLong?: LongWait;
}

export interface LongWait {
  readonly waitMs: number;
  /** Whether the other side asked for it, and not our own rule. */
  readonly asked: boolean;
}

/** @throws what an attempt throws, and the signal's reason when it aborts during a wait */
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
      return { outcome, attempts: made, tooLong: { waitMs, asked: leastMs > ownMs } };
    }
    rule.onRetry?.({ outcome, attempt: made, waitMs });
    await (rule.pause ?? pause)(waitMs, deadline.signal);
  }
}

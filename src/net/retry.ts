import { setTimeout as sleep } from "node:timers/promises";

/** The first wait is at most this long, in milliseconds; each further one may be twice as long. */
const FIRST_MS = 500;
/** No wait of our own is longer, in milliseconds. */
const LONGEST_MS = 20_000;

/** Answers that may turn out otherwise when asked again. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

export function isRetriedStatus(status: number): boolean {
  return RETRIED_STATUSES.has(status);
}

/**
 * How long to wait before the next attempt, in milliseconds: exponential backoff with full jitter, so that many
 * clients that failed together do not come back together.
 *
 * @param attempt how many attempts were made, from 1
 * @param random a number from 0 to 1
 */
export function backoff(attempt: number, random: number = Math.random()): number {
  return random * Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
}

/**
 * The wait that `Retry-After` requests, in milliseconds: seconds or an HTTP date (RFC 9110, 10.2.3). A date counts from
 * the response's own `Date`, because the clocks may differ. Undefined without a header that can be read.
 */
export function retryAfter(headers: Headers, now: number = Date.now()): number | undefined {
  const text = textOf(headers["retry-after"]);
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const end = httpDate(text);
  return end === undefined ? undefined : Math.max(0, end - (httpDate(textOf(headers["date"])) ?? now));
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

function textOf(header: Headers[string]): string {
  return typeof header === "string" ? header.trim() : "";
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

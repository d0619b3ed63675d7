const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long to wait after each attempt that failed, in seconds: 75 hours in all, so that a weekend loses nothing. */
const WAITS: readonly number[] = [
  ...[5, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
];
/** A wait is longer or shorter by up to this part of it: what failed together does not come back together. */
const JITTER = 0.2;
const LONGEST_RETRY_AFTER = DAY;

interface Failed {
  /** How many attempts of the schedule have failed so far: 1 after the first. */
  readonly attempts: number;
  /** What the target asked for. A longer wait than that of the schedule is kept to, up to a day. */
  readonly retryAfterSeconds?: number | undefined;
  /** From 0 to 1, as `Math.random` gives it. */
  readonly random: () => number;
}

/** In how many seconds to try again. Undefined when there is no further attempt. */
export function waitAfter({ attempts, retryAfterSeconds = 0, random }: Failed): number | undefined {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return undefined;
  const jittered = wait * (1 + JITTER * (2 * random() - 1));
  return Math.max(jittered, Math.min(retryAfterSeconds, LONGEST_RETRY_AFTER));
}

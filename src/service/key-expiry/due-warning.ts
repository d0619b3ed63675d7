export const DAY = 24 * 60 * 60;

/** How many days before its end people are told of a key, from the last warning to the first. */
const WARNING_DAYS = [1, 3, 14] as const;
export const FIRST_WARNING_DAYS = 14;

/** The life of a key. Times are Unix seconds. */
interface KeyLife {
  createdAt: number;
  expiresAt: number;
  /** The days of the latest warning; null when there was none. */
  toldDays: number | null;
}

/**
 * Which warning of a key's end is due: its days, or undefined when none is or it was given. A key that was made for
 * fewer days is not warned of, as whoever made it knows. Of warnings that nobody was there to give only the last is.
 */
export function dueWarning({ createdAt, expiresAt, toldDays }: KeyLife, now: number): number | undefined {
  const left = expiresAt - now;
  const days = left > 0 ? WARNING_DAYS.find((each) => left <= each * DAY) : undefined;
  if (days === undefined || (toldDays !== null && toldDays <= days)) return undefined;
  return expiresAt - createdAt > days * DAY ? days : undefined;
}

import { invalidInput } from "./errors.ts";

/** Both ends are inclusive, in Unix seconds. */
export interface Window {
  readonly from: number;
  readonly until: number;
}

export const DAY = 86_400;

/** The window of `start_ts` and `end_ts`, by default the last 28 days. @throws Invalid */
export function windowOf(
  { startTs, endTs }: { startTs?: number | undefined; endTs?: number | undefined },
  now: number,
): Window {
  const until = endTs ?? now;
  return ordered({ from: startTs ?? until - 28 * DAY, until }, ["start_ts", "end_ts"]);
}

/** @throws Invalid if the window ends before it begins */
export function ordered(window: Window, [start, end]: readonly [string, string]): Window {
  if (window.from > window.until) {
    throw invalidInput({ [`query.${start}`]: `${start} must not be after ${end} (default: now)` });
  }
  return window;
}

import { invalidInput } from "../../kernel/errors.ts";
import { parseMoment } from "../snapshots/interval.ts";

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

/** The window of `from` and `to` as texts. @param days length without `from` @throws Invalid */
export function windowOfTexts(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  { now, days }: { now: number; days: number },
): Window {
  const until = momentOf("to", to) ?? now;
  return ordered({ from: momentOf("from", from) ?? until - days * DAY, until }, ["from", "to"]);
}

function ordered(window: Window, [start, end]: readonly [string, string]): Window {
  if (window.from > window.until) {
    throw invalidInput({ [`query.${start}`]: `${start} must not be after ${end} (default: now)` });
  }
  return window;
}

/** Unix seconds. An empty text counts as absent. @throws Invalid */
export function momentOf(field: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const moment = parseMoment(text);
  if (moment === undefined) {
    throw invalidInput({
      [`query.${field}`]: `Input should be Unix seconds or an ISO 8601 date and time [input: ${text.slice(0, 100)}]`,
    });
  }
  return moment;
}

import { invalidInput } from "../../kernel/errors.ts";

export interface Bucket {
  /** Unix seconds, inclusive. */
  readonly start: number;
  /** Unix seconds, exclusive. */
  readonly end: number;
  readonly isPartial: boolean;
}

export type Unit = "day" | "week" | "month";

const MAX_BUCKETS = 400;
const DAY = 86_400;

/**
 * Buckets from the one that contains `from` to the one that contains `to`, on the calendar of a time zone.
 *
 * @throws Invalid for an unknown time zone, or too many buckets
 */
export function bucketsBetween(from: number, to: number, { unit, tz }: { unit: Unit; tz: string }): Bucket[] {
  const local = localTime(tz);
  const buckets: Bucket[] = [];
  let day = firstDay(local(from), unit);
  let start = startOf(day, local);
  while (start <= to) {
    if (buckets.length === MAX_BUCKETS) {
      throw invalidInput({ "query.from": `The time must not have more than ${MAX_BUCKETS} buckets` });
    }
    day = dayAfter(day, unit);
    const end = startOf(day, local);
    buckets.push({ start, end, isPartial: end > to });
    start = end;
  }
  return buckets;
}

/** The bucket of a time, by its place. -1 before the first bucket. */
export function placeIn(buckets: readonly Bucket[], time: number): number {
  let [low, high] = [0, buckets.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((buckets[middle]?.start ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

type LocalTime = (time: number) => number;

/** Clock time in a zone, as if it were UTC. @throws Invalid */
function localTime(tz: string): LocalTime {
  // Formatting the times of many buckets takes longer than most of their figures.
  if (tz === "UTC") return Math.floor;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", {
      ...{ timeZone: tz, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
      ...{ hour: "numeric", minute: "numeric", second: "numeric" },
    });
  } catch {
    throw invalidInput({ "query.tz": `Input should be a time zone, such as Europe/Berlin [input: ${tz}]` });
  }
  return (time) => {
    const parts = new Map(format.formatToParts(time * 1000).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const day = Date.UTC(part("year"), part("month") - 1, part("day"));
    return day / 1000 + part("hour") * 3600 + part("minute") * 60 + part("second");
  };
}

/** Midnight of a day. If the day has none, the zone skips that hour. */
function startOf(day: number, local: LocalTime): number {
  const offset = (time: number) => local(time) - time;
  return day - offset(day - offset(day));
}

function firstDay(time: number, unit: Unit): number {
  const day = Math.floor(time / DAY) * DAY;
  const date = new Date(day * 1000);
  if (unit === "month") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000;
  return unit === "week" ? day - ((date.getUTCDay() + 6) % 7) * DAY : day;
}

function dayAfter(day: number, unit: Unit): number {
  if (unit !== "month") return day + (unit === "week" ? 7 : 1) * DAY;
  const date = new Date(day * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000;
}

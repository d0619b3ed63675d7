export type SnapshotExpression =
  /** From 1; negative counts from the end: -1 is the latest. */
  | { kind: "number"; number: number }
  /** Snapshots before the latest. */
  | { kind: "behind"; count: number }
  /** Unix seconds. */
  | { kind: "time"; time: number };

const NUMBER = /^#?(-?\d{1,9})$/;
const BEHIND = /^~(\d{1,9})$/;
const TIME = /^@\{(.+)\}$/;
const AGO = /^(\d{1,6})\.(hour|day|week|month)s?\.ago$/i;

const SECONDS = { hour: 3600, day: 86_400, week: 7 * 86_400 } as const;

/**
 * Parses `12`, `-1`, `~2`, `@{2026-01-31T12:00:00}` (UTC), `@{3.days.ago}` or `@{now}`. Undefined for other texts.
 *
 * @param now Unix seconds
 */
export function parseSnapshotExpression(text: string, now: number): SnapshotExpression | undefined {
  const number = NUMBER.exec(text)?.[1];
  if (number !== undefined) return { kind: "number", number: Number(number) };
  const count = BEHIND.exec(text)?.[1];
  if (count !== undefined) return { kind: "behind", count: Number(count) };
  const moment = TIME.exec(text)?.[1];
  const time = moment === undefined ? undefined : parseMoment(moment, now);
  return time === undefined ? undefined : { kind: "time", time };
}

function parseMoment(text: string, now: number): number | undefined {
  if (text.toLowerCase() === "now") return now;
  const [, amount, unit] = AGO.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return parseTimestamp(text);
  const known = unit.toLowerCase();
  if (known === "month") return monthsBefore(now, Number(amount));
  return known === "hour" || known === "day" || known === "week"
    ? now - Number(amount) * SECONDS[known]
    : undefined;
}

/** Clamped to the last day of a shorter month. */
function monthsBefore(now: number, months: number): number {
  const date = new Date(now * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime() / 1000;
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Unix seconds of an ISO 8601 date or time, UTC without a zone. Undefined for other texts. */
export function parseTimestamp(text: string): number | undefined {
  const [, date, clock = "00:00", zone = "Z"] = ISO.exec(text.trim()) ?? [];
  if (date === undefined) return undefined;
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  // `Date` would read February 30 as March 1 or 2.
  if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) return undefined;
  const milliseconds = Date.parse(`${date}T${clock}${zone.toUpperCase()}`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}

/** A snapshot with its environment: `prod#12`, `prod~2`, `prod@{now}`; `prod` is its latest. */
export function parseSnappish(
  text: string,
  now: number,
): { environment: string; expression: SnapshotExpression; suffix: string } | undefined {
  const [, environment, suffix = ""] = /^([^#@]+?)(#-?\d+|~\d+|@\{[^}]*\})?$/.exec(text) ?? [];
  const expression = parseSnapshotExpression(suffix === "" ? "-1" : suffix, now);
  return environment === undefined || expression === undefined
    ? undefined
    : { environment, expression, suffix };
}

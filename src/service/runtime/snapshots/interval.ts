import { parseSnapshotExpression, parseTimestamp, type SnapshotExpression } from "./expression.ts";

/** Both ends are inclusive. */
export interface Interval {
  start: SnapshotExpression;
  end: SnapshotExpression;
}

const LATEST: SnapshotExpression = { kind: "number", number: -1 };

const RELATIVE = /^(\d{1,9})\s*(minute|min|m|hour|h|day|d|week|w)s?$/i;
const SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400, w: 7 * 86_400 };
/** Larger numbers are Unix timestamps, not snapshots. */
const LEAST_TIMESTAMP = 1_000_000_000;

/**
 * Parses a snapshot expression, `NOW`, an age (`1h`, `30mins`, `2days`) or Unix seconds. Undefined for other texts.
 *
 * @param now Unix seconds
 */
export function parseBound(text: string, now: number): SnapshotExpression | undefined {
  const trimmed = text.trim();
  if (trimmed.toUpperCase() === "NOW") return LATEST;
  const [, amount, unit] = RELATIVE.exec(trimmed) ?? [];
  const seconds = SECONDS[unit?.charAt(0).toLowerCase() ?? ""];
  if (seconds !== undefined) return { kind: "time", time: now - Number(amount) * seconds };
  const timestamp = /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : 0;
  if (timestamp >= LEAST_TIMESTAMP && Number.isFinite(timestamp)) return { kind: "time", time: timestamp };
  return parseSnapshotExpression(trimmed, now);
}

/**
 * Parses `5..10`, `~5..NOW` or `@{2.days.ago}..@{now}`. A missing end is `NOW`, as in `~5..` or `~5`. Undefined for
 * other texts.
 */
export function parseInterval(text: string, now: number): Interval | undefined {
  const [first = "", ...others] = text.split("..");
  if (text === "" || others.length > 1) return undefined;
  const start = parseBound(first || "NOW", now);
  const end = parseBound(others[0] || "NOW", now);
  return start && end && { start, end };
}

/** Unix seconds, a year, or ISO 8601 (UTC without a zone). */
export function parseMoment(text: string): number | undefined {
  if (/^20\d\d$/.test(text.trim())) return Date.UTC(Number(text)) / 1000;
  return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : parseTimestamp(text);
}

import { Invalid } from "../../kernel/errors.ts";

const DAY_SECONDS = 24 * 60 * 60;

/**
 * The start of a day in UTC, in Unix seconds; undefined when none is named.
 *
 * @throws Invalid
 */
export function dayStart(day: string | null): number | undefined {
  if (day === null || day === "") return undefined;
  const start = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) / 1000 : Number.NaN;
  if (Number.isNaN(start)) throw new Invalid(`'${day}' is not a day such as 2027-01-31`);
  return start;
}

/**
 * The end of a day, likewise.
 *
 * @throws Invalid
 */
export function dayEnd(day: string | null): number | undefined {
  const start = dayStart(day);
  return start === undefined ? undefined : start + DAY_SECONDS;
}

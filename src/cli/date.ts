import { UsageError } from "./usage.ts";

/**
 * The moment that a date names, in Unix seconds: `2027-01-31` or `2027-01-31T12:00:00Z`.
 *
 * @throws {UsageError} when it is none, or in the past
 */
export function futureTime(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) / 1000 : Number.NaN;
  if (Number.isNaN(time)) throw new UsageError(`'${text}' is not a date such as 2027-01-31`);
  if (time <= Date.now() / 1000) throw new UsageError("The expiry date is in the past");
  return time;
}

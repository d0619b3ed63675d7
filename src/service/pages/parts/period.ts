import { invalidField } from "../refused-form.ts";
import { DAY, dayEnd, dayStart } from "./time.ts";

const PRESETS = [
  ["7", "Last 7 days"],
  ["28", "Last 28 days"],
  ["90", "Last 90 days"],
  ["quarter", "Last quarter"],
  ["365", "Last year"],
] as const;

/** Named periods. `any` has no limits, and `custom` is from day to day. */
export type Preset = (typeof PRESETS)[number][0] | "any" | "custom";

export interface Period {
  /** Unix seconds, inclusive. */
  readonly start: number;
  /** Unix seconds, exclusive. */
  readonly end: number;
  readonly preset: Preset;
}

/** Either limit may be missing. */
export type AnyPeriod = Partial<Period> & Pick<Period, "preset">;

/** Presets with their labels, for a list whose period is `usual` unless one is chosen. */
export function presets(usual: Preset): readonly (readonly [Preset, string])[] {
  return [...(usual === "any" ? [["any", "Any time"] as const] : []), ...PRESETS, ["custom", "From and to"]];
}

/** Days from and to in the query. Empty texts if there are none. */
export function daysIn(query: URLSearchParams): readonly [from: string, to: string] {
  return [query.get("from") ?? "", query.get("to") ?? ""];
}

/** The preset in the query. Days alone are a custom period, which is nothing without days. */
export function presetIn(query: URLSearchParams, usual: Preset): string {
  const isCustom = daysIn(query).join("").trim() !== "";
  const named = query.get("period") || "custom";
  return named === "custom" && !isCustom ? usual : named;
}

/** @throws Invalid if it is unknown or ends before it begins */
export function anyPeriodIn(query: URLSearchParams, now: number, usual: Preset = "any"): AnyPeriod {
  const named = presetIn(query, usual);
  const preset = presets(usual).find(([each]) => each === named)?.[0];
  switch (preset) {
    case undefined:
      throw invalidField("period", `'${named.slice(0, 40)}' is not a period: choose one of the list`);
    case "any":
      return { preset };
    case "custom":
      return { ...customIn(query, now), preset };
    case "quarter":
      return { ...lastQuarter(now), preset };
    default:
      return { start: now - Number(preset) * DAY, end: now, preset };
  }
}

function customIn(query: URLSearchParams, now: number): Partial<Pick<Period, "start" | "end">> {
  const [start, end] = [dayStart(query, "from"), dayEnd(query, "to")];
  if (start !== undefined && start >= (end ?? now)) {
    throw end === undefined
      ? invalidField("from", "This day is in the future. Without To, the period ends today")
      : invalidField("to", "The period ends before it begins: change From or To");
  }
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}

/**
 * The period in the query, with both limits: without an end until now, without a start the `DAYS` before the end.
 *
 * @throws Invalid if it is unknown or ends before it begins
 */
export function periodIn(query: URLSearchParams, now: number, usual: Preset): Period {
  const period = anyPeriodIn(query, now, usual);
  const { end = now } = period;
  return { ...period, end, start: period.start ?? end - DAYS * DAY };
}

/** Days of a period that has only an end. */
export const DAYS = 28;

/** The last moment before an exclusive end, for operations whose end is inclusive. Times are in milliseconds. */
export function lastMoment(end: number): number {
  return end - 0.001;
}

function lastQuarter(now: number) {
  const date = new Date(now * 1000);
  const first = 3 * Math.floor(date.getUTCMonth() / 3);
  const at = (month: number) => Date.UTC(date.getUTCFullYear(), month, 1) / 1000;
  return { start: at(first - 3), end: at(first) };
}

/** The day of a time in UTC: `2027-01-31`. */
export function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** The first and the last day of a time of whole days, as a custom period has them. */
export function daysOf({ start, end }: { readonly start: number; readonly end: number }) {
  return { from: dayOf(start), to: dayOf(end - DAY) };
}

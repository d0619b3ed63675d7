import { invalidField } from "../refused-form.ts";
import { type Html, html } from "./html.ts";

/** A time in UTC, from Unix seconds. The script replaces it with the reader's local time and its distance. */
export function time(seconds: number | null | undefined): Html {
  if (typeof seconds !== "number" || !Number.isFinite(seconds)) return html`<span class="quiet">never</span>`;
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return html`<span class="quiet">unknown</span>`;
  const shown = date.toISOString();
  return html`<time datetime="${shown.slice(0, 19)}Z">${shown.slice(0, 16).replace("T", " ")} UTC</time>`;
}

/** A time that the script shortens: `2 hours ago`, or a date if it is more than a week ago. */
export function shortTime(seconds: number | null | undefined): Html {
  return html`<span class="short">${time(seconds)}</span>`;
}

/** `2026-11-22 14:03:05 UTC` */
export function utc(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return "unknown";
  return `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** A duration in its two largest units: `2 days 3 hours`. */
export function duration(seconds: number): string {
  let rest = Math.max(0, Math.round(seconds));
  const words: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? "" : "s"}`);
  }
  return words.slice(0, 2).join(" ") || "0 seconds";
}

/** Seconds. */
export const DAY = 24 * 60 * 60;

/** The start of the day in a field, in UTC and Unix seconds; undefined for an empty field. @throws Invalid */
export function dayStart(fields: URLSearchParams, name: string): number | undefined {
  const day = (fields.get(name) ?? "").trim();
  if (day === "") return undefined;
  const start = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) / 1000 : Number.NaN;
  if (Number.isNaN(start))
    throw invalidField(name, `'${day}' is not a valid day: use YYYY-MM-DD, such as 2027-01-31`);
  return start;
}

export function dayEnd(fields: URLSearchParams, name: string): number | undefined {
  const start = dayStart(fields, name);
  return start === undefined ? undefined : start + DAY;
}

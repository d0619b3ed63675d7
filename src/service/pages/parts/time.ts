import { html } from "hono/html";
import type { Html } from "../html.ts";

/** A moment in Unix seconds, in UTC to the second. A script shows it in the reader's own time as well. */
export function time(seconds: number | null | undefined): Html {
  if (typeof seconds !== "number" || !Number.isFinite(seconds)) return html`<span class="quiet">never</span>`;
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return html`<span class="quiet">unknown</span>`;
  return html`<time datetime="${date.toISOString()}">${utc(seconds)}</time>`;
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

/** How long something took or lasts, in its two largest units: `2 days 3 hours`. */
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

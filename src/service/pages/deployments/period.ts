import { Invalid } from "../../kernel/errors.ts";
import { choice, field } from "../parts/form.ts";
import { type Html, html } from "../parts/html.ts";
import { dayEnd, dayStart } from "../parts/time.ts";

const DAY = 86_400;

const PRESETS = [
  ["7", "Last 7 days"],
  ["28", "Last 28 days"],
  ["90", "Last 90 days"],
  ["quarter", "Last quarter"],
  ["365", "Last year"],
  ["custom", "From and to"],
] as const;

export interface Period {
  /** Unix seconds, inclusive. */
  readonly start: number;
  /** Unix seconds, exclusive. */
  readonly end: number;
  readonly preset: string;
}

/**
 * The period that the query names: days from and to, or else a preset. Default: the last 28 days.
 *
 * @throws Invalid if it ends before it begins
 */
export function periodIn(query: URLSearchParams, now: number, usual = "28"): Period {
  const [from, to] = [dayStart(query.get("from")), dayEnd(query.get("to"))];
  const isCustom = from !== undefined || to !== undefined;
  const named = PRESETS.find(([each]) => each === query.get("period"))?.[0] ?? usual;
  const preset = isCustom ? "custom" : named;
  if (preset === "custom") {
    const end = to ?? now;
    const start = from ?? end - 28 * DAY;
    if (start >= end) throw new Invalid("page.form_invalid", "The period ends before it begins");
    return { start, end, preset };
  }
  if (preset === "quarter") return { ...lastQuarter(now), preset };
  return { start: now - Number(preset) * DAY, end: now, preset };
}

function lastQuarter(now: number) {
  const date = new Date(now * 1000);
  const first = 3 * Math.floor(date.getUTCMonth() / 3);
  const at = (month: number) => Date.UTC(date.getUTCFullYear(), month, 1) / 1000;
  return { start: at(first - 3), end: at(first) };
}

export function periodFields({ preset, start, end }: Period): Html {
  const isCustom = preset === "custom";
  const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
  return html`${choice({ name: "period", label: "Period", value: preset, options: PRESETS })}
${field({ name: "from", label: "From", type: "date", value: isCustom ? day(start) : "" })}
${field({ name: "to", label: "To", type: "date", value: isCustom ? day(end - 1) : "" })}`;
}

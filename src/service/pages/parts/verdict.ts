import { html } from "hono/html";
import type { Html } from "../html.ts";
import { visible } from "./text.ts";

/** What is said of something, in the words of the interface; `MISSING` and `OVERRIDDEN` of what a trail asks for. */
export type Verdict =
  | "COMPLIANT"
  | "NON-COMPLIANT"
  | "INCOMPLETE"
  | "UNKNOWN"
  | "MISSING"
  | "OVERRIDDEN"
  | "ALLOWED"
  | "DENIED";

type Tone = "ok" | "fail" | "warn" | "unknown";

const TONES: Readonly<Record<Verdict, Tone>> = {
  COMPLIANT: "ok",
  ALLOWED: "ok",
  "NON-COMPLIANT": "fail",
  DENIED: "fail",
  INCOMPLETE: "warn",
  MISSING: "warn",
  OVERRIDDEN: "warn",
  UNKNOWN: "unknown",
};

/** A tick, a cross, a dash and a question mark: verdicts differ by more than their colour. */
const ICONS: Readonly<Record<Tone, string>> = {
  ok: "M3 8.5 6.5 12 13 4.5",
  fail: "M4 4l8 8M12 4l-8 8",
  warn: "M8 3.5v5.5M8 12v.5",
  unknown: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9 8 10M8 12.5v.3",
};

export function verdict(word: Verdict): Html {
  return badge(word, TONES[word]);
}

/** The verdict on something of which the interface says whether it is compliant; null where nobody knows. */
export function complianceVerdict(isCompliant: boolean | null | undefined): Html {
  if (isCompliant === null || isCompliant === undefined) return verdict("UNKNOWN");
  return verdict(isCompliant ? "COMPLIANT" : "NON-COMPLIANT");
}

/** The verdict that an override gave, as every page shows it. */
export function overriddenVerdict(isCompliant: boolean | null | undefined): Html {
  return html`${verdict("OVERRIDDEN")} to ${isCompliant ? "COMPLIANT" : "NON-COMPLIANT"}`;
}

/** That verdict as text, for CSV. */
export function overriddenText(isCompliant: boolean | null | undefined): string {
  return `OVERRIDDEN to ${isCompliant ? "COMPLIANT" : "NON-COMPLIANT"}`;
}

/** A word with the colour and the sign that go with it. Some words come with the data: a state of Sonar, say. */
export function badge(word: string, tone: Tone): Html {
  return html`<span class="verdict ${tone}"><svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="${ICONS[tone]}"></path></svg>${visible(word)}</span>`;
}

import type { ApprovalOfCommits } from "../../../api/resources/approvals.ts";
import { type Html, html, visible } from "./html.ts";

/** Statuses of the interface. `MISSING` and `OVERRIDDEN` are for attestations that a trail requires. */
export type Verdict =
  | "COMPLIANT"
  | "NON-COMPLIANT"
  | "INCOMPLETE"
  | "UNKNOWN"
  | "MISSING"
  | "OVERRIDDEN"
  | "ALLOWED"
  | "DENIED";

export type Tone = "ok" | "fail" | "warn" | "unknown";

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

/** Tick, cross, exclamation mark and question mark, so that badges differ by more than their color. */
const ICONS: Readonly<Record<Tone, string>> = {
  ok: "M3 8.5 6.5 12 13 4.5",
  fail: "M4 4l8 8M12 4l-8 8",
  warn: "M8 3.5v5.5M8 12v.5",
  unknown: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9 8 10M8 12.5v.3",
};

export function verdict(word: Verdict): Html {
  return badge(word, TONES[word]);
}

export function complianceWord(isCompliant: boolean | null | undefined) {
  if (isCompliant === null || isCompliant === undefined) return "UNKNOWN";
  return isCompliant ? "COMPLIANT" : "NON-COMPLIANT";
}

/** The words of `complianceWord` with their labels, for a choice. */
export const RESULTS = [
  ["COMPLIANT", "Compliant"],
  ["NON-COMPLIANT", "Non-compliant"],
  ["UNKNOWN", "Unknown"],
] as const;

export function complianceVerdict(isCompliant: boolean | null | undefined): Html {
  return verdict(complianceWord(isCompliant));
}

export function overriddenVerdict(isCompliant: boolean | null | undefined): Html {
  return html`${verdict("OVERRIDDEN")} to ${isCompliant ? "compliant" : "non-compliant"}`;
}

export function overriddenText(isCompliant: boolean | null | undefined): string {
  return `OVERRIDDEN to ${isCompliant ? "COMPLIANT" : "NON-COMPLIANT"}`;
}

export type ApprovalState = ApprovalOfCommits["state"];

const APPROVAL_TONES = { APPROVED: "ok", UNAPPROVED: "fail", PENDING: "warn" } as const;

export function approvalState(state: ApprovalState): Html {
  return badge(state, APPROVAL_TONES[state]);
}

/** A word with its color and icon. Some words come from the data, such as a Sonar state. CSS capitalizes them. */
export function badge(word: string, tone: Tone): Html {
  return html`<span class="verdict ${tone}"><svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="${ICONS[tone]}"></path></svg>${visible(word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())}</span>`;
}

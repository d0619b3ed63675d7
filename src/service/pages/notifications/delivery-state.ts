import type { Html } from "../html.ts";
import { badge } from "../parts/verdict.ts";

const TONES: Readonly<Record<string, "ok" | "fail" | "warn" | "unknown">> = {
  delivered: "ok",
  ok: "ok",
  failed: "fail",
  failing: "fail",
  ended: "fail",
  pending: "warn",
};

/** The state of a delivery or of a target. */
export function stateBadge(state: string): Html {
  return badge(state.toUpperCase(), TONES[state] ?? "unknown");
}

/** The number of an action in the path. What is no number names none. */
export function actionNumberIn({ number }: { readonly number: string }): number {
  return /^\d{1,15}$/.test(number) ? Number(number) : 0;
}

import type { AnsweredBy } from "../operation-calls.ts";
import { type Html, html } from "../parts/html.ts";
import { shortTime, time } from "../parts/time.ts";

export type Rule = AnsweredBy<"getAction">;

/** A muted rule sends nothing, so its former failures do not matter. */
export function ruleState({ isFailing, mutedUntil }: Rule, now: number) {
  if (mutedUntil && mutedUntil > now) return "muted";
  if (typeof isFailing !== "boolean") return "unused";
  return isFailing ? "failing" : "ok";
}

export function ruleSentence(rule: Rule, now: number): Html {
  const sentences = {
    muted: html`No messages until ${time(rule.mutedUntil)}.`,
    unused: html`Nothing was sent yet.`,
    failing: html`A target failed ${shortTime(rule.lastFailureTimestamp)}.`,
    ok: html`The latest message arrived ${shortTime(rule.lastSuccessTimestamp)}.`,
  };
  return sentences[ruleState(rule, now)];
}

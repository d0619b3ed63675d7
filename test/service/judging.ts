import { commandLineContext } from "../../src/service/events/audit-log/contexts.ts";
import { PatternAnswers } from "../../src/service/judging/patterns/pattern-answers.ts";
import type { EvaluationContext } from "../../src/service/runtime/snapshots/take-snapshot.ts";

/** Dependencies of an evaluation without patterns and without notifications. */
export function judging(orgId: string, now: number): EvaluationContext {
  return { patterns: new PatternAnswers(), by: commandLineContext(orgId, now) };
}

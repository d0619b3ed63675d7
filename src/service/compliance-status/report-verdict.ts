import { artifactFact, type JudgedReportRow } from "../evidence/compliance/facts.ts";
import { evaluateArtifact } from "../judging/compliance/evaluate.ts";
import type { Template } from "../judging/compliance/template.ts";
import { type Verdict, verdictOfArtifact } from "../judging/compliance/trail-verdict.ts";

/**
 * What a report of an artifact was judged to be. One without a trail is judged here: nothing is ever attested about it,
 * and its flow's template may have changed.
 */
export function verdictOfReport(row: JudgedReportRow, templateText: string): Verdict {
  const { compliance_state: state, compliance_reason: reason } = row;
  if (state !== null) return { state, reason };
  const template: Template = JSON.parse(templateText);
  return verdictOfArtifact(evaluateArtifact({ template, attestations: [] }, artifactFact(row)));
}

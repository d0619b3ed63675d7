import { evaluationRecord } from "../../../api/resources/evaluation-record.ts";
import { asObject } from "../../../api/untyped.ts";
import { data, facts } from "../parts/blocks.ts";
import { digest, type Html, html, list, text } from "../parts/html.ts";
import { linkIf } from "../parts/links.ts";
import { time } from "../parts/time.ts";
import { badge } from "../parts/verdict.ts";
import type { ShowKind } from "./kind.ts";

export const decision: ShowKind = ({ control, isCompliant, attestationData }, { to, mayOpen }) => ({
  sentence: control
    ? `control ${control} ${isCompliant ? "passed" : "did not pass"}`
    : `decided as ${isCompliant ? "compliant" : "not compliant"}`,
  tables: [],
  more: html`${facts([["Control", control && linkIf(mayOpen("getControl"), to.page("controls", control), control)]])}${evaluation(attestationData)}${data("Decision", attestationData)}`,
});

/** The evaluation of a policy. Empty for decisions of another form. */
function evaluation(attestationData: unknown): Html {
  const read = evaluationRecord.safeParse(asObject(attestationData)["evaluation"]);
  if (!read.success) return html``;
  const { allow, violations, skipped, policy, engine, evaluated_by, evaluated_at } = read.data;
  const warned = asObject(attestationData)["warned"] === true;
  return html`<h2>Evaluation</h2>
${facts([
  [
    "Result",
    html`${badge(allow ? "ALLOWED" : "DENIED", allow ? "ok" : warned ? "warn" : "fail")}${warned ? " This denial only warns." : ""}`,
  ],
  ["Violations", listedViolations(violations)],
  ["Does not apply", skipped === null ? "" : text(skipped)],
  [
    "Policy",
    policy.identifier === undefined
      ? "not published"
      : text(`${policy.identifier}, version ${policy.version}`),
  ],
  ["Policy digest", digest(policy.digest.replace("sha256:", ""))],
  [
    "Evaluated by",
    text(evaluated_by === "service" ? "the service" : "the client that recorded the decision"),
  ],
  ["Engine", text(engine)],
  ["Evaluated", time(evaluated_at)],
])}`;
}

/** The data below has all of them. */
const SHOWN_VIOLATIONS = 100;

function listedViolations(violations: readonly string[]): Html | undefined {
  const shown = violations.slice(0, SHOWN_VIOLATIONS).map(text);
  const others = violations.length - shown.length;
  return list(others === 0 ? shown : [...shown, html`and ${others} more, in the data below`], "reasons");
}

import { isOfType } from "../../../api/resources/attestation-type.ts";
import type { PolicyEvaluation } from "../../../api/resources/policy-evaluations.ts";
import type { DecisionFact } from "../../evidence/controls/decisions.ts";
import type { AttestationRule, BooleanRule, CompiledPolicy } from "./compile-policy.ts";
import type { Condition, ExpressionScope, ProvenOrigin } from "./expression.ts";
import { holds } from "./expression-evaluator.ts";

/** An artifact in one of its flows, by its latest report there. */
export interface ArtifactInFlow {
  flow: { name: string; tags: Readonly<Record<string, string>> };
  /** Null for a report without a trail. */
  trail: string | null;
  /** Whether it was reported without a trail to a flow of the old kind, whose template is a list of names. */
  isLegacy: boolean;
  /** `COMPLIANT`, `NON-COMPLIANT` or `INCOMPLETE`. */
  status: string;
  /** Where its report was proven to come from, if it was. */
  origin?: ProvenOrigin | undefined;
  /** What was attested in the trail about the artifact, and about the trail itself. */
  attestations: readonly AttestedFact[];
}

/** An attestation as far as policies look at it. */
export interface AttestedFact {
  /** Later records have higher numbers. */
  sequence: number;
  /** A trail and an artifact may have attestations of one name; they do not replace each other. */
  about: "artifact" | "trail";
  name: string;
  /** A builtin kind, `custom:<name>` or `system:<name>`. */
  type: string;
  compliant: boolean;
  /** Where it was proven to come from, if it was. */
  origin?: ProvenOrigin | undefined;
}

/** All that policies look at. */
export interface PolicySubject {
  name: string;
  fingerprint: string;
  inFlows: readonly ArtifactInFlow[];
  decisions: readonly (DecisionFact & Pick<AttestedFact, "origin">)[];
  /** Whether a pattern is found anywhere in a text. */
  isFound: ExpressionScope["isFound"];
}

type RuleEvaluation = NonNullable<PolicyEvaluation["ruleEvaluations"]>[number];
type Resolution = NonNullable<RuleEvaluation["resolutions"]>[number];
type ResolutionType =
  | "rule_satisfied"
  | "rule_not_applicable"
  | "missing_provenance"
  | "no_provenance"
  | "non_compliant_in_trail"
  | "missing_attestation"
  | "non_compliant_attestation"
  | "legacy_flow";

/** What a policy says of an artifact. The order of its flows does not matter: they come out sorted by name. */
export function evaluatePolicy(policy: CompiledPolicy, subject: PolicySubject): PolicyEvaluation {
  const counting = subject.inFlows.filter(({ flow }) => policy.flows?.has(flow.name) ?? true);
  const sorted = { ...subject, inFlows: counting.toSorted(byFlowAndTrail) };
  const ruleEvaluations = [
    provenanceEvaluation(policy.provenance, sorted),
    trailComplianceEvaluation(policy.trailCompliance, sorted),
    ...policy.attestations.map((rule) => attestationEvaluation(rule, sorted)),
  ];
  const failed = ruleEvaluations.some(({ satisfied }) => satisfied === false);
  return {
    policyName: policy.name,
    policyVersion: policy.version,
    status: failed ? "NON-COMPLIANT" : "COMPLIANT",
    ruleEvaluations,
  };
}

function provenanceEvaluation(rule: BooleanRule, subject: PolicySubject): RuleEvaluation {
  const resolutions = resolve(subject, (inFlow) => {
    if (isExcepted(rule, subject, inFlow)) return "rule_not_applicable";
    if (!inFlow) return "missing_provenance";
    const { mustMeet } = rule;
    if (!mustMeet || holds(mustMeet, { ...scopeOf(subject, inFlow), origin: inFlow.origin ?? null })) {
      return "rule_satisfied";
    }
    return { type: "missing_provenance", unmet: rule.definition.mustMeet?.text ?? "" };
  });
  return evaluation("provenance", rule.definition, resolutions);
}

function trailComplianceEvaluation(rule: BooleanRule, subject: PolicySubject): RuleEvaluation {
  const resolutions = resolve(
    subject,
    (inFlow) => {
      if (isExcepted(rule, subject, inFlow)) return "rule_not_applicable";
      if (!inFlow) return "no_provenance";
      if (inFlow.isLegacy) return "legacy_flow";
      return inFlow.status === "COMPLIANT" ? "rule_satisfied" : "non_compliant_in_trail";
    },
    (inFlow) => ({ artifactStatus: inFlow?.status ?? null }),
  );
  return evaluation("trail-compliance", rule.definition, resolutions);
}

function attestationEvaluation(rule: AttestationRule, subject: PolicySubject): RuleEvaluation {
  const { forControl } = rule.definition;
  const resolutions = resolve(
    subject,
    (inFlow) => {
      const scope = scopeOf(subject, inFlow);
      if (rule.condition && !holds(rule.condition, scope)) return "rule_not_applicable";
      if (!inFlow) return "no_provenance";
      if (forControl !== null) return verdictOn(rule, latestDecision(forControl, rule, subject), scope);
      if (inFlow.isLegacy) return "legacy_flow";
      return verdictOn(rule, latestAttested(rule, inFlow), scope);
    },
    () => (forControl === null ? {} : { forControl }),
  );
  return evaluation("attestation", rule.definition, resolutions);
}

/** What a rule comes to in a place, and what else is shown of it. */
type Outcome = ResolutionType | { type: ResolutionType; unmet: string };

/** One resolution for each flow of the artifact, or one without a flow when it has none. */
function resolve(
  { inFlows }: PolicySubject,
  outcomeIn: (inFlow: ArtifactInFlow | undefined) => Outcome,
  more: (inFlow: ArtifactInFlow | undefined) => object = () => ({}),
): Resolution[] {
  const places = inFlows.length === 0 ? [undefined] : inFlows;
  return places.map((inFlow) => {
    const outcome = outcomeIn(inFlow);
    const { type, ...shown } = typeof outcome === "string" ? { type: outcome } : outcome;
    const { flow, trail = null } = inFlow ?? {};
    const context = { flowName: flow?.name ?? null, trailName: trail, artifactStatus: null };
    return { type, context: { ...context, ...more(inFlow), ...shown } };
  });
}

/** A rule that holds nowhere is ignored; else it is satisfied when nothing fails it. */
function evaluation(
  type: "provenance" | "trail-compliance" | "attestation",
  definition: RuleEvaluation["rule"]["definition"],
  resolutions: Resolution[],
): RuleEvaluation {
  const applicable = resolutions.filter((each) => each.type !== "rule_not_applicable");
  const ignored = applicable.length === 0;
  const satisfied = ignored ? null : applicable.every((each) => each.type === "rule_satisfied");
  return { rule: { type, definition }, satisfied, ignored, resolutions };
}

function isExcepted(rule: BooleanRule, subject: PolicySubject, inFlow: ArtifactInFlow | undefined): boolean {
  return (
    !rule.required ||
    rule.exceptions.some((exception: Condition) => holds(exception, scopeOf(subject, inFlow)))
  );
}

function scopeOf(
  { name, fingerprint, isFound }: PolicySubject,
  inFlow: ArtifactInFlow | undefined,
): ExpressionScope {
  return { flow: inFlow?.flow ?? null, artifact: { name, fingerprint }, isFound };
}

/** What counts of the attestations that a rule asks for: the latest of each name. */
function latestAttested({ definition }: AttestationRule, { attestations }: ArtifactInFlow): AttestedFact[] {
  const latest = new Map<string, AttestedFact>();
  for (const attested of attestations) {
    if (!isNamed(attested, definition) || !isOfType(attested.type, definition.type)) continue;
    const slot = `${attested.about} ${attested.name}`;
    if (attested.sequence >= (latest.get(slot)?.sequence ?? 0)) latest.set(slot, attested);
  }
  return [...latest.values()];
}

/** Of the decisions about a control the latest one counts, whatever it is called. */
function latestDecision(
  control: string,
  { definition }: AttestationRule,
  { decisions }: PolicySubject,
): PolicySubject["decisions"] {
  return decisions
    .filter((decision) => decision.control === control && isNamed(decision, definition))
    .toSorted((a, b) => b.sequence - a.sequence)
    .slice(0, 1);
}

function isNamed({ name }: { name: string }, asked: { name: string }): boolean {
  return asked.name === "*" || name === asked.name;
}

/** Where several attestations meet a rule, none of them may fail it. */
function verdictOn(
  { definition, mustMeet }: AttestationRule,
  found: readonly Pick<AttestedFact, "compliant" | "origin">[],
  scope: ExpressionScope,
): Outcome {
  if (found.length === 0) return "missing_attestation";
  if (definition.mustBeCompliant && found.some(({ compliant }) => !compliant)) {
    return "non_compliant_attestation";
  }
  const isMet =
    mustMeet === undefined ||
    found.every(({ origin }) => holds(mustMeet, { ...scope, origin: origin ?? null }));
  if (isMet) return "rule_satisfied";
  return { type: "non_compliant_attestation", unmet: definition.mustMeet?.text ?? "" };
}

function byFlowAndTrail(a: ArtifactInFlow, b: ArtifactInFlow): number {
  return compareText(a.flow.name, b.flow.name) || compareText(a.trail ?? "", b.trail ?? "");
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

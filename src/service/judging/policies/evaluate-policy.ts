import { isOfType } from "../../../api/resources/attestation-type.ts";
import type { PolicyEvaluation } from "../../../api/resources/policy-evaluations.ts";
import type { AttestationRule, BooleanRule, CompiledPolicy } from "./compile-policy.ts";
import { type EvaluatedBy, isDecidedBy } from "./decided-by.ts";
import type { Condition, ExpressionScope, ProvenOrigin, UserDataValues } from "./expression.ts";
import { isTrue } from "./expression-evaluator.ts";

export interface DecisionFact {
  /** Id of the attestation. */
  id: string;
  sequence: number;
  control: string;
  name: string;
  compliant: boolean;
  /** Absent for a decision that was submitted. */
  evaluatedBy?: EvaluatedBy | undefined;
}

/** The latest report of an artifact in a flow. */
export interface ArtifactInFlow {
  flow: { name: string; tags: Readonly<Record<string, string>> };
  /** Null for a report without a trail. */
  trail: string | null;
  /** Whether the report has no trail and its flow's template is a list of names. */
  isLegacy: boolean;
  /** `COMPLIANT`, `NON-COMPLIANT` or `INCOMPLETE`. */
  status: string;
  /** Present if proven. */
  origin?: ProvenOrigin | undefined;
  /** Attestations of its trail about the artifact and the trail. */
  attestations: readonly AttestedFact[];
}

export interface AttestedFact {
  /** Later records have higher numbers. */
  sequence: number;
  /** Attestations with equal names, about the artifact and about the trail, do not replace each other. */
  about: "artifact" | "trail";
  name: string;
  /** A builtin kind, `custom:<name>` or `system:<name>`. */
  type: string;
  compliant: boolean;
  /** Present if proven. */
  origin?: ProvenOrigin | undefined;
  /** The values that policies read. */
  userData?: UserDataValues | undefined;
}

export interface PolicySubject {
  name: string;
  fingerprint: string;
  inFlows: readonly ArtifactInFlow[];
  decisions: readonly (DecisionFact & Pick<AttestedFact, "origin" | "userData">)[];
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

/** Evaluates a policy. Flows in the result are sorted by name. */
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
    if (!mustMeet || isTrue(mustMeet, { ...scopeOf(subject, inFlow), origin: inFlow.origin ?? null })) {
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
  const { forControl, decidedBy } = rule.definition;
  const resolutions = resolve(
    subject,
    (inFlow) => {
      const scope = scopeOf(subject, inFlow);
      if (rule.condition && !isTrue(rule.condition, scope)) return "rule_not_applicable";
      if (!inFlow) return "no_provenance";
      if (forControl !== null) return verdictOn(rule, latestDecision(forControl, rule, subject), scope);
      if (inFlow.isLegacy) return "legacy_flow";
      return verdictOn(rule, latestAttested(rule, inFlow), scope);
    },
    () => ({
      ...(forControl === null ? {} : { forControl }),
      ...(decidedBy === undefined ? {} : { decidedBy }),
    }),
  );
  return evaluation("attestation", rule.definition, resolutions);
}

type Outcome = ResolutionType | { type: ResolutionType; unmet: string };

/** One resolution for each flow, or one without a flow. */
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

/** The result of a rule: ignored if it never applies, else satisfied unless a resolution fails. */
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
    rule.exceptions.some((exception: Condition) => isTrue(exception, scopeOf(subject, inFlow)))
  );
}

function scopeOf(
  { name, fingerprint, isFound }: PolicySubject,
  inFlow: ArtifactInFlow | undefined,
): ExpressionScope {
  return { flow: inFlow?.flow ?? null, artifact: { name, fingerprint }, isFound };
}

function latestAttested({ definition }: AttestationRule, { attestations }: ArtifactInFlow): AttestedFact[] {
  const latest = new Map<string, AttestedFact>();
  for (const attested of attestations) {
    if (!isNamed(attested, definition) || !isOfType(attested.type, definition.type)) continue;
    const slot = `${attested.about} ${attested.name}`;
    if (attested.sequence >= (latest.get(slot)?.sequence ?? 0)) latest.set(slot, attested);
  }
  return [...latest.values()];
}

/** The latest decision about a control counts, whatever its name, if the rule accepts the policy that decided. */
function latestDecision(
  control: string,
  { definition, decidedBy }: AttestationRule,
  { decisions }: PolicySubject,
): PolicySubject["decisions"] {
  return decisions
    .filter((decision) => decision.control === control && isNamed(decision, definition))
    .filter((decision) => decidedBy === undefined || isDecidedBy(decidedBy, decision.evaluatedBy))
    .toSorted((a, b) => b.sequence - a.sequence)
    .slice(0, 1);
}

function isNamed({ name }: { name: string }, required: { name: string }): boolean {
  return required.name === "*" || name === required.name;
}

/** Fails if one of several attestations fails. */
function verdictOn(
  { definition, mustMeet }: AttestationRule,
  found: readonly Pick<AttestedFact, "compliant" | "origin" | "userData">[],
  scope: ExpressionScope,
): Outcome {
  if (found.length === 0) return "missing_attestation";
  if (definition.mustBeCompliant && found.some(({ compliant }) => !compliant)) {
    return "non_compliant_attestation";
  }
  const isMet =
    mustMeet === undefined ||
    found.every(({ origin = null, userData = {} }) => isTrue(mustMeet, { ...scope, origin, userData }));
  if (isMet) return "rule_satisfied";
  return { type: "non_compliant_attestation", unmet: definition.mustMeet?.text ?? "" };
}

function byFlowAndTrail(a: ArtifactInFlow, b: ArtifactInFlow): number {
  return compareText(a.flow.name, b.flow.name) || compareText(a.trail ?? "", b.trail ?? "");
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

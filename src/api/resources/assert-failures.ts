import type { Assertion } from "./asserts.ts";

export interface Failure {
  /**
   * `missing` and `non-compliant` concern an attestation, `unexpected` and `unproven` an artifact, `rule` a policy.
   */
  readonly reason: "missing" | "non-compliant" | "unexpected" | "unproven" | "rule";
  readonly text: string;
  readonly flow?: string;
  readonly trail?: string;
  readonly attestation?: string;
  readonly policy?: string;
  readonly rule?: string;
  readonly control?: string;
}

export type FlowVerdict = Pick<Assertion, "flow" | "trail" | "compliant" | "complianceStatus">;
/** An attestation in a result. */
export type Slot = Pick<
  NonNullable<NonNullable<FlowVerdict["complianceStatus"]>["attestationsStatuses"]>[number],
  "attestationName" | "attestationType" | "status" | "unexpected"
>;
/** Finds a record that may have been meant as a missing attestation. */
export type InsteadOf = (verdict: FlowVerdict, slot: Slot) => string | undefined;
type PolicyVerdict = NonNullable<Assertion["policyEvaluations"]>[number];
type RuleVerdict = NonNullable<PolicyVerdict["ruleEvaluations"]>[number];

/** Lists the reasons for a non-compliant result: missing or non-compliant attestations, failed rules and controls. */
export function failuresOf(assertion: Assertion, insteadOf: InsteadOf = () => undefined): Failure[] {
  if (assertion.compliant) return [];
  // In other scopes, policies decide, and flows only show where an attestation would belong.
  const failures =
    assertion.scope === "flow" ? [] : (assertion.policyEvaluations ?? []).flatMap(policyFailures);
  if (failures.length === 0)
    failures.push(...flowsOf(assertion).flatMap((verdict) => flowFailures(verdict, insteadOf)));
  return failures.length > 0
    ? failures
    : [{ reason: "rule", text: "the service reports it as not compliant, without a reason" }];
}

/** Results of the flows that contain the artifact. */
export function flowsOf({ flows, ...top }: Assertion): FlowVerdict[] {
  if (!flows) return [top];
  return Array.isArray(flows) ? flows : [flows];
}

/** Whether the flow's template does not list the artifact's name. */
export function isUnexpected({ complianceStatus }: FlowVerdict): boolean {
  return complianceStatus?.unexpected === true;
}

export function isMissing({ status }: Slot): boolean {
  return status === "MISSING";
}

function flowFailures(verdict: FlowVerdict, insteadOf: InsteadOf): Failure[] {
  const { flow, trail, compliant, complianceStatus } = verdict;
  if (compliant) return [];
  const place = { ...(flow && { flow }), ...(trail && { trail }) };
  const where = placeOf(flow, trail);
  const failures = (complianceStatus?.attestationsStatuses ?? []).flatMap((slot): Failure[] => {
    const named = { ...place, attestation: slot.attestationName };
    const kind = slot.attestationType && slot.attestationType !== "*" ? ` (${slot.attestationType})` : "";
    const name = `attestation '${slot.attestationName}'${kind}`;
    if (isMissing(slot)) {
      const recorded = insteadOf(verdict, slot);
      const instead = recorded === undefined ? "" : `; recorded instead: ${recorded}`;
      return [{ ...named, reason: "missing", text: `${name} is missing${where}${instead}` }];
    }
    if (slot.isCompliant === false) {
      return [{ ...named, reason: "non-compliant", text: `${name} is not compliant${where}` }];
    }
    return [];
  });
  if (failures.length > 0) return failures;
  return [{ ...place, reason: "non-compliant", text: `${artifactIs(complianceStatus?.status)}${where}` }];
}

function artifactIs(status: string | null | undefined): string {
  return `the artifact is ${status?.toLowerCase() || "not compliant"}`;
}

/** ` in flow 'web', trail 'v1'`, or the known part of it. */
export function placeOf(flow: string | null | undefined, trail: string | null | undefined): string {
  return `${flow ? ` in flow '${flow}'` : ""}${trail ? `${flow ? "," : " in"} trail '${trail}'` : ""}`;
}

/** Lists the reasons without their flows and trails, so that artifacts can share a reason. */
export function policyReasons(evaluation: PolicyVerdict): string[] {
  const placeless = (evaluation.ruleEvaluations ?? []).map((rule) => ({
    ...rule,
    resolutions: rule.resolutions?.map(({ type, context }) => ({
      type,
      context: { ...context, flowName: null, trailName: null },
    })),
  }));
  return policyFailures({ ...evaluation, ruleEvaluations: placeless }).map(({ text }) => text);
}

/** Lists the reasons why a policy fails. */
export function policyFailures(evaluation: PolicyVerdict): Failure[] {
  const failing = (evaluation.ruleEvaluations ?? []).filter(({ satisfied }) => satisfied === false);
  // If the provenance rule fails, the other rules fail for the same reason.
  const isProvenanceFailing = failing.some(({ rule }) => rule.type === "provenance");
  return failing.flatMap((rule) => ruleFailures(evaluation.policyName, rule, isProvenanceFailing));
}

function ruleFailures(
  policy: string,
  { rule, resolutions }: RuleVerdict,
  isProvenanceFailing: boolean,
): Failure[] {
  const failing = (resolutions ?? []).filter(
    ({ type }) => type !== "rule_satisfied" && type !== "rule_not_applicable",
  );
  const control = rule.definition.forControl ?? undefined;
  const base = {
    reason: "rule" as const,
    policy,
    rule: rule.type,
    ...(control !== undefined && { control }),
  };
  if (failing.length === 0)
    return [{ ...base, text: `policy '${policy}': the rule ${rule.type} is not satisfied` }];
  return failing.map(({ type, context }) => {
    const flow = context?.flowName ?? undefined;
    const trail = context?.trailName ?? undefined;
    const where = placeOf(flow, trail);
    const cause = type === "no_provenance" && isProvenanceFailing ? "missing_provenance" : type;
    const text = `policy '${policy}': ${resolution(cause, rule, context ?? {})}${where}`;
    return { ...base, text, ...(flow && { flow }), ...(trail && { trail }) };
  });
}

function resolution(
  type: string,
  { type: ruleType, definition }: RuleVerdict["rule"],
  { artifactStatus, unmet }: { artifactStatus?: string | null | undefined; unmet?: string | undefined },
): string {
  const { forControl, decidedBy, name } = definition;
  const what = forControl
    ? `the decision for control '${forControl}'${decidedBy ? ` by the decision policy '${decidedBy}'` : ""}`
    : `the attestation${name && name !== "*" ? ` '${name}'` : ""}${definition.type ? ` of type ${definition.type}` : ""}`;
  switch (type) {
    case "missing_attestation":
      return `${what} is missing`;
    case "non_compliant_attestation":
      return unmet === undefined ? `${what} is not compliant` : `${what} does not meet (${unmet})`;
    case "non_compliant_in_trail":
      return artifactIs(artifactStatus);
    case "no_provenance":
      return ruleType === "attestation"
        ? `${what} is missing: no flow has reported the artifact`
        : `the rule ${ruleType} fails: no flow has reported the artifact`;
    case "missing_provenance":
      return "the artifact has no provenance: no flow has reported it";
    default:
      return `${type.replaceAll("_", " ")}`;
  }
}

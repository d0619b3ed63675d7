import type { PolicyDump } from "../../../api/resources/policies.ts";
import { parseDecidedBy, type RequiredPolicy } from "./decided-by.ts";
import { type Condition, type MatchesCondition, matchesIn } from "./expression.ts";
import { parseExpression } from "./expression-parser.ts";
import { userDataPaths } from "./user-data.ts";

export interface BooleanRule {
  required: boolean;
  definition: { required: boolean; exceptions: { if: { text: string } }[]; mustMeet?: { text: string } };
  exceptions: readonly Condition[];
  /** Condition on the artifact's report. */
  mustMeet: Condition | undefined;
}

export interface AttestationRule {
  definition: {
    if: { text: string } | null;
    name: string;
    type: string;
    mustBeCompliant: boolean;
    forControl: string | null;
    decidedBy?: string;
    mustMeet?: { text: string };
  };
  /** Undefined if the rule always applies. */
  condition: Condition | undefined;
  /** The decision policy that must have decided. Undefined if any decision counts. */
  decidedBy: RequiredPolicy | undefined;
  /** Condition on the attestation. */
  mustMeet: Condition | undefined;
}

export interface CompiledPolicy {
  name: string;
  version: number;
  /** The only flows that count. Undefined for all. */
  flows: ReadonlySet<string> | undefined;
  provenance: BooleanRule;
  trailCompliance: BooleanRule;
  attestations: readonly AttestationRule[];
  matches: readonly MatchesCondition[];
  /** Paths that its conditions read in the user data of attestations. */
  userDataPaths: readonly string[];
}

/** Compiles a policy that was checked on upload. */
export function compilePolicy({
  name,
  version,
  definition: { artifacts },
}: {
  name: string;
  version: number;
  definition: PolicyDump;
}): CompiledPolicy {
  const provenance = booleanRule(artifacts.provenance);
  const trailCompliance = booleanRule(artifacts.trailCompliance);
  const attestations = artifacts.attestations.map(attestationRule);
  const conditions = [
    ...provenance.exceptions,
    ...[provenance.mustMeet ?? []].flat(),
    ...trailCompliance.exceptions,
    ...attestations.flatMap(({ condition, mustMeet }) => [condition ?? [], mustMeet ?? []].flat()),
  ];
  return {
    name,
    version,
    flows: artifacts.flows && new Set(artifacts.flows),
    provenance,
    trailCompliance,
    attestations,
    matches: conditions.flatMap(matchesIn),
    userDataPaths: conditions.flatMap(userDataPaths),
  };
}

function booleanRule({ required, exceptions, mustMeet }: PolicyDump["artifacts"]["provenance"]): BooleanRule {
  const texts = exceptions.map(({ ifCondition }) => ifCondition.text);
  const mustMeetText = mustMeet?.text;
  return {
    required,
    definition: {
      required,
      exceptions: texts.map((text) => ({ if: { text } })),
      ...(mustMeetText === undefined ? {} : { mustMeet: { text: mustMeetText } }),
    },
    exceptions: texts.map((text) => parseExpression(text)),
    mustMeet: mustMeetText === undefined ? undefined : parseExpression(mustMeetText, "artifact"),
  };
}

function attestationRule(rule: PolicyDump["artifacts"]["attestations"][number]): AttestationRule {
  const text = rule.ifCondition?.text;
  const mustMeetText = rule.mustMeet?.text;
  return {
    definition: {
      if: text === undefined ? null : { text },
      name: rule.name,
      type: rule.type,
      mustBeCompliant: rule.mustBeCompliant,
      forControl: rule.forControl ?? null,
      ...(rule.decidedBy === undefined ? {} : { decidedBy: rule.decidedBy }),
      ...(mustMeetText === undefined ? {} : { mustMeet: { text: mustMeetText } }),
    },
    decidedBy: rule.decidedBy === undefined ? undefined : parseDecidedBy(rule.decidedBy),
    condition: text === undefined ? undefined : parseExpression(text),
    mustMeet: mustMeetText === undefined ? undefined : parseExpression(mustMeetText, "attestation"),
  };
}

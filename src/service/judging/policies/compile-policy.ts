import type { PolicyDump } from "../../../api/resources/policies.ts";
import { type Condition, type MatchesCondition, matchesIn } from "./expression.ts";
import { parseExpression } from "./expression-parser.ts";

/** A rule that is asked for or not, with exceptions. */
export interface BooleanRule {
  required: boolean;
  /** As it is shown. */
  definition: { required: boolean; exceptions: { if: { text: string } }[]; mustMeet?: { text: string } };
  exceptions: readonly Condition[];
  /** What the report of the artifact must meet as well. */
  mustMeet: Condition | undefined;
}

/** An attestation that is asked for. */
export interface AttestationRule {
  /** As it is shown. */
  definition: {
    if: { text: string } | null;
    name: string;
    type: string;
    mustBeCompliant: boolean;
    forControl: string | null;
    mustMeet?: { text: string };
  };
  /** Where it holds; everywhere without one. */
  condition: Condition | undefined;
  /** What the attestation must meet as well. */
  mustMeet: Condition | undefined;
}

/** A version of a policy, ready to be evaluated for any number of artifacts. */
export interface CompiledPolicy {
  name: string;
  version: number;
  /** The only flows that count; all if undefined. */
  flows: ReadonlySet<string> | undefined;
  provenance: BooleanRule;
  trailCompliance: BooleanRule;
  attestations: readonly AttestationRule[];
  /** The patterns of all its conditions. */
  matches: readonly MatchesCondition[];
}

/** Prepares a policy, whose expressions were checked when it was uploaded. */
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
  };
}

function booleanRule({ required, exceptions, mustMeet }: PolicyDump["artifacts"]["provenance"]): BooleanRule {
  const texts = exceptions.map(({ ifCondition }) => ifCondition.text);
  const asked = mustMeet?.text;
  return {
    required,
    definition: {
      required,
      exceptions: texts.map((text) => ({ if: { text } })),
      ...(asked === undefined ? {} : { mustMeet: { text: asked } }),
    },
    exceptions: texts.map((text) => parseExpression(text)),
    mustMeet: asked === undefined ? undefined : parseExpression(asked, "artifact"),
  };
}

function attestationRule(rule: PolicyDump["artifacts"]["attestations"][number]): AttestationRule {
  const text = rule.ifCondition?.text;
  const asked = rule.mustMeet?.text;
  return {
    definition: {
      if: text === undefined ? null : { text },
      name: rule.name,
      type: rule.type,
      mustBeCompliant: rule.mustBeCompliant,
      forControl: rule.forControl ?? null,
      ...(asked === undefined ? {} : { mustMeet: { text: asked } }),
    },
    condition: text === undefined ? undefined : parseExpression(text),
    mustMeet: asked === undefined ? undefined : parseExpression(asked, "attestation"),
  };
}

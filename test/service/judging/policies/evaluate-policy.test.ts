import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern } from "../../../../src/service/judging/patterns/linear-regex.ts";
import { compilePolicy } from "../../../../src/service/judging/policies/compile-policy.ts";
import {
  type ArtifactInFlow,
  type AttestedFact,
  type DecisionFact,
  evaluatePolicy,
  type PolicySubject,
} from "../../../../src/service/judging/policies/evaluate-policy.ts";
import { parsePolicyFile } from "../../../../src/service/judging/policies/policy-file.ts";

const policy = (artifacts: string) =>
  compilePolicy({
    name: "prod",
    version: 2,
    definition: parsePolicyFile(`_schema: https://schemas.example/v1\nartifacts:\n${artifacts}`).definition,
  });

const attested = (name: string, more: Partial<AttestedFact> = {}): AttestedFact => ({
  sequence: 1,
  about: "artifact",
  name,
  type: "generic",
  compliant: true,
  ...more,
});
const inFlow = (name: string, more: Partial<ArtifactInFlow> = {}, tags = {}): ArtifactInFlow => ({
  flow: { name, tags },
  trail: `${name}-trail`,
  isLegacy: false,
  status: "COMPLIANT",
  attestations: [],
  ...more,
});
const artifact = (inFlows: ArtifactInFlow[], decisions: DecisionFact[] = []): PolicySubject => ({
  name: "web:1",
  fingerprint: "a".repeat(64),
  inFlows,
  decisions,
  isFound: (pattern, text) => compilePattern(pattern).test(text),
});
const decision = (sequence: number, compliant: boolean, more: Partial<DecisionFact> = {}): DecisionFact => ({
  id: `decision-${sequence}`,
  sequence,
  compliant,
  control: "C1",
  name: "d",
  ...more,
});

/** A decision that the service evaluated. Its sequence is the version of the policy. */
const by = (identifier: string, version: number, compliant: boolean) =>
  decision(version, compliant, { evaluatedBy: { identifier, version } });

/** Whether one rule is satisfied, and the result of each flow. */
function outcome(artifacts: string, index: number, subject: PolicySubject) {
  const { status, ruleEvaluations = [] } = evaluatePolicy(policy(artifacts), subject);
  const rule = ruleEvaluations[index];
  return [status, rule?.satisfied, rule?.ignored, ...(rule?.resolutions ?? []).map(({ type }) => type)];
}

const [PROVENANCE, TRAIL, ATTESTATION] = [0, 1, 2];
const YES = "COMPLIANT";
const NO = "NON-COMPLIANT";

describe("a policy evaluation", () => {
  it("has a rule for provenance, one for trails and one for each attestation, as they are defined", () => {
    const artifacts = `
  trail-compliance: { required: true, exceptions: [{ if: "\${{ flow.name == 'legacy' }}" }] }
  attestations:
    - { type: junit, if: "\${{ exists(flow) }}", must_be_compliant: false }
    - { type: decision, for_control: C1 }`;
    const context = { flowName: "web", trailName: "web-trail", artifactStatus: null };
    expect(evaluatePolicy(policy(artifacts), artifact([inFlow("web", { status: "INCOMPLETE" })]))).toEqual({
      policyName: "prod",
      policyVersion: 2,
      status: "NON-COMPLIANT",
      ruleEvaluations: [
        {
          rule: { type: "provenance", definition: { required: false, exceptions: [] } },
          satisfied: null,
          ignored: true,
          resolutions: [{ type: "rule_not_applicable", context }],
        },
        {
          rule: {
            type: "trail-compliance",
            definition: { required: true, exceptions: [{ if: { text: "flow.name == 'legacy'" } }] },
          },
          satisfied: false,
          ignored: false,
          resolutions: [
            { type: "non_compliant_in_trail", context: { ...context, artifactStatus: "INCOMPLETE" } },
          ],
        },
        {
          rule: {
            type: "attestation",
            definition: {
              if: { text: "exists(flow)" },
              name: "*",
              type: "junit",
              mustBeCompliant: false,
              forControl: null,
            },
          },
          satisfied: false,
          ignored: false,
          resolutions: [{ type: "missing_attestation", context }],
        },
        {
          rule: {
            type: "attestation",
            definition: { if: null, name: "*", type: "decision", mustBeCompliant: true, forControl: "C1" },
          },
          satisfied: false,
          ignored: false,
          resolutions: [{ type: "missing_attestation", context: { ...context, forControl: "C1" } }],
        },
      ],
    });
  });
});

const provenance =
  "  provenance: { required: true, exceptions: [{ if: \"${{ matches(artifact.name, '^dd:') }}\" }] }";

describe("provenance", () => {
  it.each([
    [
      "is known when a flow has reported the artifact",
      artifact([inFlow("web")]),
      [YES, true, false, "rule_satisfied"],
    ],
    ["is missing when no flow has", artifact([]), [NO, false, false, "missing_provenance"]],
    [
      "is not required of an exception",
      { ...artifact([]), name: "dd:7" },
      [YES, null, true, "rule_not_applicable"],
    ],
  ])("%s", (_, subject, expected) => {
    expect(outcome(provenance, PROVENANCE, subject)).toEqual(expected);
  });

  it("is required of everything without exceptions, and not where one of several applies", () => {
    const missing = [NO, false, false, "missing_provenance"];
    expect(outcome("  provenance: { required: true }", PROVENANCE, artifact([]))).toEqual(missing);
    const either = '{ if: "${{ exists(flow) }}" }, { if: "${{ artifact.name == \'web:1\' }}" }';
    expect(
      outcome(`  provenance: { required: true, exceptions: [${either}] }`, PROVENANCE, artifact([])),
    ).toEqual([YES, null, true, "rule_not_applicable"]);
  });
});

const trails =
  "  trail-compliance: { required: true, exceptions: [{ if: \"${{ flow.tags.kind == 'old' }}\" }] }";
const old = { kind: "old" };

describe("trail compliance", () => {
  it.each([
    ["passes in a compliant trail", [inFlow("web")], [YES, true, false, "rule_satisfied"]],
    ["fails in another", [inFlow("web", { status: NO })], [NO, false, false, "non_compliant_in_trail"]],
    [
      "fails when one of several flows fails it",
      [inFlow("b"), inFlow("a", { status: NO })],
      [NO, false, false, "non_compliant_in_trail", "rule_satisfied"],
    ],
    [
      "passes when the others are exceptions",
      [inFlow("a"), inFlow("b", { status: NO }, old)],
      [YES, true, false, "rule_satisfied", "rule_not_applicable"],
    ],
    ["is ignored when all are", [inFlow("a", { status: NO }, old)], [YES, null, true, "rule_not_applicable"]],
    [
      "is unknown for a report without a trail to a legacy flow",
      [inFlow("a", { trail: null, isLegacy: true })],
      [NO, false, false, "legacy_flow"],
    ],
    [
      "is that of the flow without a trail",
      [inFlow("a", { trail: null })],
      [YES, true, false, "rule_satisfied"],
    ],
    ["fails without provenance", [], [NO, false, false, "no_provenance"]],
  ])("%s", (_, inFlows, expected) => {
    expect(outcome(trails, TRAIL, artifact(inFlows))).toEqual(expected);
  });
});

const using = (rule: string) => `  attestations: [{ ${rule} }]`;
const having = (...attestations: AttestedFact[]) => [inFlow("web", { attestations })];

describe("a required attestation", () => {
  it.each([
    ["is present", "type: generic, name: unit", having(attested("unit")), "rule_satisfied"],
    ["is on the trail", "type: generic", having(attested("x", { about: "trail" })), "rule_satisfied"],
    ["is missing", "type: generic, name: unit", having(attested("lint")), "missing_attestation"],
    ["has another type", "type: junit", having(attested("unit")), "missing_attestation"],
    ["has any type", "type: '*', name: unit", having(attested("unit", { type: "junit" })), "rule_satisfied"],
    ["is custom", "type: 'custom:sbom'", having(attested("x", { type: "custom:sbom" })), "rule_satisfied"],
    ["is a decision", "type: decision", having(attested("x", { type: "system:decision" })), "rule_satisfied"],
    ["fails", "type: generic", having(attested("x", { compliant: false })), "non_compliant_attestation"],
    [
      "may fail",
      "type: generic, must_be_compliant: false",
      having(attested("x", { compliant: false })),
      "rule_satisfied",
    ],
    [
      "failed before it was repeated",
      "type: generic",
      having(attested("x", { sequence: 2 }), attested("x", { compliant: false })),
      "rule_satisfied",
    ],
    [
      "fails under one of its names",
      "type: generic",
      having(attested("x"), attested("y", { sequence: 2, compliant: false })),
      "non_compliant_attestation",
    ],
    [
      "fails for the trail, though not for the artifact",
      "type: generic",
      having(attested("x", { sequence: 2 }), attested("x", { about: "trail", compliant: false })),
      "non_compliant_attestation",
    ],
    ["has no trail to be in", "type: generic", [inFlow("a", { trail: null })], "missing_attestation"],
    [
      "is not looked up in a legacy flow",
      "type: generic",
      [inFlow("a", { trail: null, isLegacy: true })],
      "legacy_flow",
    ],
    ["has no flow to be found in", "type: generic", [], "no_provenance"],
  ])("%s: %s", (_, rule, inFlows, expected) => {
    const met = expected === "rule_satisfied";
    expect(outcome(using(rule), ATTESTATION, artifact(inFlows))).toEqual([
      met ? YES : NO,
      met,
      false,
      expected,
    ]);
  });

  it("is required only where its condition is true", () => {
    const rule = using(`type: generic, if: "\${{ flow.tags.risk == 'high' }}"`);
    const risky = (attestations: AttestedFact[]) => inFlow("b", { attestations }, { risk: "high" });
    expect(outcome(rule, ATTESTATION, artifact([inFlow("a"), risky([])]))).toEqual([
      NO,
      false,
      false,
      "rule_not_applicable",
      "missing_attestation",
    ]);
    expect(outcome(rule, ATTESTATION, artifact([inFlow("a"), risky([attested("x")])])).slice(0, 3)).toEqual([
      YES,
      true,
      false,
    ]);
    expect(outcome(rule, ATTESTATION, artifact([inFlow("a")])).slice(0, 3)).toEqual([YES, null, true]);
  });
});

describe("a required decision", () => {
  it.each([
    ["is missing", "", [], "missing_attestation"],
    ["is about another control", "", [decision(1, true, { control: "C2" })], "missing_attestation"],
    ["is recorded", "", [decision(1, true)], "rule_satisfied"],
    ["rejects the artifact", "", [decision(1, false)], "non_compliant_attestation"],
    ["counts as last recorded", "", [decision(2, true), decision(1, false)], "rule_satisfied"],
    [
      "counts as last recorded, under any name",
      "",
      [decision(1, true), decision(2, false, { name: "e" })],
      "non_compliant_attestation",
    ],
    [
      "counts by the required decision policy, in any version",
      ", decided_by: reviewed",
      [by("reviewed", 1, true), by("reviewed", 7, true), decision(9, false)],
      "rule_satisfied",
    ],
    [
      "counts by the latest decision of the required decision policy",
      ", decided_by: reviewed",
      [by("reviewed", 1, true), by("reviewed", 2, false)],
      "non_compliant_attestation",
    ],
    [
      "counts in the required version of the decision policy",
      ", decided_by: reviewed@2",
      [by("reviewed", 2, true), by("reviewed", 3, false)],
      "rule_satisfied",
    ],
    [
      "does not count by another policy, in another version, or if it was submitted",
      ", decided_by: reviewed@2",
      [by("scanned", 2, true), by("reviewed", 3, true), decision(9, true)],
      "missing_attestation",
    ],
    ["has a name", ", name: d", [decision(1, true), decision(2, false, { name: "e" })], "rule_satisfied"],
  ])("%s", (_, more, decisions, expected) => {
    const met = expected === "rule_satisfied";
    const rule = using(`type: decision, for_control: C1${more}`);
    expect(outcome(rule, ATTESTATION, artifact([inFlow("web")], decisions))).toEqual([
      met ? YES : NO,
      met,
      false,
      expected,
    ]);
  });
});

describe("an evaluation", () => {
  it("lists flows by name and a flow's trails in order, the report without a trail first", () => {
    const places = [
      ["b", "1"],
      ["a", "2"],
      ["a", null],
      ["c", "0"],
      ["a", "1"],
      ["a", "3"],
    ] as const;
    const subject = artifact(places.map(([name, trail]) => inFlow(name, { trail })));
    const [rule] = evaluatePolicy(policy(provenance), subject).ruleEvaluations ?? [];
    expect(rule?.resolutions?.map(({ context }) => [context?.flowName, context?.trailName])).toEqual([
      ["a", null],
      ["a", "1"],
      ["a", "2"],
      ["a", "3"],
      ["b", "1"],
      ["c", "0"],
    ]);
  });

  it("uses the artifact's own fingerprint and name", () => {
    const rule = using(
      `type: generic, if: "\${{ artifact.name == 'web:1' and artifact.fingerprint == '${"a".repeat(64)}' }}"`,
    );
    expect(outcome(rule, ATTESTATION, artifact([inFlow("web")]))).toEqual([
      NO,
      false,
      false,
      "missing_attestation",
    ]);
  });

  it("counts the latest attestation of each name and kind of subject", () => {
    const found = having(
      attested("x", { sequence: 3, compliant: false }),
      attested("x", { sequence: 2 }),
      attested("x", { sequence: 1, about: "trail" }),
    );
    expect(outcome(using("type: generic"), ATTESTATION, artifact(found))).toEqual([
      NO,
      false,
      false,
      "non_compliant_attestation",
    ]);
  });

  const facts = fc.array(
    fc.record({
      sequence: fc.integer({ min: 1, max: 1_000 }),
      about: fc.constantFrom("artifact" as const, "trail" as const),
      name: fc.constantFrom("unit", "lint"),
      type: fc.constantFrom("generic", "junit"),
      compliant: fc.boolean(),
    }),
    { maxLength: 5 },
  );
  const inFlows = fc.uniqueArray(
    fc.record({
      name: fc.constantFrom("a", "b", "c", "d"),
      tagged: fc.boolean(),
      status: fc.constantFrom(YES, NO),
      attestations: facts.map((all) => all.map((fact, i) => ({ ...fact, sequence: fact.sequence * 10 + i }))),
    }),
    { selector: ({ name }) => name, maxLength: 4 },
  );
  const rules = `${provenance}\n${trails}\n  attestations: [{ type: generic }, { type: '*', name: lint, if: "\${{ flow.tags.kind != 'old' }}" }, { type: decision, for_control: C1 }]`;
  const compiled = policy(rules);
  const decisions = fc.uniqueArray(
    fc.record({ sequence: fc.integer({ min: 1, max: 50 }), compliant: fc.boolean() }),
    { selector: ({ sequence }) => sequence, maxLength: 4 },
  );

  it("does not depend on the order of flows, attestations and decisions", () => {
    fc.assert(
      fc.property(inFlows, decisions, (given, decided) => {
        const subject = artifact(
          given.map(({ name, tagged, ...more }) => inFlow(name, more, tagged ? old : {})),
          decided.map(({ sequence, compliant }) => decision(sequence, compliant)),
        );
        const reversed = {
          ...subject,
          inFlows: subject.inFlows
            .map((each) => ({ ...each, attestations: each.attestations.toReversed() }))
            .toReversed(),
          decisions: subject.decisions.toReversed(),
        };
        expect(evaluatePolicy(compiled, reversed)).toEqual(evaluatePolicy(compiled, subject));
      }),
    );
  });

  it("is compliant exactly when no rule is failed, and a rule is failed exactly when a flow fails it", () => {
    fc.assert(
      fc.property(inFlows, (given) => {
        const subject = artifact(
          given.map(({ name, tagged, ...more }) => inFlow(name, more, tagged ? old : {})),
        );
        const { status, ruleEvaluations = [] } = evaluatePolicy(compiled, subject);
        expect(status === YES).toBe(ruleEvaluations.every(({ satisfied }) => satisfied !== false));
        for (const { satisfied, ignored, resolutions = [] } of ruleEvaluations) {
          const types = resolutions.map(({ type }) => type).filter((type) => type !== "rule_not_applicable");
          expect(ignored).toBe(types.length === 0);
          expect(satisfied).toBe(ignored ? null : types.every((type) => type === "rule_satisfied"));
        }
      }),
    );
  });
});

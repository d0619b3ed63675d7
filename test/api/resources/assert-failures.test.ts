import { describe, expect, test } from "vitest";
import { type Failure, failuresOf } from "../../../src/api/resources/assert-failures.ts";
import type { Assertion } from "../../../src/api/resources/asserts.ts";

type FlowVerdict = Pick<Assertion, "flow" | "trail" | "compliant" | "complianceStatus">;
type Slot = NonNullable<NonNullable<FlowVerdict["complianceStatus"]>["attestationsStatuses"]>[number];
type Policy = NonNullable<Assertion["policyEvaluations"]>[number];
type Rule = NonNullable<Policy["ruleEvaluations"]>[number];

function assertion(changes: Partial<Assertion>): Assertion {
  return { fingerprint: "ab".repeat(32), scope: "flow", compliant: false, ...changes };
}

function verdict(slots: Slot[], changes: Partial<FlowVerdict> = {}): FlowVerdict {
  return {
    flow: "web",
    trail: "v1",
    compliant: false,
    complianceStatus: { status: "NON-COMPLIANT", attestationsStatuses: slots },
    ...changes,
  };
}

const missing: Slot = {
  attestationName: "unit",
  attestationType: "junit",
  status: "MISSING",
  isCompliant: null,
};
const bad: Slot = { attestationName: "scan", attestationType: "*", status: "COMPLETE", isCompliant: false };
const good: Slot = {
  attestationName: "sign",
  attestationType: "generic",
  status: "COMPLETE",
  isCompliant: true,
};

function policy(name: string, rules: Rule[]): Policy {
  return { policyName: name, status: "NON-COMPLIANT", ruleEvaluations: rules };
}

function rule(
  definition: Rule["rule"]["definition"],
  resolutions: NonNullable<Rule["resolutions"]>,
  type = "attestation",
): Rule {
  return { rule: { type, definition }, satisfied: false, resolutions };
}

const texts = (failures: readonly Failure[]) => failures.map(({ text }) => text);

test("a compliant artifact has no failures, whatever else the response says", () => {
  expect(failuresOf(assertion({ compliant: true, flows: [verdict([missing, bad])] }))).toEqual([]);
});

describe("in the scope flow", () => {
  test("each attestation that is missing or not compliant is a failure, and no other", () => {
    expect(failuresOf(assertion({ flows: [verdict([missing, good, bad])] }))).toEqual([
      {
        reason: "missing",
        flow: "web",
        trail: "v1",
        attestation: "unit",
        text: "attestation 'unit' (junit) is missing in flow 'web', trail 'v1'",
      },
      {
        reason: "non-compliant",
        flow: "web",
        trail: "v1",
        attestation: "scan",
        text: "attestation 'scan' is not compliant in flow 'web', trail 'v1'",
      },
    ]);
  });

  test("every non-compliant flow is reported, and no compliant one", () => {
    const flows = [
      verdict([missing], { flow: "a" }),
      verdict([bad], { flow: "b", compliant: true }),
      verdict([bad], { flow: "c", trail: null }),
    ];
    expect(texts(failuresOf(assertion({ flows })))).toEqual([
      "attestation 'unit' (junit) is missing in flow 'a', trail 'v1'",
      "attestation 'scan' is not compliant in flow 'c'",
    ]);
  });

  test("a single flow may replace the list", () => {
    expect(texts(failuresOf(assertion({ flows: verdict([missing]) })))).toHaveLength(1);
  });

  test("without a list of flows the result itself is the flow's", () => {
    expect(texts(failuresOf(assertion(verdict([bad]))))).toEqual([
      "attestation 'scan' is not compliant in flow 'web', trail 'v1'",
    ]);
  });

  test("a flow without a named attestation is reported by its status", () => {
    expect(failuresOf(assertion({ flows: [verdict([good])] }))).toEqual([
      {
        reason: "non-compliant",
        flow: "web",
        trail: "v1",
        text: "the artifact is non-compliant in flow 'web', trail 'v1'",
      },
    ]);
  });

  test("an artifact of an old report, without trail and status, is reported all the same", () => {
    const flow = { flow: "web", trail: null, compliant: false, complianceStatus: null };
    expect(texts(failuresOf(assertion({ flows: [flow] })))).toEqual([
      "the artifact is not compliant in flow 'web'",
    ]);
  });

  test("policies do not count", () => {
    const policyEvaluations = [policy("p", [rule({ name: "x" }, [])])];
    expect(failuresOf(assertion({ flows: [verdict([missing])], policyEvaluations }))).toHaveLength(1);
  });
});

describe.each(["environment", "policy"] as const)("in the scope %s", (scope) => {
  const context = { flowName: "web", trailName: "v1", artifactStatus: "INCOMPLETE" };
  const failing = (one: Rule) => failuresOf(assertion({ scope, policyEvaluations: [policy("prod", [one])] }));

  test.each<[string, Rule, string]>([
    [
      "an attestation that is missing",
      rule({ name: "unit", type: "junit" }, [{ type: "missing_attestation", context }]),
      "policy 'prod': the attestation 'unit' of type junit is missing in flow 'web', trail 'v1'",
    ],
    [
      "an attestation of any name that is not compliant",
      rule({ name: "*", type: "snyk" }, [{ type: "non_compliant_attestation", context }]),
      "policy 'prod': the attestation of type snyk is not compliant in flow 'web', trail 'v1'",
    ],
    [
      "an attestation without the required proof",
      rule({ name: "unit", type: "junit" }, [
        {
          type: "non_compliant_attestation",
          context: { ...context, unmet: "attestation.origin == 'verified'" },
        },
      ]),
      "policy 'prod': the attestation 'unit' of type junit does not meet (attestation.origin == 'verified') in flow 'web', trail 'v1'",
    ],
    [
      "an artifact that is not compliant in its trail",
      rule({}, [{ type: "non_compliant_in_trail", context }], "trail-compliance"),
      "policy 'prod': the artifact is incomplete in flow 'web', trail 'v1'",
    ],
    [
      "an artifact that no flow has reported",
      rule({}, [{ type: "no_provenance" }], "provenance"),
      "policy 'prod': the artifact has no provenance: no flow has reported it",
    ],
    [
      "the same in other words",
      rule({}, [{ type: "missing_provenance", context: null }], "provenance"),
      "policy 'prod': the artifact has no provenance: no flow has reported it",
    ],
    [
      "an artifact without a flow, where the policy excepts it from provenance but not from trail compliance",
      rule({}, [{ type: "no_provenance" }], "trail-compliance"),
      "policy 'prod': the rule trail-compliance fails: no flow has reported the artifact",
    ],
    [
      "an artifact without a flow, where the policy excepts it from provenance but not from an attestation",
      rule({ name: "unit", type: "junit" }, [{ type: "no_provenance" }]),
      "policy 'prod': the attestation 'unit' of type junit is missing: no flow has reported the artifact",
    ],
    [
      "an unknown reason",
      rule({}, [{ type: "legacy_flow", context: { flowName: "old" } }]),
      "policy 'prod': legacy flow in flow 'old'",
    ],
    [
      "a rule without a reason",
      rule({}, [], "provenance"),
      "policy 'prod': the rule provenance is not satisfied",
    ],
  ])("%s is reported", (_, one, text) => {
    expect(texts(failing(one))).toEqual([text]);
    expect(failing(one)[0]).toMatchObject({ reason: "rule", policy: "prod", rule: one.rule.type });
  });

  test("a missing decision is reported with its control", () => {
    const forControl = { name: "*", type: "decision", forControl: "RCTL-7" };
    expect(failing(rule(forControl, [{ type: "missing_attestation", context }]))).toEqual([
      {
        reason: "rule",
        policy: "prod",
        rule: "attestation",
        control: "RCTL-7",
        flow: "web",
        trail: "v1",
        text: "policy 'prod': the decision for control 'RCTL-7' is missing in flow 'web', trail 'v1'",
      },
    ]);
    expect(texts(failing(rule(forControl, [{ type: "non_compliant_attestation" }])))).toEqual([
      "policy 'prod': the decision for control 'RCTL-7' is not compliant",
    ]);
    const decidedBy = { ...forControl, decidedBy: "reviewed@2" };
    expect(texts(failing(rule(decidedBy, [{ type: "missing_attestation" }])))).toEqual([
      "policy 'prod': the decision for control 'RCTL-7' by the decision policy 'reviewed@2' is missing",
    ]);
  });

  test("each flow that fails a rule is reported, and those that satisfy it or are exempt are not", () => {
    const one = rule({ name: "unit" }, [
      { type: "rule_satisfied", context: { flowName: "a" } },
      { type: "missing_attestation", context: { flowName: "b" } },
      { type: "rule_not_applicable", context: { flowName: "c" } },
      { type: "non_compliant_attestation", context: { flowName: "d" } },
    ]);
    expect(failing(one).map(({ flow }) => flow)).toEqual(["b", "d"]);
  });

  test("a rule that is satisfied or does not apply is not a failure", () => {
    const resolutions = [{ type: "missing_attestation" }];
    const policyEvaluations = [
      policy("first", [
        { ...rule({}, resolutions), satisfied: true },
        { ...rule({}, resolutions), satisfied: null, ignored: true },
        rule({ name: "x" }, resolutions),
      ]),
      policy("second", [rule({ name: "y" }, resolutions)]),
    ];
    expect(texts(failuresOf(assertion({ scope, policyEvaluations })))).toEqual([
      "policy 'first': the attestation 'x' is missing",
      "policy 'second': the attestation 'y' is missing",
    ]);
  });

  test("without a failing policy the flows have the reasons", () => {
    expect(
      texts(failuresOf(assertion({ scope, policyEvaluations: [], flows: [verdict([missing])] }))),
    ).toEqual(["attestation 'unit' (junit) is missing in flow 'web', trail 'v1'"]);
  });

  test("policies come before flows, which then only repeat them", () => {
    const policyEvaluations = [policy("p", [rule({ name: "x" }, [])])];
    expect(failuresOf(assertion({ scope, policyEvaluations, flows: [verdict([missing])] }))).toHaveLength(1);
  });
});

test("a non-compliant result without any reason is still a failure", () => {
  expect(failuresOf(assertion({ scope: "environment", flows: [verdict([], { compliant: true })] }))).toEqual([
    { reason: "rule", text: "the service reports it as not compliant, without a reason" },
  ]);
});

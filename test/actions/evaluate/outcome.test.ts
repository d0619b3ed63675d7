import { expect, test } from "vitest";
import { noResult } from "../../../src/actions/evaluate/outcome.ts";
import { PolicyFault, type PolicyFaultKind, type PolicyProblem } from "../../../src/evidence/rego/verdict.ts";

const POLICY = { files: {}, placeOf: (file: string) => `policies/${file}` };

function annotated(kind: PolicyFaultKind, problems: readonly PolicyProblem[]) {
  const annotations: unknown[] = [];
  const error = (...annotation: unknown[]) => annotations.push(annotation);
  const { failure } = noResult(new PolicyFault(kind, problems), POLICY, { error });
  return { annotations, failure };
}

test("problems of a policy are annotations at their lines, and leave the result open", () => {
  const problems = [
    { message: "var y is unsafe", file: "release.rego", line: 3 },
    { message: "rego_parse_error", file: "lib/x.rego" },
  ];
  expect(annotated("policy", problems)).toEqual({
    annotations: [
      [
        "var y is unsafe",
        "The policy is not valid (evaluation.failed)",
        { file: "policies/release.rego", line: 3 },
      ],
      ["rego_parse_error", "The policy is not valid (evaluation.failed)", { file: "policies/lib/x.rego" }],
    ],
    failure: {
      code: "evaluation.failed",
      title: "The policy is not valid",
      text: "policies/release.rego:3: var y is unsafe\npolicies/lib/x.rego: rego_parse_error",
      undecided: true,
    },
  });
});

test("a problem without a file is only the failure", () => {
  expect(annotated("engine", [{ message: "opa was not found" }])).toEqual({
    annotations: [],
    failure: {
      code: "evaluation.no_engine",
      title: "The policy could not be run",
      text: "opa was not found",
      undecided: true,
    },
  });
});

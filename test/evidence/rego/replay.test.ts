import { expect, test } from "vitest";
import {
  describeEvaluation,
  type Evaluation,
  type EvaluationPackage,
  unpackEvaluation,
} from "../../../src/evidence/rego/evaluation-package.ts";
import { decisionProblems, packageProblems, verdictDifferences } from "../../../src/evidence/rego/replay.ts";

const EVALUATION: Evaluation = {
  by: "service",
  opa: { version: "1.22.2", capabilities: "{}" },
  files: { "policy.rego": "package policy", "lib/x.rego": "package x" },
  params: { limit: 1, version: JSON.rawJSON("1.10") },
  context: { trails: [{ flow: "web", trail: "abc" }] },
  input: '{"trail":{}}',
  at: 1_790_000_000.123,
  verdict: { allow: false, violations: ["a", "b"], skipped: null },
};
const { record, file } = await describeEvaluation(EVALUATION);
const PACKAGE = await unpackEvaluation(new Uint8Array(await file.content.arrayBuffer()));
const { policy } = PACKAGE;

test.each<[string, Partial<EvaluationPackage>, string[]]>([
  ["nothing", {}, []],
  ["the input", { input: "{}" }, ["input.json was changed: its digest differs"]],
  [
    "a file",
    { policy: { ...policy, "policy.rego": "package policy\n" } },
    ["policy/policy.rego was changed: its digest differs", "the digest of the policy differs"],
  ],
  [
    "one file more and one less",
    { policy: { "policy.rego": "package policy", "y.rego": "package y" } },
    ["policy/lib/x.rego was removed", "policy/y.rego was added", "the digest of the policy differs"],
  ],
  [
    "a path out of the folder",
    { policy: { ...policy, "../x.rego": "package x" } },
    [
      "the path '../x.rego' leaves the policy's folder",
      "policy/../x.rego was added",
      "the digest of the policy differs",
    ],
  ],
  [
    "the time",
    { data: PACKAGE.data.replace("179", "178") },
    ["data.json was changed: it has other params or another time"],
  ],
  ["the data", { data: "{" }, ["data.json was changed: it has other params or another time"]],
  [
    "the record",
    { record: { ...record, allow: true } },
    ["evaluation.json is not the record of the decision"],
  ],
])("a package that changed %s", (_, change, problems) => {
  expect(packageProblems({ ...PACKAGE, ...change }, record)).toEqual(problems);
});

test.each([
  [{ is_compliant: false }, false, []],
  [{ is_compliant: true }, false, ["the decision is compliant, but its evaluation denies"]],
  [{ is_compliant: true, warned: true }, true, []],
  [{ is_compliant: true, warned: true }, false, ["the decision is compliant, but its evaluation denies"]],
])("a decision with %j of a denial, published: %j, has the problems %j", (data, published, problems) => {
  expect(decisionProblems(data, { ...record, policy: { ...record.policy, published } })).toEqual(problems);
});

test.each([
  ["the same", { allow: false, violations: ["a", "b"], skipped: null }, []],
  [
    "another result",
    { allow: true, violations: ["b", "c"], skipped: "new" },
    [
      "allow: false was recorded, true is evaluated",
      "violation only in the record: a",
      "violation only in the evaluation: c",
      "skipped: no was recorded, new is evaluated",
    ],
  ],
  [
    "another number",
    { allow: false, violations: ["a", "a", "b"], skipped: null },
    ["violations: their order or number differs"],
  ],
])("a verdict that is %s", (_, again, differences) => {
  expect(verdictDifferences(record, again)).toEqual(differences);
});

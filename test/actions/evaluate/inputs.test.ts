import { expect, test } from "vitest";
import { check, inputs } from "../../../src/actions/evaluate/inputs.ts";
import { readInputs } from "../../../src/github/step/inputs.ts";

function checked(texts: Readonly<Record<string, string>>) {
  const { values, given } = readInputs(inputs, texts, {});
  return check(values, given);
}

const TRAILS = { trails: "web/a" };
const POLICY = { policy: "release" };

test.each([
  ["no record", POLICY, "trails", "is required, or set"],
  ["two kinds of records", { ...POLICY, ...TRAILS, environment: "p" }, "environment", "cannot be used with"],
  ["a trail without a flow", { ...POLICY, trails: "v1" }, "trails", "must be a flow and a trail"],
  [
    "a decision about no single trail",
    { ...POLICY, environment: "p", control: "X" },
    "decision-trail",
    "is required",
  ],
  ["no policy", TRAILS, "policy", "is required, or set `policy-id` instead"],
  ["two policies", { ...POLICY, ...TRAILS, "policy-id": "x" }, "policy-id", "cannot be used with `policy`"],
  ["a version below 1", { ...TRAILS, "policy-id": "x@0" }, "policy-id", "must be an identifier"],
  ["a policy with a slash", { ...TRAILS, "policy-id": "a/b" }, "policy-id", "must be an identifier"],
  [
    "opa for the service",
    { ...POLICY, ...TRAILS, "run-on": "service", "opa-path": "/opa" },
    "opa-path",
    "is used only on the runner",
  ],
  [
    "a trial on the service",
    { ...POLICY, "what-if": "web", "run-on": "service" },
    "what-if",
    "is used only on the runner",
  ],
  [
    "a control whose default name is not valid",
    { ...POLICY, ...TRAILS, control: "SOC.2" },
    "name",
    "is required for the control 'SOC.2', because 'SOC.2-decision' may only have",
  ],
])("%s is refused", (_, texts, input, words) => {
  expect(checked(texts)).toMatchObject({ problems: [{ input, problem: expect.stringContaining(words) }] });
});

test.each([
  ["x", { identifier: "x", version: undefined }],
  ["x@12", { identifier: "x", version: 12 }],
])("the policy %s is read", (id, policy) => {
  expect(checked({ ...TRAILS, "policy-id": id, control: "REL-1" })).toMatchObject({
    values: { policy, name: "REL-1-decision" },
  });
});

test("a trial needs no name for its control", () => {
  expect(checked({ ...POLICY, "what-if": "web", control: "SOC.2" })).toHaveProperty("values");
});

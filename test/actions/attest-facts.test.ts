import { describe, expect, test } from "vitest";
import { attestationInputs, attestInputs, checkAttestation } from "../../src/actions/attest/inputs.ts";
import { summaryOf } from "../../src/actions/attest/summary.ts";
import { readInputs } from "../../src/github/step/inputs.ts";

const NOT_WITH_FACTS = "cannot be used with record: facts, which records no judgement";

async function problemsOf(inputs: Readonly<Record<string, string>>) {
  const read = readInputs(attestInputs, { flow: "web", name: "one", ...inputs }, {});
  const checked = await checkAttestation(read.values, read.given);
  return "problems" in checked ? checked.problems.map(({ input, problem }) => `${input} ${problem}`) : [];
}

describe("facts", () => {
  test.each<[Readonly<Record<string, string>>, readonly string[]]>([
    [{ kind: "test", "test-results": "a.xml" }, []],
    [{ kind: "scan", "scan-results": "a.sarif", "fail-level": "low" }, [`fail-level ${NOT_WITH_FACTS}`]],
    [{ kind: "pull_request", "require-approvals": "1" }, [`require-approvals ${NOT_WITH_FACTS}`]],
    [{ compliant: "true", "test-results": "a.xml" }, [`test-results ${NOT_WITH_FACTS}`]],
    [
      { "scan-results": "a.sarif" },
      ["compliant is required for generic facts", `scan-results ${NOT_WITH_FACTS}`],
    ],
    [{ kind: "custom", "type-name": "t", data: "{}" }, ["record is not used by kind: custom"]],
    [{ kind: "artifact", artifact: "a" }, ["record is not used by kind: artifact"]],
  ])("of %j have these problems: %j", async (inputs, problems) => {
    expect(await problemsOf({ record: "facts", ...inputs })).toEqual(problems);
  });
});

test("the summary of facts does not read as a judgement", () => {
  const done = { name: "unit", kind: "test", facts: "junit", compliant: true, reason: "", attachments: [] };
  // The other fields are only shown.
  const { rows } = summaryOf(done as never, undefined);
  expect(rows).toContainEqual(["Facts", "system:junit, compliant whatever they say"]);
});

test("a decision names its control and its result", async () => {
  expect(await problemsOf({ kind: "decision" })).toEqual([
    "control is required for kind: decision",
    "compliant is required for kind: decision",
  ]);
  expect(await problemsOf({ control: "SDLC-1", compliant: "true" })).toEqual([
    "control is not used by kind: generic",
  ]);
  const values = {
    ...readInputs(attestInputs, { kind: "decision", control: "S-1" }, {}).values,
    flow: "web",
  };
  expect(attestationInputs({ ...values, name: "one" })).toBeUndefined();
  expect(attestationInputs({ ...values, name: "one", compliant: false })).toMatchObject({ control: "S-1" });
});

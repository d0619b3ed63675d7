import { describe, expect, test } from "vitest";
import { attestationInputs, attestInputs } from "../../src/actions/attest/inputs.ts";
import { adviceFor, warnOfUnmet } from "../../src/actions/attest/unmet.ts";
import type { Slot } from "../../src/api/resources/template-match.ts";
import { readInputs } from "../../src/github/step/inputs.ts";

const FINGERPRINT = "a".repeat(64);

function advice(inputs: Readonly<Record<string, string>> & { name: string }, nearest: Slot) {
  const given = readInputs(attestInputs, inputs, {}).values;
  const subject = given.kind === "artifact" ? { fingerprint: FINGERPRINT } : {};
  const values = attestationInputs({ ...given, flow: "web", data: "{}", ...subject });
  if (values === undefined) throw new Error("the inputs are not complete");
  const done = {
    name: inputs.name,
    kind: values.kind,
    status: "recorded" as const,
    flow: "web",
    trail: "v1",
    trailUrl: "",
    facts: undefined,
    compliant: undefined,
    reason: "",
    fingerprint: given.fingerprint,
    commitUrl: undefined,
    commit: undefined,
    attachments: [],
    requestId: undefined,
    headers: {},
    match: undefined,
    tables: [],
    remarks: [],
  };
  return adviceFor({ values, done }, nearest);
}

describe("the advice for a record that matches no slot", () => {
  const MANUAL = { artifact: "app", attestation: "manual-test", type: "generic" };

  test.each([{ name: "app.manual-test" }, { name: "manual-test", "target-artifacts": "app" }])(
    "is the fingerprint where one is required and the artifact is of another commit: %j",
    (inputs) => {
      expect(advice(inputs, MANUAL)).toBe(
        `attestation '${inputs.name}' has no fingerprint, and trail 'v1' has the artifact 'app' only at other commits: set \`fingerprint\``,
      );
    },
  );

  test.each([
    [{ name: "app.manual-tests" }, "use `name: app.manual-test`"],
    [{ name: "app.manual-test", kind: "junit" }, "use `kind: generic`"],
    [{ name: "manual-test", fingerprint: FINGERPRINT }, "report the artifact as 'app'"],
  ])("differs in every other case: %j", (inputs, change) => {
    expect(advice(inputs, MANUAL)).toMatch(new RegExp(`^the template of trail 'v1' lists .*: ${change}`));
  });

  test.each([
    [{ name: "approval" }, "decision", "`kind: decision`"],
    [{ name: "approval", kind: "test" }, "system:junit", "`record: facts`"],
    [{ name: "approval" }, "sbom", "`kind: sbom` and `record: facts`"],
    [{ name: "approval", kind: "scan" }, "system:sarif@v1", "`record: facts`"],
    [{ name: "approval", kind: "test", record: "facts" }, "junit", "`record: judged`"],
    [{ name: "approval", kind: "jira", record: "facts" }, "junit", "`record: judged` and `kind: test`"],
  ])("for %j is the kind of the type %s, and whether it records facts", (inputs, type, change) => {
    expect(advice(inputs, { artifact: undefined, attestation: "approval", type })).toMatch(
      new RegExp(`: use ${change}$`),
    );
  });
});

test("several are one warning", () => {
  const warnings: string[] = [];
  warnOfUnmet(["one", "two"], { warn: (text) => warnings.push(text) });
  expect(warnings).toEqual([
    "2 records match no slot of the template:\n- one\n- two\nIf that is intended, set check-template: false.",
  ]);
});

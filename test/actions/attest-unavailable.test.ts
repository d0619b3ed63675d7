import { describe, expect, test } from "vitest";
import { runHere } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";
import { annotationsIn } from "./sent-attestations.ts";

const JUNIT =
  '<testsuite name="cart"><testcase name="adds"/><testcase name="sorts"><failure/></testcase></testsuite>';
const FINDING = {
  ruleId: "R1",
  message: { text: "Bad" },
  properties: { "security-severity": "9.8" },
};
const FILES = {
  "a.xml": JUNIT,
  "a.sarif": JSON.stringify({
    version: "2.1.0",
    runs: [{ tool: { driver: { name: "Trivy" } }, results: [FINDING] }],
  }),
  "m.yml": "- {name: unit, kind: junit, test-results: a.xml}\n- {name: lint, compliant: true}\n",
};

/** Attests while the service is down. */
async function attest(inputs: Record<string, string>) {
  await using server = await recordingServer([{ status: 503, body: { message: "not now" } }]);
  const accepted = { flow: "web", retries: "0", "on-unavailable": "warn" };
  return await runHere("attest", { server, inputs: { ...accepted, ...inputs }, files: FILES });
}

describe("while the service is down and on-unavailable: warn is set", () => {
  const READ: [inputs: Record<string, string>, verdict: string][] = [
    [{ name: "unit", kind: "junit", "test-results": "a.xml" }, "1 of 2 tests failed"],
    [{ name: "unit", "test-results": "a.xml" }, "1 of 2 tests failed"],
    [{ name: "unit", kind: "snyk", "scan-results": "a.sarif" }, "found 1 high"],
    [{ manifest: "m.yml" }, "1 of 2 tests failed"],
  ];

  test.each(READ)(
    "fail-on-non-compliant fails the step for the local results of %j",
    async (inputs, verdict) => {
      const run = await attest({ ...inputs, "fail-on-non-compliant": "true" });
      expect(run).toMatchObject({ status: 1, outputs: { status: "skipped", compliant: "false" } });
      const errors = annotationsIn(run.stdout);
      expect(errors).toContain(
        `::error title=Not compliant (attestation.not_compliant)::'unit' is not compliant: ${verdict}`,
      );
      expect(annotationsIn(run.stdout, "warning")).toContainEqual(
        expect.stringContaining("Nothing was recorded: not now"),
      );
    },
  );

  test("a compliant result passes", async () => {
    const inputs = { name: "lint", compliant: "true", "fail-on-non-compliant": "true" };
    const run = await attest(inputs);
    expect(run).toMatchObject({ status: 0, outputs: { status: "skipped", compliant: "true" } });
  });
});

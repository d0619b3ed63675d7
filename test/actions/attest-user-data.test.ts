import { expect, test } from "vitest";
import { runHere } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";
import { sent } from "./sent-attestations.ts";

const RECORDED = { status: 201, body: "OK", headers: { "x-request-id": "req-1" } };
const RESULTS = { "test-results": "a.xml", "scan-results": "scan.sarif", "attach-results": "false" };

const JUNIT =
  '<testsuites><testsuite name="cart" time="1.5"><testcase name="adds"/><testcase name="sorts"><failure/></testcase><testcase name="later"><skipped/></testcase></testsuite><testsuite name="shop"><testcase name="sells"><flakyFailure/></testcase><testcase name="buys"><error/></testcase></testsuite></testsuites>';

function sarif(): string {
  const finding = (score: string) => ({ message: { text: "m" }, properties: { "security-severity": score } });
  const accepted = { ...finding("9"), suppressions: [{ kind: "external" }] };
  const run = (name: string, results: object[], more: object = {}) => ({
    tool: { driver: { name, version: "1.2.3" } },
    results,
    ...more,
  });
  const failed = { invocations: [{ executionSuccessful: false, exitCodeDescription: "out of memory" }] };
  return JSON.stringify({
    version: "2.1.0",
    runs: [
      run("Trivy", [finding("9"), finding("5"), accepted]),
      run("Trivy", [finding("2")]),
      run("Semgrep", [], failed),
    ],
  });
}

const TESTS = {
  suites: 2,
  tests: 5,
  passed: 2,
  failures: 1,
  errors: 1,
  skipped: 1,
  flaky: 1,
  duration: 1.5,
};
const SCAN = {
  tools: [
    { name: "Trivy", version: "1.2.3" },
    { name: "Semgrep", version: "1.2.3" },
  ],
  findings: { critical: 1, high: 0, medium: 1, low: 1, none: 0 },
  accepted: 1,
  not_completed: ["the scan by Semgrep did not succeed: out of memory"],
};

async function attest(inputs: Record<string, string>, files: Record<string, string> = {}) {
  await using server = await recordingServer([RECORDED]);
  const run = await runHere("attest", {
    server,
    inputs: { flow: "web", name: "unit", ...inputs },
    files: { "a.xml": JUNIT, "scan.sarif": sarif(), ...files },
  });
  return { ...run, ...sent(server.requests[0]) };
}

test("adds test and scan results to the user data, also when their files are not attached", async () => {
  const run = await attest({ ...RESULTS, "user-data": '{"team": "shop"}' });
  expect(run.files).toEqual([]);
  expect(run.data["user_data"]).toEqual({ team: "shop", tests: TESTS, scan: SCAN });
});

test("adds results beside an SBOM's summary", async () => {
  const bom = JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components: [] });
  const run = await attest({ "test-results": "a.xml", attachments: "bom.json" }, { "bom.json": bom });
  expect(run.data["user_data"]).toMatchObject({ tests: TESTS, sbom: [{ file: "bom.json" }] });
});

test.each([
  ["their own field of that name", '{"tests": "mine"}', { tests: "mine", scan: SCAN }],
  ["a list", "[1]", [1]],
])("keeps %s of the user", async (_what, given, expected) => {
  expect((await attest({ ...RESULTS, "user-data": given })).data["user_data"]).toEqual(expected);
});

test("a kind with its own fields for results records them only there", async () => {
  const run = await attest({ kind: "junit", "test-results": "a.xml" });
  expect(run.data).not.toHaveProperty("user_data");
});

import { expect, test } from "vitest";
import { runHere } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";
import { annotationsIn } from "./sent-attestations.ts";

const FILES = {
  "a.xml": '<testsuite name="cart"><testcase name="adds"/></testsuite>',
  "a.sarif": '{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "Trivy"}}, "results": []}]}',
};

/** Attests to a service that rejects a field. */
async function refusedField(field: string, inputs: Record<string, string>) {
  const body = { message: "Input payload validation failed", errors: { [field]: "is not good" } };
  await using server = await recordingServer([{ status: 400, body }]);
  const run = await runHere("attest", {
    server,
    inputs: { flow: "web", name: "one", ...inputs },
    files: FILES,
  });
  expect(run.status).toBe(1);
  return annotationsIn(run.stdout);
}

test.each([
  ["junit_results[0].name", { kind: "junit", "test-results": "a.xml" }, "test-results"],
  ["junit_results[0].name", { kind: "junit", data: '{"junit_results": []}' }, "data"],
  ["snyk_results.results", { kind: "snyk", "scan-results": "a.sarif" }, "scan-results"],
  ["pull_requests[0].url", { kind: "pull_request", data: '{"pull_requests": []}' }, "data"],
  ["jira_results[0].issue_id", { kind: "jira", data: '{"jira_results": []}' }, "data"],
  [
    "attestation_data.junit_results[0].name",
    { kind: "test", "test-results": "a.xml", record: "facts" },
    "test-results",
  ],
  // Spooled submissions are validated on a different code path.
  [
    "junit_results[0].name",
    { kind: "junit", "test-results": "a.xml", "on-unavailable": "spool" },
    "test-results",
  ],
])("a rejected field is reported under its input: %s of %j", async (field, inputs, input) => {
  const errors = await refusedField(field, inputs);
  expect(errors).toEqual([expect.stringContaining(`%0A${input}: '${field}': is not good`)]);
});

import { expect, test } from "vitest";
import { callProblems, callsIn, outputProblems, USUAL_ENV } from "./action-calls.ts";
import { requestProblems } from "./dry-run.ts";
import { asWorkflow, shapeOf } from "./shapes.ts";

const ATTEST = "- uses: delivery-evidence/toolkit/actions/attest@FULL_COMMIT_SHA # v0.1.0\n";

/** The errors in the steps of a block, in the order in which they are found. */
async function problemsOfSteps(text: string): Promise<string[]> {
  const problems = await Promise.all(callsOf(text).map((call) => callProblems({ ...call, env: USUAL_ENV })));
  return problems.flat();
}

function callsOf(text: string) {
  const file = asWorkflow({ name: "a block", text });
  return file === undefined ? [] : callsIn(file);
}

test("a step with valid inputs is accepted, with expressions as values", async () => {
  const step = `${ATTEST}  with: { name: lint, compliant: "\${{ steps.lint.outcome }}", timeout: 30 }\n`;
  expect(await problemsOfSteps(step)).toEqual([]);
});

test("an unknown input, a missing one and an invalid value are reported", async () => {
  const step = `${ATTEST}  with: { nme: lint, compliant: perhaps, kind: junit, timeout: 0 }\n`;
  expect(await problemsOfSteps(step)).toEqual([
    "job job, step 1: nme is no input",
    "job job, step 1: compliant must be true, false, success, failure, cancelled or skipped, not 'perhaps'",
    "job job, step 1: compliant is not used by kind: junit",
    "job job, step 1: test-results is required for kind: junit, or set data instead",
    "job job, step 1: name is required",
    "job job, step 1: timeout must be a whole number from 1 to 3600, not '0'",
  ]);
});

test("a job with neither a key nor the right to request a token is reported", async () => {
  const job = (permissions: string) => `on: push
jobs:
  job:
    permissions: { ${permissions} }
    steps:
      ${ATTEST.trim()}
        with: { name: lint, compliant: true, org: acme, flow: web, base-url: "https://evidence.example.com" }
`;
  const problems = async (permissions: string) =>
    (await Promise.all(callsOf(job(permissions)).map(callProblems))).flat();
  expect(await problems("id-token: write")).toEqual([]);
  expect(await problems("contents: read")).toEqual([
    "job job, step 1: api-key is missing; give the key of a service account",
  ]);
});

test("an unknown action is reported", async () => {
  expect(
    await problemsOfSteps("- uses: delivery-evidence/toolkit/actions/atest@FULL_COMMIT_SHA # v0.1.0\n"),
  ).toEqual(["job job, step 1: there is no delivery-evidence/toolkit/actions/atest@FULL_COMMIT_SHA"]);
});

test("data that the API does not accept is reported", async () => {
  const [call] = callsOf(
    `${ATTEST}  with: { kind: jira, name: issues, flow: web, data: '[{"issue_id": "WEB-7"}]' }\n`,
  );
  expect(call && (await requestProblems(call))).toEqual([
    "job job, step 1: jira_results[0].issue_url is required",
    "job job, step 1: jira_results[0].issue_exists is required",
  ]);
});

test("an unknown output of an action is reported", async () => {
  const [uses, used] = [
    ATTEST.replace("- ", "- id: a\n  "),
    "- run: echo\n  env: { A: '${{ steps.a.outputs.trial }}' }\n",
  ];
  const file = asWorkflow({ name: "a block", text: uses + used });
  expect(file && outputProblems(file)).toEqual(["job job: attest has no output trial"]);
});

test("a block is recognized by its content", async () => {
  const shapes = {
    "jobs: {}": "workflow",
    "build: { runs-on: x }": "jobs",
    "- run: make": "steps",
    "permissions: {}": "settings",
    "version: 1\ntrail: {}": "template",
    "_schema: x/v1": "policy",
    "- name: lint": "manifest",
    "attestations: []": "manifest",
    "- environment: production": "environments",
    "something: else": undefined,
    "just a text": undefined,
    "[]": undefined,
  };
  const found = Object.keys(shapes).map((text) => [text, shapeOf({ name: "a block", text })]);
  expect(Object.fromEntries(found)).toEqual(shapes);
});

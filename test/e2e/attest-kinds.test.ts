import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { gitHubServer, repository } from "../github/github-server.ts";
import { SHA, startJob } from "./workspace.ts";

type Job = Awaited<ReturnType<typeof startJob>>;
type Inputs = Readonly<Record<string, string>>;

const place = (attestationName: string) => ({ flowName: "web", trailName: SHA, attestationName });

/** Attests by the action, and reads back what the service has of it now. */
async function attested(job: Job, inputs: Inputs, github = {}) {
  const run = await job.step("attest", inputs, github);
  expect(run.log).toContain(`Recorded ${inputs["kind"] ?? "generic"} attestation`);
  const { body } = await job.client.listTrailAttestations(place(inputs["name"] ?? ""));
  return { run, record: body[0] };
}

/** The bytes that the service keeps with an attestation. */
async function evidenceOf(job: Job, record: { attestationId?: string | null } | undefined): Promise<Buffer> {
  const attestationId = record?.attestationId ?? "";
  const { body } = await job.client.downloadEvidence({ flowName: "web", trailName: SHA, attestationId });
  return Buffer.from(body.content);
}

/** That the step says of compliance what is on record. */
async function expectVerdict(job: Job, inputs: Inputs, compliant: boolean) {
  const { run, record } = await attested(job, inputs);
  expect([run.outputs["compliant"], record?.isCompliant]).toEqual([String(compliant), compliant]);
  return record;
}

const suite = (...cases: readonly string[]) => `<testsuite name="cart">${cases.join("")}</testsuite>`;
const passed = '<testcase name="sorts" time="0.5"/>';
const failed = '<testcase name="adds"><failure message="off by one"/></testcase>';
const skipped = '<testcase name="later"><skipped/></testcase>';

describe("kind: junit", () => {
  test.each([
    ["passed", suite(passed), true],
    ["failed", suite(passed, failed), false],
    ["passed or were skipped", suite(passed, skipped), true],
    ["were all skipped", suite(skipped), true],
    ["passed in a suite that counts a failure", suite(passed).replace(">", ' failures="1">'), false],
  ])("tests that %s are on record as the step says", async (_, report, compliant) => {
    await using job = await startJob();
    await job.write("reports/junit.xml", report);
    const inputs = { name: "unit", kind: "junit", "test-results": "reports/*.xml" };
    const record = await expectVerdict(job, inputs, compliant);
    expect(record).toMatchObject({
      attestationType: "junit",
      hasAuditPackage: true,
      junitResults: [{ name: "cart", total: report.split("<testcase").length - 1 }],
    });
  });

  test("the report is kept byte for byte", async () => {
    await using job = await startJob();
    const report = `\ufeff<?xml version="1.0"?>\r\n${suite(passed)}\n\n`;
    await job.write("junit.xml", report);
    const { record } = await attested(job, { name: "unit", kind: "junit", "test-results": "junit.xml" });
    expect(await evidenceOf(job, record)).toEqual(Buffer.from(report));
  });
});

const sarif = (...scores: readonly string[]) =>
  JSON.stringify({
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Trivy", version: "0.60.0" } },
        results: scores.map((score) => ({
          ruleId: "CVE-1",
          message: { text: "m" },
          properties: { "security-severity": score },
        })),
      },
    ],
  });

describe("kind: snyk", () => {
  test.each([
    ["nothing", [], true],
    ["what has no severity", ["0.0"], true],
    ["something low", ["1.0"], false],
    ["something critical", ["9.9"], false],
  ])("a scan that found %s is on record as the step says", async (_, scores, compliant) => {
    await using job = await startJob();
    await job.write("scan.sarif", sarif(...scores));
    const inputs = { name: "scan", kind: "snyk", "scan-results": "scan.sarif" };
    const record = await expectVerdict(job, inputs, compliant);
    expect(record).toMatchObject({
      attestationType: "snyk",
      hasAuditPackage: true,
      processedSnykResults: { tool: { name: "Trivy", version: "0.60.0" } },
    });
  });
});

test("a scan that broke off is on record as not compliant, whatever its kind", async () => {
  await using job = await startJob();
  const brokenOff = '"invocations":[{"executionSuccessful":false}],"results":[]';
  await job.write("scan.sarif", sarif().replace('"results":[]', brokenOff));
  for (const kind of ["snyk", "generic"])
    await expectVerdict(job, { name: kind, kind, "scan-results": "scan.sarif" }, false);
});

describe("kind: generic", () => {
  test.each([
    ["good tests and a good scan", suite(passed), ["6.9"], {}, true],
    ["good tests and a bad scan", suite(passed), ["7.0"], {}, false],
    ["bad tests and a good scan", suite(failed), [], {}, false],
    ["tests that were all skipped", suite(skipped), [], {}, false],
    ["good results and a bad verdict", suite(passed), [], { compliant: "failure" }, false],
  ])("%s are on record as the step says", async (_, report, scores, verdict, compliant) => {
    await using job = await startJob();
    await job.write("junit.xml", report);
    await job.write("scan.sarif", sarif(...scores));
    const results = { "test-results": "junit.xml", "scan-results": "scan.sarif" };
    const record = await expectVerdict(job, { name: "checks", ...results, ...verdict }, compliant);
    expect(record).toMatchObject({ attestationType: "generic", hasAuditPackage: true });
  });

  test("an SBOM is kept byte for byte, and what it says of itself is on record", async () => {
    await using job = await startJob();
    const sbom = JSON.stringify({
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      components: [{ type: "library", name: "a" }],
    });
    await job.write("bom.json", sbom);
    const { record } = await attested(job, { name: "sbom", compliant: "true", attachments: "bom.json" });
    expect(record?.userData).toMatchObject({
      sbom: [{ file: "bom.json", format: "CycloneDX", components: 1 }],
    });
    expect(await evidenceOf(job, record)).toEqual(Buffer.from(sbom));
  });

  test("more than ten reports are kept in one archive", async () => {
    await using job = await startJob();
    for (let index = 0; index < 11; index++)
      await job.write(`reports/${index}.xml`, suite(passed).replace("cart", `s${index}`));
    const { record } = await attested(job, { name: "unit", "test-results": "reports/*.xml" });
    const tar = gunzipSync(await evidenceOf(job, record)).toString("latin1");
    expect(tar.match(/<testsuite name="s\d+">/g)).toHaveLength(11);
  });
});

describe("kind: pull_request", () => {
  const merged = {
    html_url: "https://github.com/acme/web/pull/7",
    number: 7,
    title: "Sort the cart",
    state: "closed",
    user: { login: "grace" },
    created_at: "2026-11-14T22:13:20Z",
    merged_at: "2026-11-14T22:30:00Z",
    merge_commit_sha: SHA,
    head: { ref: "feature", sha: "1".repeat(40), repo: { full_name: "acme/web" } },
    base: { ref: "main", sha: "2".repeat(40), repo: { full_name: "acme/web" } },
  };
  const commit = { sha: "1".repeat(40), commit: { message: "m" }, author: { login: "grace" }, parents: [] };
  const approval = { user: { login: "ada", type: "User" }, state: "APPROVED", commit_id: "1".repeat(40) };

  async function review(job: Job, pullRequests: readonly unknown[], inputs: Inputs = {}) {
    const { url } = await gitHubServer(
      repository({
        [`/commits/${SHA}/pulls`]: pullRequests,
        "/pulls/7/commits": [commit],
        "/pulls/7/reviews": [approval],
      }),
    );
    const github = { api_url: url, token: "gh-token" };
    return attested(job, { name: "review", kind: "pull_request", ...inputs }, github);
  }

  test.each([
    ["a pull request", [merged], {}, true],
    ["none", [], {}, false],
    ["one with enough approvals", [merged], { "require-approvals": "1" }, true],
    ["one with too few approvals", [merged], { "require-approvals": "2" }, false],
  ])("%s is on record as the step says", async (_, pullRequests, inputs, compliant) => {
    await using job = await startJob();
    const { run, record } = await review(job, pullRequests, inputs);
    expect([run.outputs["compliant"], record?.isCompliant]).toEqual([String(compliant), compliant]);
    expect(record).toMatchObject({
      attestationType: "pull_request",
      gitProvider: "github",
      pullRequests: compliant
        ? [{ url: merged.html_url, state: "MERGED", approvers: [{ username: "ada", state: "APPROVED" }] }]
        : [],
    });
  });

  test("what did not count is on record with the reason", async () => {
    await using job = await startJob();
    const { record } = await review(job, [merged], { "require-approvals": "2" });
    expect(record?.userData).toEqual({
      pull_requests_not_counted: [merged.html_url],
      why_not: ["pull request #7 has 1 of 2 approvals by people who wrote none of it"],
    });
  });
});

describe("data as the interface has it", () => {
  const issue = { issue_id: "SHOP-1", issue_url: "https://jira.example/SHOP-1" };
  const analysis = (status: string) => ({
    analysedAt: "2026-11-20T10:00:00+0000",
    revision: SHA,
    project: { key: "web", url: "https://sonar.example/web" },
    qualityGate: { status, conditions: [] },
  });
  const junit = (failures: number, skipped: number) => [
    { name: "s", failures, errors: 0, skipped, total: 2, duration: 1 },
  ];
  const snyk = (low_count: number) => ({
    tool: { name: "snyk", version: "1" },
    results: [{ low_count, medium_count: 0, high_count: 0 }],
  });

  test.each<[string, unknown, boolean]>([
    ["jira", [{ ...issue, issue_exists: true }], true],
    ["jira", [{ ...issue, issue_exists: false }], false],
    ["jira", [], false],
    ["sonar", analysis("OK"), true],
    ["sonar", analysis("ERROR"), false],
    ["sonar", { ...analysis("OK"), qualityGate: undefined }, false],
    ["junit", junit(0, 0), true],
    ["junit", junit(0, 2), true],
    ["junit", junit(1, 0), false],
    ["junit", [], false],
    ["snyk", snyk(0), true],
    ["snyk", snyk(1), false],
    ["pull_request", { pull_requests: [] }, false],
    ["pull_request", { pull_requests: [{ url: "u", state: "OPEN", merge_commit: "" }] }, true],
  ])("is on record as the step says: %s, %j", async (kind, data, compliant) => {
    await using job = await startJob();
    const record = await expectVerdict(job, { name: "given", kind, data: JSON.stringify(data) }, compliant);
    expect(record?.attestationType).toBe(kind);
  });
});

test("custom data is judged by the service, and the step says what the service said", async () => {
  await using job = await startJob();
  await job.client.createCustomAttestationType({
    body: { name: "coverage", evaluator: { contentType: "jq", rules: [".percent >= 80"] } },
    files: { typeSchema: { name: "schema.json", content: new Blob(['{"type": "object"}']) } },
  });
  for (const [percent, compliant] of [
    [81, true],
    [79, false],
  ] as const) {
    const data = JSON.stringify({ percent });
    const inputs = { name: "coverage", kind: "custom", "type-name": "coverage", data };
    const { run, record } = await attested(job, inputs);
    expect(run.outputs["compliant"]).toBe(String(compliant));
    expect(record).toMatchObject({
      attestationType: "custom:coverage",
      isCompliant: compliant,
      attestationData: { percent },
    });
  }
});

test("an override changes the verdict on what was attested, and says why", async () => {
  await using job = await startJob();
  await job.write("junit.xml", suite(failed));
  await expectVerdict(job, { name: "unit", kind: "junit", "test-results": "junit.xml" }, false);
  const data = JSON.stringify({ reason: "Flaky", original_attestation_type: "junit" });
  const override = { name: "unit", kind: "override", compliant: "true", data };
  const record = await expectVerdict(job, override, true);
  expect(record).toMatchObject({ attestationType: "junit", reason: "Flaky" });
});

test("an artifact is known by its own fingerprint", async () => {
  await using job = await startJob();
  await job.write("app.tgz", "built");
  const fingerprint = createHash("sha256").update("built").digest("hex");
  const run = await job.step("attest", { kind: "artifact", name: "app", artifact: "app.tgz" });
  expect(run.outputs).toMatchObject({ status: "recorded", compliant: "", fingerprint });
  const { body } = await job.client.getArtifact({ flowName: "web", fingerprint });
  expect(body).toMatchObject({ fingerprint, filename: "app.tgz" });
});

test("a manifest brings a whole build on record in one step, and opens its gate", async () => {
  await using job = await startJob();
  await job.write(
    "template.yml",
    "version: 1\ntrail:\n  artifacts: [{name: app, attestations: [{name: unit, type: junit}, {name: sbom, type: generic}]}]\n",
  );
  await job.write("app.tgz", "built");
  await job.write("junit.xml", suite(passed));
  await job.write("bom.json", '{"bomFormat": "CycloneDX", "specVersion": "1.6"}');
  await job.write(
    "evidence.yml",
    `attestations:
  - {name: app.unit, kind: junit, test-results: junit.xml}
  - {name: app.sbom, compliant: true, attachments: [bom.json]}
  - {name: app, kind: artifact}
`,
  );
  await job.step("begin-trail", { "flow-template-file": "template.yml" });
  const run = await job.step("attest", { manifest: "evidence.yml", artifact: "app.tgz" });
  expect(run.outputs).toMatchObject({ status: "recorded", compliant: "true", trail: SHA });
  const gate = await job.step("assert-artifact", { artifact: "app.tgz" });
  expect(gate).toMatchObject({ outcome: "success", outputs: { compliant: "true" } });
});

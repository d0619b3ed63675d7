import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gitHubServer, repository } from "../github/github-server.ts";
import { SHA, startJob } from "./workspace.ts";

type Inputs = Readonly<Record<string, unknown>> & { readonly name: string };

/** One service for all tests: each attests under its own names. */
let job: Awaited<ReturnType<typeof startJob>>;
beforeAll(async () => {
  job = await startJob();
});
afterAll(() => job[Symbol.asyncDispose]());

/** The service's current record of an attestation. */
async function recordOf(attestationName: string) {
  const place = { flowName: "web", trailName: SHA, attestationName };
  const { body } = await job.client.listTrailAttestations(place);
  return body[0] ?? expect.fail(`${attestationName} is not on record`);
}

/** Attests with the action, and reads the record back. */
async function attested(inputs: Readonly<Record<string, string>> & { readonly name: string }, github = {}) {
  const run = await job.step("attest", inputs, github);
  expect(run.log).toContain(`Recorded ${inputs["kind"] ?? "generic"} attestation`);
  const record = await recordOf(inputs.name);
  expect(run.outputs["compliant"]).toBe(String(record.isCompliant));
  return { run, record };
}

/** Attests all of these in one step, and expects the same result in the step and in the record. */
async function expectVerdicts(rows: readonly (readonly [inputs: Inputs, compliant: boolean])[], github = {}) {
  await job.write("evidence.yml", JSON.stringify(rows.map(([inputs]) => inputs)));
  const run = await job.step("attest", { manifest: "evidence.yml" }, github);
  const results: { name: string; compliant: string }[] = JSON.parse(run.outputs["results"] ?? "[]");
  const records = await Promise.all(rows.map(([{ name }]) => recordOf(name)));
  expect(results.map(({ name, compliant }) => [name, compliant])).toEqual(
    rows.map(([{ name }, compliant]) => [name, String(compliant)]),
  );
  expect(records.map(({ attestationName, isCompliant }) => [attestationName, isCompliant])).toEqual(
    rows.map(([{ name }, compliant]) => [name, compliant]),
  );
  return records;
}

/** The stored bytes of an attestation. */
async function evidenceOf(record: { attestationId?: string | null }): Promise<Buffer> {
  const attestationId = record.attestationId ?? "";
  const { body } = await job.client.downloadEvidence({ flowName: "web", trailName: SHA, attestationId });
  return Buffer.from(body.content);
}

const suite = (...cases: readonly string[]) => `<testsuite name="cart">${cases.join("")}</testsuite>`;
const passed = '<testcase name="sorts" time="0.5"/>';
const failed = '<testcase name="adds"><failure message="off by one"/></testcase>';
const skipped = '<testcase name="later"><skipped/></testcase>';

describe("kind: junit", () => {
  test("test results are recorded as the step shows them", async () => {
    const reports: [report: string, compliant: boolean][] = [
      [suite(passed), true],
      [suite(passed, failed), false],
      [suite(passed, skipped), true],
      [suite(skipped), true],
      // A failure that the suite counts and no test case has.
      [suite(passed).replace(">", ' failures="1">'), false],
    ];
    for (const [index, [report]] of reports.entries()) await job.write(`reports/${index}.xml`, report);
    const records = await expectVerdicts(
      reports.map(([, compliant], index) => [
        { name: `junit-${index}`, kind: "junit", "test-results": `reports/${index}.xml` },
        compliant,
      ]),
    );
    for (const [index, [report]] of reports.entries()) {
      expect(records[index]).toMatchObject({
        attestationType: "junit",
        hasAuditPackage: true,
        junitResults: [{ name: "cart", total: report.split("<testcase").length - 1 }],
      });
    }
  });

  test("the report is stored byte for byte", async () => {
    const report = `\ufeff<?xml version="1.0"?>\r\n${suite(passed)}\n\n`;
    await job.write("junit.xml", report);
    const { record } = await attested({ name: "bytes", kind: "junit", "test-results": "junit.xml" });
    expect(await evidenceOf(record)).toEqual(Buffer.from(report));
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

/** Results of an interrupted scan. */
const brokenOff = sarif().replace(
  '"results":[]',
  '"invocations":[{"executionSuccessful":false}],"results":[]',
);

test("kind: snyk: scan results are recorded as the step shows them", async () => {
  const scans: [name: string, content: string, compliant: boolean][] = [
    ["scan-clean", sarif(), true],
    ["scan-none", sarif("0.0"), true],
    ["scan-low", sarif("1.0"), false],
    ["scan-critical", sarif("9.9"), false],
    ["scan-broken-off", brokenOff, false],
  ];
  for (const [name, content] of scans) await job.write(`${name}.sarif`, content);
  const records = await expectVerdicts(
    scans.map(([name, , compliant]) => [{ name, kind: "snyk", "scan-results": `${name}.sarif` }, compliant]),
  );
  for (const record of records) {
    expect(record).toMatchObject({
      attestationType: "snyk",
      hasAuditPackage: true,
      processedSnykResults: { tool: { name: "Trivy", version: "0.60.0" } },
    });
  }
});

describe("kind: generic", () => {
  test("the combined result of tests, a scan and compliant is recorded as the step shows it", async () => {
    const rows: [name: string, report: string, scan: string, verdict: object, compliant: boolean][] = [
      ["good", suite(passed), sarif("6.9"), {}, true],
      ["bad-scan", suite(passed), sarif("7.0"), {}, false],
      ["bad-tests", suite(failed), sarif(), {}, false],
      ["all-skipped", suite(skipped), sarif(), {}, false],
      ["bad-verdict", suite(passed), sarif(), { compliant: "failure" }, false],
      ["broken-off", suite(passed), brokenOff, {}, false],
    ];
    for (const [name, report, scan] of rows) {
      await job.write(`${name}.xml`, report);
      await job.write(`${name}.sarif`, scan);
    }
    const records = await expectVerdicts(
      rows.map(([name, , , verdict, compliant]) => [
        { name, "test-results": `${name}.xml`, "scan-results": `${name}.sarif`, ...verdict },
        compliant,
      ]),
    );
    for (const record of records) {
      expect(record).toMatchObject({ attestationType: "generic", hasAuditPackage: true });
    }
  });

  test("an SBOM is stored byte for byte, and its summary is recorded", async () => {
    const sbom = JSON.stringify({
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      components: [{ type: "library", name: "a" }],
    });
    await job.write("bom.json", sbom);
    const { record } = await attested({ name: "bill", compliant: "true", attachments: "bom.json" });
    expect(record?.userData).toMatchObject({
      sbom: [{ file: "bom.json", format: "CycloneDX", components: 1 }],
    });
    expect(await evidenceOf(record)).toEqual(Buffer.from(sbom));
  });

  test("more than ten reports are stored in one archive", async () => {
    for (let index = 0; index < 11; index++)
      await job.write(`reports/${index}.xml`, suite(passed).replace("cart", `s${index}`));
    const { record } = await attested({ name: "unit", "test-results": "reports/*.xml" });
    const tar = gunzipSync(await evidenceOf(record)).toString("latin1");
    expect(tar.match(/<testsuite name="s\d+">/g)).toHaveLength(11);
  });
});

describe("the recommended kind for each record", () => {
  const sbom = JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components: [] });

  test("tests, a scan and an SBOM are recorded with the type that a template requires", async () => {
    const template = `version: 1
trail:
  attestations:
    - {name: tests, type: junit}
    - {name: findings, type: generic}
    - {name: bill, type: generic}
`;
    const templateFile = { name: "evidence.yml", content: new Blob([template]) };
    const flow = "words";
    await job.client.createFlowWithTemplate({
      body: { name: flow, description: "" },
      files: { templateFile },
    });
    await job.client.beginTrail({ flowName: flow, body: { name: SHA } });
    await job.write("words/junit.xml", suite(passed));
    await job.write("words/scan.sarif", sarif("7.0"));
    await job.write("words/sbom.cdx.json", sbom);
    const steps: Record<string, string>[] = [
      { name: "tests", kind: "test", "test-results": "words/junit.xml" },
      { name: "findings", kind: "scan", "scan-results": "words/scan.sarif", "fail-level": "critical" },
      { name: "bill", kind: "sbom", attachments: "words/sbom.cdx.json" },
    ];
    for (const inputs of steps) {
      const run = await job.step("attest", { flow, ...inputs });
      expect(run.outputs, run.log).toMatchObject({ status: "recorded", compliant: "true", expected: "true" });
      expect(run.log).toContain(`Recorded ${inputs["kind"]} attestation`);
    }
    const { body } = await job.client.getTrail({ flowName: flow, trailName: SHA });
    expect(body.complianceState).toBe("COMPLIANT");
  });

  test("a scan is evaluated by fail-level, and a template of another type is reported with this advice", async () => {
    await job.write("words/high.sarif", sarif("7.0"));
    const scan = { kind: "scan", flow: "words", "scan-results": "words/high.sarif" };
    const bad = await job.step("attest", { ...scan, name: "findings" });
    expect(bad.outputs["compliant"]).toBe("false");
    const misplaced = await job.step("attest", { ...scan, name: "tests" });
    expect(misplaced.log).toContain("'tests' of type junit: use `kind: test`");
  });

  test("a file that is not an SBOM is not recorded as one", async () => {
    await job.write("words/packages.txt", "a 1.0");
    const run = await job.step("attest", { kind: "sbom", name: "bom", attachments: "words/packages.txt" });
    expect(run.outcome).toBe("failure");
    expect(run.log).toContain("attachments: contain no SBOM in CycloneDX or SPDX: 'packages.txt'");
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

  const gitHub = async () => {
    const { url } = await gitHubServer(
      repository({
        [`/commits/${SHA}/pulls`]: [merged],
        "/pulls/7/commits": [commit],
        "/pulls/7/reviews": [approval],
      }),
    );
    return { api_url: url, token: "gh-token" };
  };

  test("an approved one is recorded as the step shows it, or the reason why it did not count", async () => {
    const kind = "pull_request";
    const [any, enough, tooFew] = await expectVerdicts(
      [
        [{ name: "review", kind }, true],
        [{ name: "review-by-one", kind, "require-approvals": "1" }, true],
        [{ name: "review-by-two", kind, "require-approvals": "2" }, false],
      ],
      await gitHub(),
    );
    const approvers = [{ username: "ada", state: "APPROVED" }];
    const counted = {
      attestationType: kind,
      gitProvider: "github",
      pullRequests: [{ url: merged.html_url, state: "MERGED", approvers }],
    };
    expect(any).toMatchObject(counted);
    expect(enough).toMatchObject(counted);
    expect(tooFew).toMatchObject({ attestationType: kind, pullRequests: [] });
    expect(tooFew?.userData).toEqual({
      pull_requests_not_counted: [merged.html_url],
      review: { agents: [], four_eyes: true, written_with_agents: false },
      why_not: ["pull request #7 has 1 of 2 approvals from people who are not authors of its commits"],
    });
  });
});

describe("data in the format of the API", () => {
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

  const rows: [kind: string, data: unknown, compliant: boolean][] = [
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
  ];

  test("is recorded as the step shows it", async () => {
    const records = await expectVerdicts(
      rows.map(([kind, data, compliant], index) => [{ name: `given-${index}`, kind, data }, compliant]),
    );
    expect(records.map(({ attestationType }) => attestationType)).toEqual(rows.map(([kind]) => kind));
  });
});

test("custom data is evaluated by the service, and the step shows the service's result", async () => {
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
    const { record } = await attested(inputs);
    expect(record).toMatchObject({
      attestationType: "custom:coverage",
      isCompliant: compliant,
      attestationData: { percent },
    });
  }
});

test("an override changes the result of an attestation, and shows the reason", async () => {
  await job.write("junit.xml", suite(failed));
  const before = await attested({ name: "flaky", kind: "junit", "test-results": "junit.xml" });
  expect(before.record.isCompliant).toBe(false);
  const data = JSON.stringify({ reason: "Flaky", original_attestation_type: "junit" });
  const { record } = await attested({ name: "flaky", kind: "override", compliant: "true", data });
  expect(record).toMatchObject({ attestationType: "override", reason: "Flaky", isCompliant: true });
});

test("an artifact is identified by its own fingerprint", async () => {
  await job.write("app.tgz", "built");
  const fingerprint = createHash("sha256").update("built").digest("hex");
  const run = await job.step("attest", { kind: "artifact", name: "app", artifact: "app.tgz" });
  expect(run.outputs).toMatchObject({ status: "recorded", compliant: "", fingerprint });
  const { body } = await job.client.getArtifact({ flowName: "web", fingerprint });
  expect(body).toMatchObject({ fingerprint, filename: "app.tgz" });
});

test("a manifest records a whole build in one step, and its gate passes", async () => {
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
  const flow = { flow: "a-whole-build" };
  await job.step("begin-trail", { ...flow, "flow-template-file": "template.yml" });
  const run = await job.step("attest", { ...flow, manifest: "evidence.yml", artifact: "app.tgz" });
  expect(run.outputs).toMatchObject({ status: "recorded", compliant: "true", trail: SHA });
  const gate = await job.step("assert-artifact", { ...flow, artifact: "app.tgz" });
  expect(gate).toMatchObject({ outcome: "success", outputs: { compliant: "true" } });
});

test("facts are recorded as system types, and are compliant whatever they say", async () => {
  await job.client.createControl({ body: { identifier: "SDLC-9", name: "Tests pass" } });
  const finding = { ruleId: "CVE-1", level: "error", message: { text: "m" } };
  const sarif = { version: "2.1.0", runs: [{ tool: { driver: { name: "Trivy" } }, results: [finding] }] };
  const bom = {
    ...{ bomFormat: "CycloneDX", specVersion: "1.6", components: [{ name: "a" }, { name: "b" }] },
    metadata: { component: { name: "web", version: "1.2" }, tools: [{ name: "syft", version: "1.9.0" }] },
  };
  await job.write("facts/junit.xml", suite(passed, failed));
  await job.write("facts/scan.sarif", JSON.stringify(sarif));
  await job.write("facts/bom.json", JSON.stringify(bom));
  const issue = { issue_id: "A-1", issue_url: "https://jira.example/A-1", issue_exists: false };
  const analysis = {
    ...{
      analysedAt: "2026-01-01T00:00:00Z",
      revision: SHA,
      qualityGate: { status: "ERROR", conditions: [] },
    },
    project: { key: "web", url: "https://sonar.example/web" },
  };
  const facts = (name: string, more: object) => ({ name: `facts-${name}`, record: "facts", ...more });
  const records = await expectVerdicts([
    [facts("junit", { kind: "test", "test-results": "facts/junit.xml" }), true],
    [facts("scan", { kind: "scan", "scan-results": "facts/scan.sarif" }), true],
    [facts("sbom", { kind: "sbom", attachments: "facts/bom.json", annotations: ["team=shop"] }), true],
    [facts("review", { kind: "pull_request", data: { git_provider: "github", pull_requests: [] } }), true],
    [facts("issues", { kind: "jira", data: { jira_results: [issue] } }), true],
    [facts("sonar", { kind: "sonar", data: { sonar_results: analysis } }), true],
    [facts("other", { compliant: "false" }), false],
    [
      {
        name: "facts-decision",
        kind: "decision",
        control: "SDLC-9",
        compliant: "failure",
        data: { by: "ada" },
      },
      false,
    ],
  ]);
  expect(records).toMatchObject([
    {
      attestationType: "system:junit",
      junitResults: [{ name: "cart", failures: 1, errors: 0, total: 2 }],
      hasAuditPackage: true,
    },
    {
      attestationType: "system:sarif",
      sarifResults: { tool: { name: "Trivy" }, results: [{ highCount: 1, mediumCount: 0, lowCount: 0 }] },
    },
    {
      attestationType: "system:sbom",
      attestationData: {
        format: "cyclonedx-1.6",
        original_fingerprint: createHash("sha256").update(JSON.stringify(bom)).digest("hex"),
        document: {
          ...{ package_count: 2, tools: ["syft 1.9.0"], created_at: null },
          subject: { name: "web", version: "1.2", purl: null, sha256: null },
        },
      },
      annotations: { team: "shop", sbom_format: "cyclonedx-1.6", sbom_sha256: expect.any(String) },
      evidenceArchiveFingerprint: createHash("sha256").update(JSON.stringify(bom)).digest("hex"),
    },
    { attestationType: "system:pull_request", gitProvider: "github", pullRequests: [] },
    { attestationType: "system:jira", jiraResults: [{ issueId: "A-1", issueExists: false }] },
    { attestationType: "system:sonar", sonarResults: { quality_gate: { status: "ERROR" } } },
    { attestationType: "system:generic", attestationData: { is_compliant: false } },
    {
      ...{ attestationType: "system:decision", control: "SDLC-9" },
      attestationData: { is_compliant: false, by: "ada" },
    },
  ]);
});

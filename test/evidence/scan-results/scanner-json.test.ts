import { expect, test } from "vitest";
import { snykResults } from "../../../src/evidence/scan-results/snyk-fields.ts";
import { fixture } from "../fixtures/fixture.ts";
import { problemsOf } from "../refusal.ts";
import { scanOf } from "./read.ts";

const read = (content: string | Uint8Array) => scanOf({ "r.sarif": content });
const fixtureOf = (name: string) => fixture(`scan-results/${name}`);

/**
 * Counts of critical, high, medium, low and without severity, as the tool reports them, then the number suppressed by
 * configuration.
 */
test.each<[file: string, tools: string[], counts: number[], suppressed: number]>([
  ["trivy.json", ["Trivy 0.67.0"], [1, 2, 1, 0, 1], 1],
  ["grype.json", ["grype 0.100.0"], [1, 1, 0, 0, 1], 1],
  ["snyk.json", ["Snyk "], [1, 0, 1, 0, 0], 1],
  ["checkov.json", ["Checkov 3.2.490", "Checkov 3.2.490"], [0, 1, 0, 1, 0], 1],
])("%s has the counts of its tool", async (file, tools, [critical, high, medium, low, none], suppressed) => {
  const scan = await read(fixtureOf(file));
  expect(scan.runs.map(({ tool }) => `${tool.name} ${tool.version}`)).toEqual(tools);
  expect(scan.counts).toEqual({ critical, high, medium, low, none });
  expect(scan).toMatchObject({ suppressed, compliant: false, furtherFindings: 0 });
});

test.each<[file: string, ruleId: string, message: string, place: object | undefined, line: object]>([
  [
    "trivy.json",
    "CVE-2021-23337",
    "lodash 4.17.15: command injection via template",
    { uri: "package-lock.json", lines: "" },
    { file: "package-lock.json" },
  ],
  [
    "trivy.json",
    "DS002",
    "Image user should not be 'root': Specify at least 1 USER command",
    { uri: "Dockerfile", lines: "3-4" },
    { file: "Dockerfile", line: 3 },
  ],
  [
    "trivy.json",
    "aws-access-key-id",
    "AWS: AWS Access Key ID",
    { uri: "deploy.env", lines: "7" },
    { file: "deploy.env", line: 7 },
  ],
  [
    "grype.json",
    "GHSA-35jh-r3h4-6jhm",
    "lodash 4.17.15: Command Injection in lodash",
    { uri: "package-lock.json", lines: "" },
    { file: "package-lock.json" },
  ],
  [
    "snyk.json",
    "SNYK-JS-LODASH-567746",
    "lodash@4.17.15: Prototype Pollution",
    { uri: "package-lock.json", lines: "" },
    { file: "package-lock.json" },
  ],
  [
    "checkov.json",
    "CKV_AWS_21",
    "aws_s3_bucket.data: Ensure all data stored in the S3 bucket have versioning enabled",
    { uri: "infra/main.tf", lines: "1-8" },
    { file: "infra/main.tf", line: 1 },
  ],
])("%s describes %s with its location", async (file, ruleId, message, place, location) => {
  const tree = { "package-lock.json": "", infra: { "main.tf": "" }, "r.sarif": fixtureOf(file) };
  const found = (await scanOf(tree)).findings.find((finding) => finding.ruleId === ruleId);
  expect(found).toMatchObject({ message, places: [place], location });
});

test("Snyk's own score is part of the snyk record", async () => {
  const { results } = snykResults(await read(fixtureOf("snyk.json")));
  expect(results[0]).toMatchObject({ highCount: 1, mediumCount: 1, medium: [{ priorityScore: 731 }] });
});

test.each([
  ["Trivy without findings", '{"SchemaVersion": 2, "ArtifactName": "."}'],
  ["Grype without findings", '{"matches": [], "descriptor": {"name": "grype"}}'],
  ["Snyk without findings", '{"ok": true, "vulnerabilities": []}'],
  ["Snyk without infrastructure findings", '{"ok": true, "infrastructureAsCodeIssues": []}'],
  ["Checkov without anything to check", '{"passed": 0, "failed": 0, "checkov_version": "3.2.490"}'],
])("%s is compliant", async (_what, content) => {
  expect(await read(content)).toMatchObject({ compliant: true, reason: "" });
});

test("a project that Snyk could not scan is not compliant, whatever the others are", async () => {
  const projects = [
    { ok: true, vulnerabilities: [] },
    { ok: false, error: "Missing node_modules", path: "." },
  ];
  expect(await read(JSON.stringify(projects))).toMatchObject({
    compliant: false,
    reason: "the scan by Snyk did not succeed: Missing node_modules",
  });
});

test.each([
  ['{"SchemaVersion": 2, "ArtifactName": ".", "Results": {}}', "is incomplete: `Results` is not a list"],
  ['{"matches": [1], "descriptor": {}}', "is incomplete: `matches` is not a list of objects"],
  ['[{"ok": true, "vulnerabilities": []}, 1]', "is incomplete: a project is not an object"],
  [
    '{"check_type": "x", "results": {"failed_checks": []}, "summary": {"failed": 2}}',
    "is incomplete: it counts 2 failed checks but lists 0",
  ],
  [fixtureOf("trivy.json").slice(0, 900), "is not SARIF: the JSON ends"],
  [
    '{"@context": "https://openvex.dev/ns/v0.2.0", "statements": []}',
    "is OpenVEX, which is not supported: give the document to the scanner instead",
  ],
  ['{"bomFormat": "CycloneDX"}', "is an SBOM, which is not supported: attest it with `kind: sbom`"],
  [
    '{"results": [], "paths": {}, "errors": []}',
    "is Semgrep's JSON, which is not supported: let `semgrep scan --sarif",
  ],
  [
    '{"results": [], "metrics": {}, "errors": []}',
    "is Bandit's JSON, which is not supported: let `bandit --format sarif",
  ],
  ['{"Issues": [], "Stats": {}}', "is gosec's JSON, which is not supported: let `gosec -fmt sarif"],
  [
    '{"results": [], "experimental_config": {}}',
    "is OSV-Scanner's JSON, which is not supported: let `osv-scanner --format sarif",
  ],
  [
    '{"reportSchema": "1.1", "scanInfo": {}}',
    "is OWASP Dependency-Check's JSON, which is not supported: let `dependency-check --format SARIF`",
  ],
  ["{}", "most scanners write it with an option such as `--format sarif`"],
])("is rejected with the problem and the fix: %s", async (content, expected) => {
  expect((await problemsOf(read(content)))[0]).toContain(expected);
});

import { describe, expect, test } from "vitest";
import { snykSubmission } from "../../../src/api/resources/attestation-kinds.ts";
import { toWire } from "../../../src/api/wire-names.ts";
import { snykResults } from "../../../src/evidence/scan-results/snyk-fields.ts";
import { fixture } from "../fixtures/fixture.ts";
import { scanOf } from "./read.ts";

describe("the findings of", () => {
  test("CodeQL have the severity of its extension's rules, and the files of its list", async () => {
    const { runs, counts, findings, compliant, reason } = await scanOf({
      "codeql.sarif": fixture("scan-results/codeql.sarif"),
    });
    expect(runs.map(({ tool }) => tool)).toEqual([{ name: "CodeQL", version: "2.23.1" }]);
    expect(counts).toEqual({ critical: 0, high: 1, medium: 0, low: 1, none: 0 });
    expect(findings).toEqual([
      {
        severity: "high",
        ruleId: "js/sql-injection",
        message: "This query string depends on a user-provided value.",
        tool: "CodeQL",
        places: [{ uri: "src/db/users.js", lines: "41" }],
        location: { file: "src/db/users.js", line: 41 },
      },
      {
        severity: "low",
        ruleId: "js/unused-local-variable",
        message: "Unused variable x.",
        tool: "CodeQL",
        places: [{ uri: "src/my page.js", lines: "4" }],
        location: { file: "src/my page.js", line: 4 },
      },
    ]);
    expect({ compliant, reason }).toEqual({
      compliant: false,
      reason: "found 1 high; high or worse fails",
    });
  });

  test("Trivy have the bands of CVSS, and files of the repository though its root is that of the machine", async () => {
    const { counts, findings } = await scanOf({ "trivy.sarif": fixture("scan-results/trivy.sarif") });
    expect(counts).toEqual({ critical: 1, high: 0, medium: 0, low: 1, none: 0 });
    expect(findings.map(({ ruleId, location }) => [ruleId, location])).toEqual([
      ["CVE-2021-44228", { file: "pom.xml", line: 31 }],
      ["CVE-2020-9488", { file: "pom.xml", line: 1 }],
    ]);
    expect(findings[1]?.message).toMatch(/\nLink: CVE-2020-9488$/);
  });

  test("Grype are matched by the id of the rule alone", async () => {
    const { counts, runs } = await scanOf({ "grype.sarif": fixture("scan-results/grype.sarif") });
    expect(counts).toMatchObject({ high: 1, medium: 0 });
    expect(runs[0]?.tool).toEqual({ name: "grype", version: "0.100.0" });
  });

  test("Snyk in two runs are counted by run, without accepted ones", async () => {
    const { runs, suppressed } = await scanOf({ "snyk.sarif": fixture("scan-results/snyk.sarif") });
    expect(
      runs.map(({ tool, counts, suppressed: left }) => [tool.name, counts.high, counts.medium, left]),
    ).toEqual([
      ["Snyk Open Source", 1, 0, 0],
      ["Snyk Code", 0, 0, 1],
    ]);
    expect(suppressed).toBe(1);
  });

  test("Semgrep have the default level of the rule", async () => {
    const { counts, compliant, findings } = await scanOf({
      "semgrep.sarif": fixture("scan-results/semgrep.sarif"),
    });
    expect(counts).toEqual({ critical: 0, high: 0, medium: 1, low: 0, none: 0 });
    expect(compliant).toBe(true);
    expect(findings[0]?.location).toEqual({ file: "app/views.py", line: 27 });
  });
});

test("several tools are one snyk attestation, which counts critical ones as high", async () => {
  const scan = await scanOf({
    "a.sarif": fixture("scan-results/trivy.sarif"),
    "b.sarif": fixture("scan-results/grype.sarif"),
  });
  const wire = toWire(snykSubmission, { attestationName: "scan", snykResults: snykResults(scan) });
  expect(snykSubmission.safeParse(wire).error).toBeUndefined();
  expect(wire).toMatchObject({
    snyk_results: {
      schema_version: 1,
      tool: { name: "Trivy, grype", version: "0.67.0, 0.100.0" },
      results: [
        {
          low_count: 1,
          medium_count: 0,
          high_count: 1,
          low: [{ id: "CVE-2020-9488", locations: [{ uri: "pom.xml", lines: "1" }] }],
          high: [{ id: "CVE-2021-44228", locations: [{ uri: "pom.xml", lines: "31" }] }],
        },
        { low_count: 0, medium_count: 0, high_count: 1, low: [], medium: [] },
      ],
    },
  });
});

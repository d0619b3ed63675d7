import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type RecordedAttestation,
  recordStatement,
} from "../../../../src/evidence/provenance/statements/record-statement.ts";

const sha256 = "a".repeat(64);
const event = { uri: "https://evidence.acme.com/api/v2/log/acme/proof?event_id=1", digest: { sha256 } };
const record: RecordedAttestation = {
  ...{
    name: "unit",
    type: "junit",
    isCompliant: true,
    at: 1_780_000_000,
    event,
    attachments: [],
    fields: {},
  },
  subject: { name: "web", digest: { sha256 } },
};
const time = "2026-05-28T20:26:40Z";
const scan = (found: object) => ({
  ...record,
  fields: { sarif_results: { tool: { name: "Trivy", version: "0.60" }, results: [found] } },
});

test.each<[string, RecordedAttestation, string, object]>([
  [
    "test results",
    {
      ...record,
      isCompliant: false,
      fields: {
        junit_results: [
          { name: "api", failures: 1, errors: 0 },
          { name: "web", failures: 0, errors: 0 },
        ],
      },
    },
    "https://in-toto.io/attestation/test-result/v0.1",
    { result: "FAILED", configuration: [event], passedTests: ["web"], failedTests: ["api"] },
  ],
  [
    "a scan with its findings",
    scan({ low_count: 0, high_count: 1, high: [{ id: "CVE-2026-1" }] }),
    "https://in-toto.io/attestation/vulns/v0.2",
    {
      scanner: {
        ...{ uri: "pkg:generic/Trivy", version: "0.60", db: {} },
        result: [{ id: "CVE-2026-1", severity: [{ method: "Trivy", score: "high" }] }],
      },
      metadata: { scanStartedOn: time, scanFinishedOn: time },
    },
  ],
  [
    "a scan with counts alone",
    scan({ high_count: 3 }),
    "https://delivery-evidence.github.io/toolkit/attestation/v1",
    { name: "unit", type: "junit", isCompliant: true, recordedOn: time, record: event, attachments: [] },
  ],
  [
    "an SBOM of CycloneDX",
    { ...record, sbom: { bomFormat: "CycloneDX", components: [] } },
    "https://cyclonedx.org/bom",
    { bomFormat: "CycloneDX", components: [] },
  ],
  [
    "an SBOM of SPDX",
    { ...record, sbom: { spdxVersion: "SPDX-2.3" } },
    "https://spdx.dev/Document/v2.3",
    { spdxVersion: "SPDX-2.3" },
  ],
])("%s have their predicate", (_, given, predicateType, predicate) => {
  expect(recordStatement(given)).toEqual({
    _type: "https://in-toto.io/Statement/v1",
    subject: [record.subject],
    predicateType,
    predicate,
  });
});

test("any record has a statement with a predicate, whatever its fields", () => {
  const fields = fc.dictionary(
    fc.constantFrom("junit_results", "processed_snyk_results", "sarif_results", "user_data"),
    fc.oneof(
      fc.anything(),
      fc.array(fc.anything()),
      fc.record({ tool: fc.anything(), results: fc.anything() }),
    ),
  );
  fc.assert(
    fc.property(fields, fc.anything(), (given, sbom) => {
      const { predicateType, predicate } = recordStatement({ ...record, fields: given, sbom });
      expect(URL.canParse(predicateType)).toBe(true);
      expect(Object.keys(predicate).length).toBeGreaterThan(0);
    }),
  );
});

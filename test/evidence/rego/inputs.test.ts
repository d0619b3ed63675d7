import { expect, test } from "vitest";
import {
  artifactInput,
  attestationIds,
  snapshotInput,
  trailsInput,
} from "../../../src/evidence/rego/inputs.ts";

const TRAIL = {
  name: "abc",
  compliance_status: {
    status: "COMPLIANT",
    attestations_statuses: [
      { attestation_name: "unit", attestation_id: "1", is_compliant: true, status: "COMPLETE" },
      { attestation_name: "scan", attestation_id: null, is_compliant: null, status: "MISSING" },
    ],
    artifacts_statuses: {
      app: {
        status: "COMPLIANT",
        attestations_statuses: [{ attestation_name: "sbom", attestation_id: "2", is_compliant: false }],
      },
      absent: { status: "MISSING" },
    },
  },
};
const ATTESTATIONS = [
  { attestation_id: "2", attestation_name: "sbom", is_compliant: true, attestation_data: { format: "spdx" } },
  { attestation_id: "1", attestation_name: "unit", junit_results: [{ failures: 0 }] },
  { attestation_id: "0", attestation_name: "unit", junit_results: [{ failures: 7 }] },
];
const DOCUMENT = {
  name: "abc",
  compliance_status: {
    status: "COMPLIANT",
    attestations_statuses: {
      unit: {
        attestation_name: "unit",
        attestation_id: "1",
        is_compliant: true,
        status: "COMPLETE",
        junit_results: [{ failures: 0 }],
      },
      scan: { attestation_name: "scan", attestation_id: null, is_compliant: null, status: "MISSING" },
    },
    artifacts_statuses: {
      app: {
        status: "COMPLIANT",
        attestations_statuses: {
          sbom: {
            attestation_name: "sbom",
            attestation_id: "2",
            is_compliant: false,
            attestation_data: { format: "spdx" },
          },
        },
      },
      absent: { status: "MISSING", attestations_statuses: {} },
    },
  },
};
const RECORDS = { trail: TRAIL, attestations: ATTESTATIONS };

test("a trail has its latest attestations by name, and the fields of their status win", () => {
  expect(trailsInput([RECORDS])).toEqual({ trail: DOCUMENT });
  expect(attestationIds(TRAIL)).toEqual(["1", "2"]);
});

test("several trails are a list in the given order, and of an artifact and a snapshot the record is the input", () => {
  const other = { trail: { name: "other" }, attestations: [] };
  const empty = { name: "other", compliance_status: { attestations_statuses: {}, artifacts_statuses: {} } };
  expect(trailsInput([other, RECORDS])).toEqual({ trails: [empty, DOCUMENT] });
  expect(artifactInput({ fingerprint: "f" }, [RECORDS])).toEqual({
    artifact: { fingerprint: "f", trails: [DOCUMENT] },
  });
  expect(snapshotInput({ index: 3 })).toEqual({ snapshot: { index: 3 } });
  expect(attestationIds(other.trail)).toEqual([]);
});

test("a name of JavaScript's own is an attestation like any other", () => {
  const trail = {
    compliance_status: { attestations_statuses: [{ attestation_name: "__proto__", is_compliant: true }] },
  };
  const text = JSON.stringify(trailsInput([{ trail, attestations: [] }]));
  expect(text).toContain('"attestations_statuses":{"__proto__":{"attestation_name":"__proto__"');
});

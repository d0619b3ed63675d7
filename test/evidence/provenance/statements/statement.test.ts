import { expect, test } from "vitest";
import {
  verificationResult,
  verificationSummary,
} from "../../../../src/evidence/provenance/statements/statement.ts";

const digest = { sha256: "a".repeat(64) };
const verdict = {
  subject: { name: "web", digest },
  verifier: "https://evidence.acme.com/verifier/v1",
  time: 1_780_000_000.9,
  resourceUri: "ghcr.io/acme/web",
  policy: { uri: "https://evidence.acme.com/acme/flows/web", digest },
  inputs: [{ uri: "https://evidence.acme.com/api/v2/log/acme/proof?event_id=1", digest }],
  isCompliant: true,
  properties: ["EVIDENCE_FLOW_COMPLIANT"],
};
const [time, { verifier: id, policy, inputs }] = ["2026-05-28T20:26:40Z", verdict];

test("a verification summary has the fields of SLSA, with properties instead of levels", () => {
  const passed = {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: "web", digest }],
    predicateType: "https://slsa.dev/verification_summary/v1",
    predicate: {
      ...{ verifier: { id }, timeVerified: time, resourceUri: "ghcr.io/acme/web", policy },
      ...{ inputAttestations: inputs, verificationResult: "PASSED" },
      ...{ verifiedLevels: ["EVIDENCE_FLOW_COMPLIANT"], slsaVersion: "1.2" },
    },
  };
  expect(verificationSummary(verdict)).toEqual(passed);
  expect(verificationSummary({ ...verdict, isCompliant: false }).predicate).toEqual({
    ...passed.predicate,
    verificationResult: "FAILED",
    verifiedLevels: ["FAILED"],
  });
});

test("a simple verification result names its policies and the properties that passed", () => {
  expect(verificationResult(verdict)).toEqual({
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: "web", digest }],
    predicateType: "https://in-toto.io/attestation/svr/v0.2",
    predicate: {
      verifier: { id, policies: [policy] },
      timeCreated: time,
      properties: ["EVIDENCE_FLOW_COMPLIANT"],
    },
  });
});

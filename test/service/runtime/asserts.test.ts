import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectRefusal, FP, pipeline } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

const TEMPLATE = `
trail:
  attestations: [{ name: lint, type: generic }]
  artifacts: [{ name: web, attestations: [{ name: unit, type: generic }] }]
`;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

describe("asserting an artifact in its flows", () => {
  it("answers 200 with the result, the evidence and links", async () => {
    const { flow, trail, artifact, attest, assert } = pipeline(service);
    await flow("web", TEMPLATE);
    await trail("web", "t1");
    await artifact("web", "t1");
    await attest("web", "t1", { attestation_name: "unit", artifact_fingerprint: FP });
    const { status, body } = await assert(FP, "?flow_name=web");
    expect(status).toBe(200);
    const expected = {
      flow: "web",
      trail: "t1",
      compliant: false,
      compliance_status: {
        artifact_fingerprint: FP,
        status: "INCOMPLETE",
        is_compliant: false,
        attestations_statuses: [
          {
            attestation_id: expect.stringMatching(/^[a-f0-9-]{30,}$/),
            attestation_name: "unit",
            attestation_type: "generic",
            status: "COMPLETE",
            is_compliant: true,
            unexpected: false,
          },
          {
            attestation_id: null,
            attestation_name: "lint",
            attestation_type: "generic",
            status: "MISSING",
            is_compliant: null,
            unexpected: false,
          },
        ],
        evaluated_at: service.clock.time,
        unexpected: false,
      },
      html_url: expect.stringMatching(
        new RegExp(`^${service.address}/${ORG}/flows/web/artifacts/${FP}\\?artifact_id=[a-f0-9-]{32}$`),
      ),
    };
    expect(body).toEqual({ ...expected, flows: [expected], fingerprint: FP, scope: "flow" });

    await attest("web", "t1", { attestation_name: "lint" });
    const after = (await assert(FP, "?flow_name=web")).body;
    expect([after.compliant, after.compliance_status.status]).toEqual([true, "COMPLIANT"]);
    expect(after.compliance_status.attestations_statuses).toHaveLength(1);
  });

  it("uses the latest trail to which the artifact was reported in a flow", async () => {
    const { artifact, attest, assert } = pipeline(service);
    const fingerprint = "3".repeat(64);
    await artifact("again", "t1", { fingerprint });
    await attest("again", "t1", { is_compliant: false });
    await artifact("again", "t2", { fingerprint });
    const { body } = await assert(fingerprint);
    expect([body.trail, body.compliant, body.flows.length]).toEqual(["t2", true, 1]);
  });

  it("does not see the artifacts of other organizations", async () => {
    const { artifact, assert } = pipeline(service);
    await artifact("web", "t1", { fingerprint: "5".repeat(64) });
    expect((await assert("6".repeat(64))).status).toBe(404);
    expectRefusal(
      await pipeline(service, service.keys.stranger).assert("5".repeat(64)),
      403,
      `Access denied to /api/v2/asserts/${ORG}/fingerprint/${"5".repeat(64)}`,
    );
  });
});

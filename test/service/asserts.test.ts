import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectRefusal, FP, pipeline } from "./requests.ts";
import { ORG, startTestService, type TestService } from "./running-service.ts";

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
  it("answers 200 with the verdict, what it rests on and where to look", async () => {
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
            attestation_name: "unit",
            attestation_type: "generic",
            status: "COMPLETE",
            is_compliant: true,
            unexpected: false,
          },
          {
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

  it("is compliant without a template and without attestations", async () => {
    const { artifact, assert } = pipeline(service);
    await artifact("plain", "t1", { fingerprint: "1".repeat(64) });
    expect((await assert("1".repeat(64))).body).toMatchObject({
      compliant: true,
      compliance_status: { status: "COMPLIANT", attestations_statuses: [], unexpected: true },
    });
  });

  it("is not compliant when one of its flows says so; the flow it was reported to first comes first", async () => {
    const { artifact, attest, assert } = pipeline(service);
    const fingerprint = "2".repeat(64);
    await artifact("first", "t1", { fingerprint });
    await attest("first", "t1", { is_compliant: false, artifact_fingerprint: fingerprint });
    await artifact("second", "t1", { fingerprint });
    const { body } = await assert(fingerprint);
    expect(body.compliant).toBe(false);
    expect(body.flow).toBe("first");
    expect(
      body.flows.map((each: { flow: string; compliant: boolean }) => [each.flow, each.compliant]),
    ).toEqual([
      ["first", false],
      ["second", true],
    ]);
    expect((await assert(fingerprint, "?flow_name=second")).body.compliant).toBe(true);
  });

  it("goes by the latest trail that the artifact was reported to in a flow", async () => {
    const { artifact, attest, assert } = pipeline(service);
    const fingerprint = "3".repeat(64);
    await artifact("again", "t1", { fingerprint });
    await attest("again", "t1", { is_compliant: false });
    await artifact("again", "t2", { fingerprint });
    const { body } = await assert(fingerprint);
    expect([body.trail, body.compliant, body.flows.length]).toEqual(["t2", true, 1]);
  });

  it("of an artifact reported without a trail goes by what its flow asks for", async () => {
    const { flow, artifact, assert } = pipeline(service);
    const fingerprint = "4".repeat(64);
    await flow("strict", TEMPLATE);
    await flow("lax");
    await artifact("strict", undefined, { fingerprint });
    expect((await assert(fingerprint)).body).toMatchObject({ trail: null, compliant: false });
    await artifact("lax", undefined, { fingerprint });
    expect((await assert(fingerprint, "?flow_name=lax")).body).toMatchObject({
      trail: null,
      compliant: true,
    });
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

describe("an assert that cannot be answered", () => {
  it("names what does not exist", async () => {
    const { flow, assert } = pipeline(service);
    const unknown = "f".repeat(64);
    await flow("empty");
    expectRefusal(await assert(unknown), 404, "Artifact not found");
    expectRefusal(
      await assert(unknown, "?flow_name=empty"),
      404,
      `Artifact with fingerprint '${unknown}' does not exist in flow 'empty' belonging to organization '${ORG}'`,
    );
    expectRefusal(
      await assert(unknown, "?flow_name=nowhere"),
      404,
      `Flow named 'nowhere' does not exist for organization '${ORG}'`,
    );
  });

  it("needs a full fingerprint", async () => {
    expect((await pipeline(service).assert("aaaaa")).status).toBe(400);
  });
});

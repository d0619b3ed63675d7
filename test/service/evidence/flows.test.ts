import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMIT, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const createFlow = (json: object) => send(service, { method: "PUT", path: `/flows/${ORG}`, json });
const lint = "trail: {attestations: [{name: lint, type: generic}]}";
/** The requirements of a flow's template for an artifact, read from the gate. */
async function requirements(flow: string): Promise<string[]> {
  const { attest, artifact, assert } = pipeline(service);
  await attest(flow, `probe-${flow}`, { attestation_name: "probe" });
  await artifact(flow, `probe-${flow}`);
  const { body } = await assert(FP, `?flow_name=${flow}`);
  return body.compliance_status.attestations_statuses.map(
    (status: { attestation_name: string; attestation_type: string }) =>
      `${status.attestation_name}:${status.attestation_type}`,
  );
}

describe("creating a flow from names", () => {
  it("requires attestations of any type about the artifact, whatever its name", async () => {
    await createFlow({ name: "sole", description: "", template: ["artifact", "unit"] });
    const { artifact, attest, assert } = pipeline(service);
    await artifact("sole", "t1", { template_reference_name: undefined });
    const { body } = await assert(FP, "?flow_name=sole");
    expect(body.compliance_status).toMatchObject({
      status: "INCOMPLETE",
      unexpected: false,
      attestations_statuses: [{ attestation_name: "unit", attestation_type: "*", status: "MISSING" }],
    });
    await attest("sole", "t1", { target_artifacts: ["artifact"], git_commit_info: { sha1: COMMIT } });
    expect((await assert(FP, "?flow_name=sole")).body.compliant).toBe(true);
  });

  it("requires attestations of the trail when the names do not include the artifact", async () => {
    await createFlow({ name: "trail-only", description: "", template: ["unit"] });
    expect(await requirements("trail-only")).toEqual(["unit:*"]);
  });
});

describe("creating a flow with a template file", () => {
  const { flow } = { flow: (name: string, yaml?: string) => pipeline(service).flow(name, yaml) };

  it("keeps the template of a flow that is updated without one: no requirement is lost by omission", async () => {
    await flow("kept", lint);
    await flow("kept");
    expect(await requirements("kept")).toEqual(["lint:generic"]);
  });

  it("refuses a template and lists its errors", async () => {
    const { status, body } = await flow("bad", "version: 2\ntrail: {attestations: [{name: a.b, kind: x}]}");
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        code: "template.invalid",
        message: "Input payload validation failed",
        errors: {
          "template_file.version": "Input should be '1' [input: 2]",
          "template_file.trail.attestations[0].name":
            "String should match pattern '^[a-zA-Z0-9\\-_,]+$' [input: a.b]",
          "template_file.trail.attestations[0].type": "Field required [input: None]",
          "template_file.trail.attestations[0].kind": "Extra inputs are not permitted [input: x]",
        },
      },
    });
  });
});

describe("starting a trail", () => {
  beforeAll(() => pipeline(service).flow("web", lint));

  it("reports template errors in the message and by field", async () => {
    const { status, body } = await pipeline(service).trail(
      "web",
      "t2",
      {},
      "trail: {attestations: [{name: a, type: generic}, {name: a, type: junit}], extra: 1}",
    );
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        code: "template.invalid",
        message:
          "1 validation error for Template\ntemplate_file.trail.extra\n  Extra inputs are not permitted [input: 1]",
        errors: { "template_file.trail.extra": "Extra inputs are not permitted [input: 1]" },
      },
    });
  });
});

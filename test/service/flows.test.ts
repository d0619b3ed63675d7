import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMIT, expectRefusal, FP, pipeline, send } from "./requests.ts";
import { ORG, startTestService, type TestService } from "./running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const createFlow = (json: object) => send(service, { method: "PUT", path: `/flows/${ORG}`, json });
const lint = "trail: {attestations: [{name: lint, type: generic}]}";
/** What the template of a flow asks of an artifact, seen through the gate. */
async function asked(flow: string): Promise<string[]> {
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
  it("answers 201 when it is new and 200 when it is updated", async () => {
    const flow = { name: "legacy", description: "", template: ["artifact", "unit"] };
    expect(await createFlow(flow)).toMatchObject({ status: 201, body: "OK" });
    expect(await createFlow({ ...flow, description: "again" })).toMatchObject({ status: 200, body: "OK" });
  });

  it("asks for attestations of any type about the artifact, whatever the artifact is called", async () => {
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

  it("asks about the trail when the names do not include the artifact", async () => {
    await createFlow({ name: "trail-only", description: "", template: ["unit"] });
    expect(await asked("trail-only")).toEqual(["unit:*"]);
  });

  it.each([
    [
      { name: "x" },
      { description: "Field required [input: None]", template: "Field required [input: None]" },
    ],
    [
      { name: "-x", description: "", template: [""], visibility: "secret" },
      {
        name: "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9.\\-_~]*$' [input: -x]",
        visibility: "Input should be 'public' or 'private' [input: secret]",
        "template[0]": "String should have at least 1 character [input: ]",
      },
    ],
  ])("refuses %j with what is wrong", async (json, errors) => {
    const { status, body } = await createFlow(json);
    expect({ status, body }).toEqual({
      status: 400,
      body: { message: "Input payload validation failed", errors },
    });
  });
});

describe("creating a flow with a template file", () => {
  const { flow } = { flow: (name: string, yaml?: string) => pipeline(service).flow(name, yaml) };

  it("answers 201, then 200", async () => {
    expect(await flow("templated", "version: 1")).toMatchObject({ status: 201, body: "OK" });
    expect(await flow("templated", lint)).toMatchObject({ status: 200, body: "OK" });
    expect(await asked("templated")).toEqual(["lint:generic"]);
  });

  it("keeps the template of a flow that is updated without one: no demand is lost by leaving it out", async () => {
    await flow("kept", lint);
    await flow("kept");
    expect(await asked("kept")).toEqual(["lint:generic"]);
  });

  it("refuses a template with what is wrong in it", async () => {
    const { status, body } = await flow("bad", "version: 2\ntrail: {attestations: [{name: a.b, kind: x}]}");
    expect({ status, body }).toEqual({
      status: 400,
      body: {
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

  it("refuses YAML that cannot be read, with line and column", async () => {
    const { status, body } = await flow("bad", "version: 1\ntrail: [1\n");
    expect([status, Object.keys(body.errors)]).toEqual([400, ["template_file"]]);
    expect(body.errors.template_file).toMatch(/^Invalid YAML at line \d+, column \d+: /);
  });
});

describe("beginning a trail", () => {
  beforeAll(() => pipeline(service).flow("web", lint));

  it("answers 201 with the address of the trail, and 200 when it is updated", async () => {
    const { trail } = pipeline(service);
    const body = { name: "t1", html_url: `${service.address}/${ORG}/flows/web/trails/t1` };
    expect(await trail("web", "t1", { description: "first" })).toMatchObject({ status: 201, body });
    expect(await trail("web", "t1")).toMatchObject({ status: 200, body });
  });

  it("is refused for a flow that does not exist", async () => {
    expectRefusal(
      await pipeline(service).trail("nowhere", "t1"),
      404,
      `Flow named 'nowhere' does not exist for organization '${ORG}'`,
    );
  });

  it("says what is wrong in a template in the message and by field", async () => {
    const { status, body } = await pipeline(service).trail(
      "web",
      "t2",
      {},
      "trail: {attestations: [{name: a, type: generic}, {name: a, type: junit}], extra: 1}",
    );
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        message:
          "1 validation error for Template\ntemplate_file.trail.extra\n  Extra inputs are not permitted [input: 1]",
        errors: { "template_file.trail.extra": "Extra inputs are not permitted [input: 1]" },
      },
    });
  });

  it("keeps the template it began with when the flow's template changes", async () => {
    const { flow, trail, artifact, assert } = pipeline(service);
    await flow("moving", lint);
    await trail("moving", "before");
    await artifact("moving", "before", { fingerprint: "1".repeat(64) });
    await flow("moving", "version: 1");
    await trail("moving", "before", { description: "updated" });
    await trail("moving", "after");
    await artifact("moving", "after", { fingerprint: "2".repeat(64) });
    expect((await assert("1".repeat(64))).body.compliant).toBe(false);
    expect((await assert("2".repeat(64))).body.compliant).toBe(true);
  });

  it("takes a template of its own, also later", async () => {
    const { trail, artifact, assert } = pipeline(service);
    await trail("web", "own", {}, "version: 1");
    await artifact("web", "own", { fingerprint: "3".repeat(64) });
    expect((await assert("3".repeat(64))).body.compliant).toBe(true);
    await trail("web", "own", {}, lint);
    expect((await assert("3".repeat(64))).body.compliant).toBe(false);
  });
});

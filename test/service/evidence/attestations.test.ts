import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMIT, expectRefusal, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
let flowCount = 0;
/** A flow that no other test uses. */
let flow = "";
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());
const fresh = () => {
  flow = `flow-${++flowCount}`;
  return pipeline(service);
};
const names = (answer: { body: { attestation_name: string }[] }) => answer.body.length;

describe("the subject of an attestation", () => {
  it("a fingerprint must have been reported to the same trail", async () => {
    const { artifact, attest } = fresh();
    await artifact(flow, "other-trail");
    expectRefusal(
      await attest(flow, "t1", { artifact_fingerprint: FP }),
      404,
      `Artifact with fingerprint ${FP} does not exist in trail "t1" of flow "${flow}" belonging to organization "${ORG}"`,
    );
  });

  it("a refused attestation leaves no flow and no trail behind", async () => {
    const { attest, trail } = fresh();
    await attest(flow, "t1", { artifact_fingerprint: FP });
    expect((await trail(flow, "t1")).status).toBe(404);
  });

  it("a target reference by name and commit binds when the artifact is reported later", async () => {
    const { artifact, attest, attestations } = fresh();
    await attest(flow, "t1", { target_artifacts: ["web"], git_commit_info: { sha1: COMMIT } });
    await artifact(flow, "t1");
    expect(names(await attestations(flow))).toBe(1);
  });

  it("a target reference by name and commit binds to an artifact that was reported before", async () => {
    const { artifact, attest, attestations } = fresh();
    await artifact(flow, "t1");
    await attest(flow, "t1", { target_artifacts: ["web"], git_commit_info: { sha1: COMMIT } });
    expect(names(await attestations(flow))).toBe(1);
  });

  it.each([
    ["another commit", { git_commit: "d".repeat(40) }],
    ["another name", { template_reference_name: "api" }],
  ])("a target reference does not bind to an artifact of %s", async (_, more) => {
    const { artifact, attest, attestations } = fresh();
    await attest(flow, "t1", { target_artifacts: ["web"], git_commit_info: { sha1: COMMIT } });
    await artifact(flow, "t1", more);
    expect(names(await attestations(flow))).toBe(0);
  });

  it("a target reference does not bind in another trail", async () => {
    const { artifact, attest, attestations } = fresh();
    await attest(flow, "t1", { target_artifacts: ["web"], git_commit_info: { sha1: COMMIT } });
    await artifact(flow, "t2");
    expect(names(await attestations(flow))).toBe(0);
  });

  it("a fingerprint takes precedence over a target", async () => {
    const { artifact, attest, attestations } = fresh();
    await artifact(flow, "t1");
    await artifact(flow, "t1", { fingerprint: "b".repeat(64) });
    await attest(flow, "t1", {
      artifact_fingerprint: FP,
      target_artifacts: ["web"],
      git_commit_info: { sha1: COMMIT },
    });
    expect(names(await attestations(flow))).toBe(1);
    expect(names(await attestations(flow, "b".repeat(64)))).toBe(0);
  });

  it("without fingerprint and target it is the trail", async () => {
    const { artifact, attest, attestations } = fresh();
    await artifact(flow, "t1");
    await attest(flow, "t1", { git_commit_info: { sha1: COMMIT } });
    expect(names(await attestations(flow))).toBe(0);
  });
});

describe("implicit creation", () => {
  it("creates a trail in a flow with a template, with the requirements of the flow", async () => {
    const { flow: createFlow, artifact, assert } = fresh();
    await createFlow(flow, "trail: {attestations: [{name: lint, type: generic}]}");
    await artifact(flow, "never-begun");
    expect((await assert(FP, `?flow_name=${flow}`)).body.compliant).toBe(false);
  });

  it.each([
    ["flow", { flow: "-x", trail: "t1" }, "flow_name", "^[a-zA-Z0-9][a-zA-Z0-9.\\-_~]*$"],
    ["trail", { flow: "ok", trail: "-x" }, "trail_name", "^[a-zA-Z0-9][a-zA-Z0-9\\-_.~]*$"],
  ])("creates no %s under a name that does not match its pattern", async (_, path, field, pattern) => {
    const { status, body } = await pipeline(service).attest(path.flow, path.trail);
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        code: "request.field_invalid",
        message: "Input payload validation failed",
        errors: { [field]: `String should match pattern '${pattern}' [input: -x]` },
      },
    });
  });
});

describe("reading an artifact's attestations", () => {
  it("returns every field of the newest first", async () => {
    const { artifact, attest, attestations } = fresh();
    await artifact(flow, "t1");
    await attest(flow, "t1", { artifact_fingerprint: FP, is_compliant: false });
    service.clock.time += 1.5;
    const fields = {
      description: "eslint",
      origin_url: "https://ci.example/run/7",
      git_commit_info: {
        sha1: COMMIT,
        author_username: "ann",
        parents: ["p"],
        signature_state: "VALID",
        extra_field: 1,
      },
      annotations: { tool_name: "eslint", "no-camel": "x" },
      user_data: { snake_case: { inner_key: [1, null] } },
    };
    await attest(flow, "t1", {
      artifact_fingerprint: FP,
      ...fields,
      external_urls: {
        plain_one: "https://x.example/a",
        full: { href: "https://x.example/b", fingerprint: FP },
      },
    });
    const { status, body } = await attestations(flow);
    const [newest, older] = body;
    expect([status, body.length, older.is_compliant]).toEqual([200, 2, false]);
    const page = `${service.address}/${ORG}/flows/${flow}/trails/t1?attestation_id=${newest.attestation_id}`;
    expect(newest).toEqual({
      ...fields,
      schema_version: 1,
      attestation_id: expect.stringMatching(/^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{8}$/),
      attestation_name: "unit",
      attestation_type: "generic",
      is_compliant: true,
      created_at: service.clock.time,
      artifact_fingerprint: FP,
      external_urls: {
        plain_one: { href: "https://x.example/a" },
        full: { href: "https://x.example/b", fingerprint: FP },
      },
      has_audit_package: false,
      html_url: page,
      flow_name: flow,
      trail_name: "t1",
      reported_by: "member",
      _links: {
        self: {
          href: `${service.address}/api/v2/attestations/${ORG}?attestation_id=${newest.attestation_id}`,
        },
      },
    });
  });

  it("keeps every digit of the numbers in user data", async () => {
    const { artifact, attestations } = fresh();
    await artifact(flow, "t1");
    const json = `{"attestation_name":"unit","is_compliant":true,"artifact_fingerprint":"${FP}","user_data":{"id":12345678901234567890,"ratio":0.10,"big":1e400}}`;
    await send(service, {
      method: "POST",
      path: `/attestations/${ORG}/${flow}/trail/t1/generic`,
      form: json,
    });
    const answer = await attestations(flow);
    // Parsed, the numbers would lose their digits in this test too.
    expect(answer.text).toContain('"user_data":{"id":12345678901234567890,"ratio":0.10,"big":1e400}');
  });
});

describe("reporting an artifact", () => {
  it("without a trail needs a flow that exists", async () => {
    const { artifact, flow: createFlow } = fresh();
    expectRefusal(
      await artifact(flow, undefined),
      404,
      `Flow named '${flow}' does not exist for organization '${ORG}'`,
    );
    await createFlow(flow);
    expect((await artifact(flow, undefined)).status).toBe(201);
  });

  it("takes the commit from its commit info when none is given", async () => {
    const { artifact, attest, attestations } = fresh();
    await artifact(flow, "t1", { git_commit: undefined, git_commit_info: { sha1: COMMIT } });
    await attest(flow, "t1", { target_artifacts: ["web"], git_commit_info: { sha1: COMMIT } });
    expect(names(await attestations(flow))).toBe(1);
  });
});

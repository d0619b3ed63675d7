import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMIT, expectRefusal, FP, pipeline, send } from "./requests.ts";
import { ORG, startTestService, type TestService } from "./running-service.ts";

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

describe("what an attestation is attached to", () => {
  it("a fingerprint must have been reported to that very trail", async () => {
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

  it("a claim by name and commit binds when the artifact is reported later", async () => {
    const { artifact, attest, attestations } = fresh();
    await attest(flow, "t1", { target_artifacts: ["web"], git_commit_info: { sha1: COMMIT } });
    await artifact(flow, "t1");
    expect(names(await attestations(flow))).toBe(1);
  });

  it("a claim by name and commit binds to an artifact that was reported before", async () => {
    const { artifact, attest, attestations } = fresh();
    await artifact(flow, "t1");
    await attest(flow, "t1", { target_artifacts: ["web"], git_commit_info: { sha1: COMMIT } });
    expect(names(await attestations(flow))).toBe(1);
  });

  it.each([
    ["another commit", { git_commit: "d".repeat(40) }],
    ["another name", { template_reference_name: "api" }],
  ])("a claim does not bind to an artifact of %s", async (_, more) => {
    const { artifact, attest, attestations } = fresh();
    await attest(flow, "t1", { target_artifacts: ["web"], git_commit_info: { sha1: COMMIT } });
    await artifact(flow, "t1", more);
    expect(names(await attestations(flow))).toBe(0);
  });

  it("a claim does not bind in another trail", async () => {
    const { artifact, attest, attestations } = fresh();
    await attest(flow, "t1", { target_artifacts: ["web"], git_commit_info: { sha1: COMMIT } });
    await artifact(flow, "t2");
    expect(names(await attestations(flow))).toBe(0);
  });

  it("a fingerprint decides when there is a target as well", async () => {
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

  it("a target with neither fingerprint nor commit is refused", async () => {
    const { attest } = fresh();
    expectRefusal(
      await attest(flow, "t1", { target_artifacts: ["web", "api"] }),
      400,
      "An attestation for artifact 'web', 'api' requires at least one of: artifact_fingerprint or git_commit_info.",
    );
  });

  it("without fingerprint and target it is the trail's", async () => {
    const { artifact, attest, attestations } = fresh();
    await artifact(flow, "t1");
    await attest(flow, "t1", { git_commit_info: { sha1: COMMIT } });
    expect(names(await attestations(flow))).toBe(0);
  });
});

describe("what is made on the way", () => {
  it("a flow and a trail that do not exist", async () => {
    const { attest, trail } = fresh();
    expect(await attest(flow, "t1")).toMatchObject({ status: 201, body: "OK" });
    expect((await trail(flow, "t1")).status).toBe(200);
  });

  it("a trail in a flow with a template, which then asks for what the flow asks for", async () => {
    const { flow: createFlow, artifact, assert } = fresh();
    await createFlow(flow, "trail: {attestations: [{name: lint, type: generic}]}");
    await artifact(flow, "never-begun");
    expect((await assert(FP, `?flow_name=${flow}`)).body.compliant).toBe(false);
  });

  it.each([
    ["flow", { flow: "-x", trail: "t1" }, "flow_name", "^[a-zA-Z0-9][a-zA-Z0-9.\\-_~]*$"],
    ["trail", { flow: "ok", trail: "-x" }, "trail_name", "^[a-zA-Z0-9][a-zA-Z0-9\\-_.~]*$"],
  ])("but no %s under a name that is against its pattern", async (_, path, field, pattern) => {
    const { status, body } = await pipeline(service).attest(path.flow, path.trail);
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        message: "Input payload validation failed",
        errors: { [field]: `String should match pattern '${pattern}' [input: -x]` },
      },
    });
  });
});

describe("reading an artifact's attestations", () => {
  it("gives every field of the newest first", async () => {
    const { artifact, attest, attestations } = fresh();
    await artifact(flow, "t1");
    await attest(flow, "t1", { artifact_fingerprint: FP, is_compliant: false });
    service.clock.time += 1.5;
    const said = {
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
      ...said,
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
      ...said,
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

  it("takes the start of a fingerprint, as long as it means one artifact", async () => {
    const { artifact, attest, attestations } = fresh();
    const other = `aaaaab${"0".repeat(58)}`;
    await artifact(flow, "t1");
    await artifact(flow, "t1", { fingerprint: other, filename: "other" });
    await attest(flow, "t1", { artifact_fingerprint: other });
    expect(names(await attestations(flow, "aaaaab"))).toBe(1);
    expect(names(await attestations(flow, "aaaaaa"))).toBe(0);
    expectRefusal(
      await attestations(flow, "aaaaa"),
      400,
      "Fingerprint prefix 'aaaaa' matches 2 artifacts: give more characters",
    );
  });

  it("says which of flow and artifact does not exist", async () => {
    const { artifact, attestations } = fresh();
    expectRefusal(
      await attestations("nowhere"),
      404,
      `Flow named 'nowhere' does not exist for organization '${ORG}'`,
    );
    await artifact(flow, "t1");
    expectRefusal(
      await attestations(flow, "bbbbb"),
      404,
      `Artifact with fingerprint 'bbbbb' does not exist in flow '${flow}' belonging to organization '${ORG}'`,
    );
  });

  it("refuses what cannot be a fingerprint", async () => {
    const { status, body } = await pipeline(service).attestations("web", "AAAA");
    expect([status, body.errors]).toEqual([
      400,
      { fingerprint: "String should match pattern '^[a-f0-9]{5,64}$' [input: AAAA]" },
    ]);
  });
});

describe("an attestation that breaks a rule", () => {
  it.each([
    [
      { attestation_name: "a b" },
      { attestation_name: "String should match pattern '^[a-zA-Z0-9\\-_,]+$' [input: a b]" },
    ],
    [
      { is_compliant: "yes" },
      { is_compliant: "Input should be a valid boolean, unable to interpret input [input: yes]" },
    ],
    [{ extra: 1 }, { extra: "Extra inputs are not permitted [input: 1]" }],
    [{ origin_url: "" }, { origin_url: "Input should be a valid URL, input is empty [input: ]" }],
    [
      { origin_url: "javascript:alert(1)" },
      { origin_url: "URL scheme should be 'http' or 'https' [input: javascript:alert(1)]" },
    ],
    [{ git_commit_info: { message: "m" } }, { "git_commit_info.sha1": "Field required [input: None]" }],
    [
      { external_urls: { a: { href: "x" } } },
      { "external_urls.a.href": "Input should be a valid URL [input: x]" },
    ],
    [
      { external_urls: { a: 5 } },
      { "external_urls.a": "Input should be a valid dictionary or a valid string [input: 5]" },
    ],
    [
      { external_urls: { "a.b": "https://x.example" } },
      { "external_urls.a.b": "String should match pattern '^[^=.]+$' [input: a.b]" },
    ],
    [
      { annotations: { "a b": "x" } },
      { "annotations.a b": "String should match pattern '^[A-Za-z0-9_-]+$' [input: a b]" },
    ],
    [{ user_data: "x" }, { user_data: "Input should be a valid dictionary or a valid list [input: x]" }],
    [
      { target_artifacts: ["a.b"] },
      { "target_artifacts[0]": "String should match pattern '^[a-zA-Z0-9\\-_,]+$' [input: a.b]" },
    ],
  ])("%j is refused with the field and the reason", async (more, errors) => {
    const { status, body } = await pipeline(service).attest("web", "t1", more);
    expect({ status, body }).toEqual({
      status: 400,
      body: { message: "Input payload validation failed", errors },
    });
  });
});

describe("reporting an artifact", () => {
  it("answers 201 and makes flow and trail", async () => {
    const { artifact, trail } = fresh();
    expect(await artifact(flow, "t1")).toMatchObject({ status: 201, body: { message: "OK" } });
    expect((await trail(flow, "t1")).status).toBe(200);
  });

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

  it("takes the commit from its commit info when it is not given by itself", async () => {
    const { artifact, attest, attestations } = fresh();
    await artifact(flow, "t1", { git_commit: undefined, git_commit_info: { sha1: COMMIT } });
    await attest(flow, "t1", { target_artifacts: ["web"], git_commit_info: { sha1: COMMIT } });
    expect(names(await attestations(flow))).toBe(1);
  });

  it("is refused when fields are missing", async () => {
    const { status, body } = await send(service, { method: "POST", path: `/artifacts/${ORG}/web`, json: {} });
    expect([status, Object.keys(body.errors)]).toEqual([
      400,
      ["fingerprint", "filename", "build_url", "commit_url"],
    ]);
  });
});

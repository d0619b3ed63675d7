import { describe, expect, it } from "vitest";
import { pipeline, textFile } from "./pipeline.ts";
import { expectRefusal } from "./refusal.ts";
import {
  invalidBodies,
  invalidQueries,
  namePattern,
  ORDINARY_NAME,
  pagingEdges,
  REQUIRED,
} from "./tables.ts";
import { conformance } from "./target.ts";
import { someCommit, someFingerprint, unique } from "./unique.ts";

const target = await conformance("trails");
const { client, ask, org } = target;
const { flow, trail, artifact, attest, delivered } = pipeline(target);
const flowName = await flow();

const unknownFlow = (name: string) => `Flow named '${name}' does not exist for organization '${org}'`;
const unknownTrail = (name: string, within: string) =>
  `Trail with name '${name}' does not exist for Organization '${org}' and Flow '${within}'`;
const beginning = (name = unique("trail")) => ({ params: { flow_name: flowName }, body: { name } });

const TEMPLATE = `version: 1
trail:
  attestations: [{ name: review, type: "*" }]
  artifacts:
    - name: web
      attestations: [{ name: unit, type: generic }]
`;

describe("beginning a trail", () => {
  it("answers 201 for a new one and 200 for an update, which keeps what is not said", async () => {
    const name = unique("trail");
    const origin = {
      sha1: someCommit(),
      message: "m",
      author: "A <a@example.org>",
      branch: "main",
      timestamp: 5,
    };
    const told = {
      name,
      description: "d",
      originUrl: "https://ci.example/7",
      gitCommitInfo: origin,
      userData: { snake_case: [1] },
      externalUrls: { report: { href: "https://x.example/r" }, plain: "https://x.example/p" },
    };
    expect((await client.beginTrail({ flowName, body: told })).status).toBe(201);
    expect((await client.beginTrail({ flowName, body: { name } })).status).toBe(200);
    const { body } = await client.getTrail({ flowName, trailName: name });
    expect(body).toMatchObject({
      ...told,
      externalUrls: { report: { href: "https://x.example/r" }, plain: { href: "https://x.example/p" } },
      complianceState: "COMPLIANT",
      isCompliant: true,
      flow: { name: flowName },
    });
    expect(body.htmlUrl).toContain(`/${org}/flows/${flowName}/trails/${name}`);
  });

  it("clears a description that is given empty", async () => {
    const name = unique("trail");
    await client.beginTrail({ flowName, body: { name, description: "d" } });
    await client.beginTrail({ flowName, body: { name, description: "" } });
    expect((await client.getTrail({ flowName, trailName: name })).body.description).toBe("");
  });

  it("keeps the template of its time, and takes one of its own", async () => {
    const own = unique("flow");
    const file = (text: string) => ({ templateFile: textFile("t.yml", text) });
    await client.createFlowWithTemplate({ body: { name: own, description: "" }, files: file(TEMPLATE) });
    const early = await trail(own);
    await client.createFlowWithTemplate({
      body: { name: own, description: "" },
      files: file("version: 1\n"),
    });
    const { body } = await client.getTrail({ flowName: own, trailName: early });
    expect(body).toMatchObject({ complianceState: "INCOMPLETE", isCompliant: false });
    expect(body.template).toMatchObject({ version: 1, content: TEMPLATE });
    expect(body.complianceStatus).toMatchObject({
      status: "INCOMPLETE",
      attestationsStatuses: [
        {
          attestationName: "review",
          attestationType: "*",
          attestationId: null,
          status: "MISSING",
          isCompliant: null,
          unexpected: false,
        },
      ],
      artifactsStatuses: { web: { artifactFingerprint: null, status: "MISSING" } },
    });
    const late = await trail(own);
    const state = async (trailName: string) =>
      (await client.getTrail({ flowName: own, trailName })).body.complianceState;
    expect(await state(late)).toBe("COMPLIANT");
    await client.beginTrail({ flowName: own, body: { name: late }, files: file(TEMPLATE) });
    expect(await state(late)).toBe("INCOMPLETE");
  });

  it("is refused for a flow that does not exist", async () => {
    const none = unique("none");
    await expectRefusal(client.beginTrail({ flowName: none, body: { name: "t" } }), 404, unknownFlow(none));
  });

  it("refuses a template that is no template, counting what is wrong", async () => {
    const files = { template_file: { name: "t.yml", text: "other: 1\n" } };
    await expectRefusal(
      ask("beginTrail", { ...beginning(), files }),
      400,
      /^1 validation errors? for Template/,
    );
  });

  it("ignores unknown fields", async () => {
    expect((await ask("beginTrail", { ...beginning(), body: { name: unique("t"), other: 1 } })).status).toBe(
      201,
    );
  });

  namePattern(target, "beginTrail", "name", ORDINARY_NAME, (build) => beginning(build(unique("trail"))));
  invalidBodies(target, "beginTrail", beginning, [
    [{ name: undefined }, "name", REQUIRED],
    [{ description: 7 }, "description", "Input should be a valid string"],
    [{ origin_url: "" }, "origin_url", "Input should be a valid URL, input is empty [input: ]"],
    [{ origin_url: "x" }, "origin_url", "Input should be a valid URL"],
    [{ git_commit_info: { message: "m" } }, "git_commit_info.sha1", REQUIRED],
    [{ repo_info: { name: "o/r" } }, "repo_info.url", REQUIRED],
    [{ repo_info: { url: "https://x.example" } }, "repo_info.name", REQUIRED],
    [{ external_urls: { "a.b": "https://x.example" } }, "external_urls.a.b", "String should match pattern"],
    [{ external_urls: { a: { href: "x" } } }, "external_urls.a.href", "Input should be a valid URL"],
    [{ user_data: "x" }, "user_data", "Input should be a valid dictionary"],
  ]);
});

describe("reading a trail", () => {
  it("tells what happened to it, oldest first", async () => {
    const made = await delivered();
    await attest(made, false);
    const { body } = await client.getTrail({ flowName: made.flow, trailName: made.trail });
    expect(body.events?.map(({ type }) => type)).toEqual([
      "trail_reported",
      "artifact_creation_reported",
      "artifact_attestation_reported",
    ]);
    expect(body).toMatchObject({ complianceState: "NON-COMPLIANT", isCompliant: false });
    expect(body.complianceStatus.artifactsStatuses?.["web"]).toMatchObject({
      artifactFingerprint: made.fingerprint,
      status: "NON-COMPLIANT",
      unexpected: true,
    });
  });

  it("is refused for a flow or trail that does not exist", async () => {
    const none = unique("none");
    await expectRefusal(client.getTrail({ flowName: none, trailName: none }), 404, unknownFlow(none));
    await expectRefusal(client.getTrail({ flowName, trailName: none }), 404, unknownTrail(none, flowName));
  });
});

describe("listing trails", () => {
  it("of a flow gives a bare list without per_page, and pages with it", async () => {
    const own = await flow();
    const [older, newer] = [await trail(own), await trail(own)];
    expect((await client.listFlowTrails({ flowName: own })).body).toMatchObject([
      { name: newer },
      { name: older },
    ]);
    const { body } = await client.listFlowTrails({ flowName: own, page: 2, perPage: 1 });
    expect(body).toMatchObject({
      data: [{ name: older }],
      pagination: { total: 2, page: 2, perPage: 1, pageCount: 2 },
    });
  });

  it("of a flow is refused when there is none", async () => {
    const none = unique("none");
    await expectRefusal(client.listFlowTrails({ flowName: none }), 404, unknownFlow(none));
  });

  it("of all flows goes by flow, by tag of the flow and by fingerprint", async () => {
    const made = await delivered();
    await trail(made.flow);
    await artifact(await flow(), unique("trail"));
    const value = unique("tag");
    await client.updateTags({
      resourceType: "flow",
      resourceId: made.flow,
      body: { setTags: { kind: value } },
    });
    const named = async (query: object) => (await client.listTrails(query)).body.data.map(({ name }) => name);
    expect(await named({ flow: made.flow })).toHaveLength(2);
    expect(await named({ flowTag: `kind=${value}` })).toHaveLength(2);
    expect(await named({ fingerprint: made.fingerprint })).toEqual([made.trail]);
    expect(await named({ fingerprint: someFingerprint() })).toEqual([]);
  });

  it("of all flows counts 20 per page unless told otherwise", async () => {
    const { body } = await client.listTrails({});
    expect(body.pagination).toMatchObject({ page: 1, perPage: 20 });
  });

  pagingEdges(target, "listTrails", () => ({}), { max: 100 });
  pagingEdges(target, "listFlowTrails", () => ({ params: { flow_name: flowName } }), { max: 100 });
  invalidQueries(target, "listTrails", () => ({}), [
    [{ per_page: 1.5 }, "per_page", "Input should be a valid integer"],
  ]);
});

describe("the audit package of a trail", () => {
  it("is a gzip archive", async () => {
    const made = await delivered();
    const { body } = await client.getTrailAuditPackage({ flowName: made.flow, trailName: made.trail });
    expect(body.mediaType).toMatch(/gzip/);
    expect([...body.content.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  });

  it("is refused for a trail that does not exist", async () => {
    const none = unique("none");
    const call = client.getTrailAuditPackage({ flowName, trailName: none });
    await expectRefusal(call, 404, unknownTrail(none, flowName));
  });
});

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Delivered, pipeline, textFile } from "./pipeline.ts";
import { expectRefusal } from "./refusal.ts";
import {
  EXTRA,
  invalidBodies,
  invalidQueries,
  namePattern,
  ORDINARY_NAME,
  PATTERN,
  pagingEdges,
  REQUIRED,
} from "./tables.ts";
import { conformance } from "./target.ts";
import { someCommit, someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { flow, trail, artifact, attest, delivered, environment, report } = pipeline(target);
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

describe("starting a trail", () => {
  it("answers 201 for a new one and 200 for an update, which keeps omitted fields", async () => {
    const name = unique("trail");
    const origin = {
      sha1: someCommit(),
      message: "m",
      author: "A <a@example.org>",
      branch: "main",
      timestamp: 5,
    };
    const given = {
      name,
      description: "d",
      originUrl: "https://ci.example/7",
      gitCommitInfo: origin,
      userData: { snake_case: [1] },
      externalUrls: { report: { href: "https://x.example/r" }, plain: "https://x.example/p" },
    };
    expect((await client.beginTrail({ flowName, body: given })).status).toBe(201);
    expect((await client.beginTrail({ flowName, body: { name } })).status).toBe(200);
    const { body } = await client.getTrail({ flowName, trailName: name });
    expect(body).toMatchObject({
      ...given,
      externalUrls: { report: { href: "https://x.example/r" }, plain: { href: "https://x.example/p" } },
      complianceState: "COMPLIANT",
      isCompliant: true,
      flow: { name: flowName },
    });
    expect(body.htmlUrl).toContain(`/${org}/flows/${flowName}/trails/${name}`);
  });

  it("clears an empty description", async () => {
    const name = unique("trail");
    await client.beginTrail({ flowName, body: { name, description: "d" } });
    await client.beginTrail({ flowName, body: { name, description: "" } });
    expect((await client.getTrail({ flowName, trailName: name })).body.description).toBe("");
  });

  it("keeps the template of its start, and accepts its own", async () => {
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

  it("refuses an invalid template and counts its errors", async () => {
    const files = { template_file: { name: "t.yml", text: "other: 1\n" } };
    await expectRefusal(
      ask("beginTrail", { ...beginning(), files }),
      400,
      /^1 validation errors? for Template/,
    );
  });

  it("counts an unknown type of attestation as more than one error", async () => {
    for (const place of [
      "trail: { attestations: SLOT }",
      "trail: { artifacts: [{ name: web, attestations: SLOT }] }",
    ]) {
      const text = `version: 1\n${place.replace("SLOT", "[{ name: lint, type: nope }]")}\n`;
      const call = ask("beginTrail", { ...beginning(), files: { template_file: { name: "t.yml", text } } });
      await expectRefusal(call, 400, /^\d+ validation errors for Template\n/);
    }
  });

  it("ignores unknown fields, and keeps those of the commit", async () => {
    const name = unique("t");
    const commit = { sha1: someCommit(), signature_state: "VALID", verified: true, reviewed: "twice" };
    const body = { name, git_commit_info: commit, other: 1 };
    expect((await ask("beginTrail", { ...beginning(), body })).status).toBe(201);
    const stored = await ask("getTrail", { params: { flow_name: flowName, trail_name: name } });
    expect(stored.body.git_commit_info).toEqual(commit);
    expect(stored.body).not.toHaveProperty("other");
  });

  it("accepts user data of any shape, and replaces it as a whole", async () => {
    const name = unique("t");
    const store = async (userData: Record<string, unknown> | unknown[]) => {
      await client.beginTrail({ flowName, body: { name, userData } });
      return (await client.getTrail({ flowName, trailName: name })).body.userData;
    };
    expect(await store([1, { a: null }])).toEqual([1, { a: null }]);
    expect(await store({ b: 2 })).toEqual({ b: 2 });
    expect(await store({})).toEqual({});
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
    [
      { external_urls: { a: { href: "https://x.example", fingerprint: "x" } } },
      "external_urls.a.fingerprint",
      PATTERN,
    ],
    [{ external_urls: { a: { href: "https://x.example", other: 1 } } }, "external_urls.a.other", EXTRA],
    [{ repo_info: { name: "o/r", url: "x" } }, "repo_info.url", "Input should be a valid URL"],
    [
      { repo_info: { name: "o/r", url: "https://x.example", namespace_path: "o" } },
      "repo_info.namespace_path",
      "Input should be a valid list",
    ],
    [{ user_data: "x" }, "user_data", "Input should be a valid dictionary"],
  ]);
});

describe("reading a trail", () => {
  it("returns its events, oldest first", async () => {
    const built = await delivered();
    await attest(built, false);
    const { body } = await client.getTrail({ flowName: built.flow, trailName: built.trail });
    expect(body.events?.map(({ type }) => type)).toEqual([
      "trail_reported",
      "artifact_creation_reported",
      "artifact_attestation_reported",
    ]);
    expect(body).toMatchObject({ complianceState: "NON-COMPLIANT", isCompliant: false });
    expect(body.complianceStatus.artifactsStatuses?.["web"]).toMatchObject({
      artifactFingerprint: built.fingerprint,
      status: "NON-COMPLIANT",
      unexpected: true,
    });
  });

  it("returns the subject of each event", async () => {
    const [own, name, repoId] = [await flow(TEMPLATE), unique("trail"), unique("id")];
    const repoInfo = { name: unique("o/repo"), url: "https://github.com/o/repo", id: repoId };
    const gitCommitInfo = { sha1: someCommit(), message: "m", author: "A <a@example.org>", branch: "main" };
    const began = { name, description: "first", repoInfo, gitCommitInfo, userData: { a: 1 } };
    await client.beginTrail({ flowName: own, body: began });
    const attest = (attestationName: string, more: object) =>
      client.attestGeneric({
        flowName: own,
        trailName: name,
        body: { attestationName, isCompliant: true, ...more },
      });
    await attest("review", {});
    await attest("unit", { targetArtifacts: ["web"], gitCommitInfo });
    const { fingerprint } = await artifact(own, name);
    await attest("lint", { artifactFingerprint: fingerprint, isCompliant: false });
    const envName = await environment();
    await report(envName, [fingerprint]);
    await report(envName, []);
    await client.recordApproval({
      flowName: own,
      body: { artifactFingerprint: fingerprint, description: "d", srcCommitList: [gitCommitInfo.sha1] },
    });
    await client.beginTrail({ flowName: own, body: { name, description: "second" } });

    const { body } = await client.getTrail({ flowName: own, trailName: name });
    const attested = { attestation_type: "generic", attestation_id: expect.any(String) };
    const ran = {
      artifact_fingerprint: fingerprint,
      environment_id: expect.any(String),
      environment_name: envName,
      template_reference_name: "web",
    };
    expect(body.events).toMatchObject([
      {
        type: "trail_reported",
        git_commit_info: { sha1: gitCommitInfo.sha1 },
        repo_info: { repo_id: repoId, name: repoInfo.name, provider: "github", namespace_path: null },
        trail_data_json: { name, description: "first", user_data: '{"a":1}', repo_ids: body.repoIds },
      },
      {
        type: "trail_attestation_reported",
        ...attested,
        is_compliant: true,
        template_reference_name: "review",
      },
      { type: "trail_attestation_for_artifact_reported", ...attested, target_artifact: "web" },
      {
        type: "artifact_creation_reported",
        artifact_fingerprint: fingerprint,
        artifact_name: "web:1.2",
        artifact_id: expect.any(String),
        template_reference_name: "web",
      },
      {
        type: "artifact_attestation_reported",
        ...attested,
        is_compliant: false,
        artifact_fingerprint: fingerprint,
        target_artifact: "web",
      },
      { type: "artifact_started_running", ...ran, snapshot_index: 1 },
      { type: "artifact_stopped_running", ...ran, snapshot_index: 2 },
      { type: "artifact_approval_reported", artifact_fingerprint: fingerprint, approval_number: 1 },
      { type: "trail_updated", changes: ["description"], trail_data_json: { description: "second" } },
    ]);
    const common = { org_id: expect.any(String), flow_id: expect.any(String), trail_id: expect.any(String) };
    for (const event of body.events ?? []) {
      expect(event).toMatchObject({ ...common, timestamp: expect.any(Number) });
      expect(event).toHaveProperty("git_commit_info");
      expect(event).toHaveProperty("repo_info");
    }
  });

  it("names the template it started with, and the time of its evaluation", async () => {
    const own = await flow(TEMPLATE);
    const [first, second] = [await trail(own), await trail(own)];
    const statusOf = async (trailName: string) =>
      (await client.getTrail({ flowName: own, trailName })).body.complianceStatus;
    const { flowTemplateId, evaluatedAt, artifactsStatuses } = await statusOf(first);
    expect(flowTemplateId).toMatch(/^[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{8}$/);
    expect(artifactsStatuses?.["web"]).toMatchObject({ flowTemplateId, evaluatedAt });
    expect((await statusOf(first)).evaluatedAt).toBe(evaluatedAt);
    expect((await statusOf(second)).flowTemplateId).toBe(flowTemplateId);
  });

  it("is refused for a flow or trail that does not exist", async () => {
    const none = unique("none");
    await expectRefusal(client.getTrail({ flowName: none, trailName: none }), 404, unknownFlow(none));
    await expectRefusal(client.getTrail({ flowName, trailName: none }), 404, unknownTrail(none, flowName));
  });
});

describe("listing trails", () => {
  it("returns a long list in slices, which equals its pages", async () => {
    const own = await flow();
    await Promise.all(Array.from({ length: 120 }, () => trail(own)));
    const pages = await Promise.all(
      [1, 2, 3].map((page) => client.listFlowTrails({ flowName: own, page, perPage: 40 })),
    );
    const data = pages.flatMap(({ body }) => (Array.isArray(body) ? [] : body.data));
    expect(data).toHaveLength(120);
    expect((await client.listFlowTrails({ flowName: own })).body).toEqual(data);
    const pagination = { total: 120, page: 1, perPage: 1_000, pageCount: 1 };
    expect((await client.listFlowTrails({ flowName: own, perPage: 1_000 })).body).toEqual({
      data,
      pagination,
    });
    expect((await client.listTrails({ flow: own, perPage: 1_000 })).body).toEqual({ data, pagination });
    expect((await client.listTrails({ flow: own, perPage: 1_000, count: false })).body).toEqual({ data });
  });

  it("of a flow returns a bare list without per_page, and pages with it", async () => {
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

  it("of an unknown flow is refused", async () => {
    const none = unique("none");
    await expectRefusal(client.listFlowTrails({ flowName: none }), 404, unknownFlow(none));
  });

  it("of all flows is filtered by flow, by tag of the flow and by fingerprint", async () => {
    const built = await delivered();
    await trail(built.flow);
    await artifact(await flow(), unique("trail"));
    const value = unique("tag");
    await client.updateTags({
      resourceType: "flow",
      resourceId: built.flow,
      body: { setTags: { kind: value } },
    });
    const named = async (query: object) => (await client.listTrails(query)).body.data.map(({ name }) => name);
    expect(await named({ flow: built.flow })).toHaveLength(2);
    expect(await named({ flowTag: `kind=${value}` })).toHaveLength(2);
    expect(await named({ fingerprint: built.fingerprint })).toEqual([built.trail]);
    expect(await named({ fingerprint: someFingerprint() })).toEqual([]);
  });

  it("is filtered by state", async () => {
    const own = await flow("version: 1\ntrail: { attestations: [{ name: unit, type: generic }] }\n");
    const [passed, failed, waiting] = [await trail(own), await trail(own), await trail(own)];
    const unit = (trailName: string, isCompliant: boolean) =>
      client.attestGeneric({ flowName: own, trailName, body: { attestationName: "unit", isCompliant } });
    await unit(passed, true);
    await unit(failed, false);
    for (const [complianceState, name] of [
      ["COMPLIANT", passed],
      ["NON-COMPLIANT", failed],
      ["INCOMPLETE", waiting],
    ] as const) {
      const expected = { data: [{ name, complianceState }], pagination: { total: 1 } };
      expect((await client.listTrails({ flow: own, complianceState })).body).toMatchObject(expected);
      const ofFlow = await client.listFlowTrails({ flowName: own, complianceState, perPage: 5 });
      expect(ofFlow.body).toMatchObject(expected);
    }
  });

  it("counts none in an empty list", async () => {
    const { body } = await client.listTrails({ fingerprint: someFingerprint() });
    expect(body).toEqual({ data: [], pagination: { total: 0, page: 1, perPage: 20, pageCount: 0 } });
    const own = await flow();
    expect((await client.listFlowTrails({ flowName: own })).body).toEqual([]);
    const paged = await client.listFlowTrails({ flowName: own, perPage: 1 });
    expect(paged.body).toEqual({ data: [], pagination: { total: 0, page: 1, perPage: 1, pageCount: 0 } });
  });

  it("of all flows returns 20 per page by default", async () => {
    const { body } = await client.listTrails({});
    expect(body.pagination).toMatchObject({ page: 1, perPage: 20 });
  });

  pagingEdges(target, "listTrails", () => ({}), { max: 1_000 });
  pagingEdges(target, "listFlowTrails", () => ({ params: { flow_name: flowName } }), { max: 1_000 });
  invalidQueries(target, "listTrails", () => ({}), [
    [{ per_page: 1.5 }, "per_page", "Input should be a valid integer"],
  ]);
});

describe("the audit page of a trail", () => {
  const page = async (built: Delivered) =>
    (await client.downloadTrailAuditPdf({ flowName: built.flow, trailName: built.trail })).body;

  it("is HTML with the records, which runs and loads nothing, and has the same bytes each time", async () => {
    const built = await delivered("version: 1\ntrail: { attestations: [{ name: unit, type: generic }] }\n");
    const name = await attest(built);
    const description = "<script>alert(1)</script> \u202eПроверка 検証";
    const file = textFile("見本 <b>.txt", "fine");
    const body = { attestationName: "seen", isCompliant: true, description };
    const place = { flowName: built.flow, trailName: built.trail };
    await client.attestGeneric({ ...place, body, files: { attachmentFile: [file] } });
    const seen = {
      attestationName: "seen",
      originalAttestationType: "generic" as const,
      newComplianceStatus: false,
    };
    await client.overrideAttestation({
      ...place,
      body: { ...seen, reason: "was wrong" },
    });
    const { mediaType, content, name: fileName } = await page(built);
    expect([mediaType, fileName]).toEqual(["text/html; charset=utf-8", `${built.flow}-${built.trail}.html`]);
    const text = Buffer.from(content).toString("utf8");
    for (const part of [
      ...[`Audit of trail ${built.trail}`, built.fingerprint, built.commit, name, "Non-compliant"],
      ...["Reason: was wrong", "MISSING", "&lt;script&gt;alert(1)&lt;/script&gt; \\u202eПроверка 検証"],
      "見本 &lt;b&gt;.txt",
      createHash("sha256").update("fine").digest("hex"),
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/<script|<img|<link|src=|url\(|@import/);
    expect(text).toContain("default-src 'none'");
    expect(Buffer.from((await page(built)).content).toString("utf8")).toBe(text);
  });

  it("is refused for a trail that does not exist", async () => {
    const none = unique("none");
    const call = client.downloadTrailAuditPdf({ flowName, trailName: none });
    await expectRefusal(call, 404, unknownTrail(none, flowName));
  });
});

describe("the audit package of a trail", () => {
  it("is a gzip archive", async () => {
    const built = await delivered();
    const { body } = await client.getTrailAuditPackage({ flowName: built.flow, trailName: built.trail });
    expect(body.mediaType).toMatch(/gzip/);
    expect([...body.content.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  });

  it("is refused for a trail that does not exist", async () => {
    const none = unique("none");
    const call = client.getTrailAuditPackage({ flowName, trailName: none });
    await expectRefusal(call, 404, unknownTrail(none, flowName));
  });
});

import { describe, expect, it } from "vitest";
import { artifactBody, pipeline } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { invalidBodies, namePattern, PATTERN, pagingEdges, REQUIRED } from "./tables.ts";
import { conformance, type WireRequest } from "./target.ts";
import { someCommit, someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { flow, trail, artifact, attest, delivered } = pipeline(target);
const flowName = await flow();

const unknownFlow = (name: string) => `Flow named '${name}' does not exist for organization '${org}'`;
const unknownArtifact = (fingerprint: string) =>
  `Artifact with fingerprint '${fingerprint}' does not exist in flow '${flowName}' belonging to organization '${org}'`;
const report = (): WireRequest & { body: object } => ({
  params: { flow_name: flowName },
  body: {
    fingerprint: someFingerprint(),
    filename: "web:1.2",
    build_url: "https://ci.example/7",
    commit_url: "https://git.example/c/1",
    trail_name: unique("trail"),
  },
});

describe("reporting an artifact", () => {
  it("creates the missing flow and trail", async () => {
    const [own, trailName] = [unique("flow"), unique("trail")];
    const body = artifactBody({ trailName, fingerprint: someFingerprint(), commit: someCommit() });
    const reply = await client.reportArtifact({ flowName: own, body });
    expect([reply.status, reply.body]).toEqual([201, { message: "OK" }]);
    expect((await client.getTrail({ flowName: own, trailName })).body.name).toBe(trailName);
  });

  it("a second time records another report of the same artifact", async () => {
    const built = await delivered();
    const id = async () =>
      (await client.getArtifact({ flowName: built.flow, fingerprint: built.fingerprint })).body.id;
    const first = await id();
    await artifact(built.flow, await trail(built.flow), built.fingerprint);
    expect(await id()).not.toBe(first);
  });

  it.each([
    ["to a trail", {}],
    ["to the flow only", { trail_name: null }],
  ])("%s under the flow's former name is a repeat only while nothing else was reported", async (_, more) => {
    const [old, now] = [await flow(), unique("renamed")];
    const { body } = report();
    const send = (flow_name: string, other = {}) =>
      ask("reportArtifact", { params: { flow_name }, body: { ...body, ...more, ...other } });
    expect((await send(old)).status).toBe(201);
    await client.renameFlow({ flowName: old, body: { newName: now } });
    expect((await send(old)).headers["idempotent-replayed"]).toBe("true");
    expect((await send(now, { filename: "web:1.3" })).status).toBe(201);
    expect((await send(old)).headers).not.toHaveProperty("idempotent-replayed");

    await client.createFlow({ body: { name: old, description: "", template: [] } });
    expect((await send(old)).headers).not.toHaveProperty("idempotent-replayed");
    const { body: reported } = await client.listArtifacts({ flowName: old });
    expect(reported).toHaveLength(1);
  });

  it("ignores unknown fields and accepts empty optional ones", async () => {
    const right = report();
    const more = {
      other: 1,
      repo_url: "",
      git_commit: null,
      description: null,
      template: ["artifact"],
      annotations: { "any key": { any: "value" } },
    };
    expect((await ask("reportArtifact", { ...right, body: { ...right.body, ...more } })).status).toBe(201);
  });

  invalidBodies(target, "reportArtifact", report, [
    [{ fingerprint: undefined }, "fingerprint", REQUIRED],
    [{ fingerprint: "a".repeat(63) }, "fingerprint", PATTERN],
    [{ fingerprint: "A".repeat(64) }, "fingerprint", PATTERN],
    [{ fingerprint: `sha256:${"a".repeat(64)}` }, "fingerprint", PATTERN],
    [{ filename: undefined }, "filename", REQUIRED],
    [{ filename: "" }, "filename", "String should have at least 1 character"],
    [{ repo_url: "x" }, "repo_url", "Input should be a valid URL"],
    [{ annotations: "x" }, "annotations", "Input should be a valid dictionary"],
    [{ external_urls: { "a.b": "https://x.example" } }, "external_urls.a.b", PATTERN],
    [{ build_url: undefined }, "build_url", REQUIRED],
    [{ build_url: "" }, "build_url", "Input should be a valid URL, input is empty [input: ]"],
    [{ commit_url: undefined }, "commit_url", REQUIRED],
    [{ commit_url: "x" }, "commit_url", "Input should be a valid URL"],
    [{ git_commit: "abc" }, "git_commit", PATTERN],
    [{ git_commit_info: {} }, "git_commit_info.sha1", REQUIRED],
    [{ commits_list: [{}] }, "commits_list[0].sha1", REQUIRED],
    [{ is_compliant: "yes" }, "is_compliant", "Input should be a valid boolean"],
    [{ user_data: 7 }, "user_data", "Input should be a valid dictionary"],
  ]);
  namePattern(
    target,
    "reportArtifact",
    "trail_name",
    { within: ".-_~", never: "/:,", plainStart: true },
    (build) => ({ ...report(), body: { ...report().body, trail_name: build(unique("trail")) } }),
  );
  namePattern(
    target,
    "reportArtifact",
    "template_reference_name",
    { within: "-_", never: ".~/,", plainStart: false },
    (build) => ({ ...report(), body: { ...report().body, template_reference_name: build("web") } }),
  );
});

describe("getting an artifact", () => {
  it("by its whole fingerprint or the start of it", async () => {
    const built = await delivered();
    for (const fingerprint of [built.fingerprint, built.fingerprint.slice(0, 12)]) {
      const { body } = await client.getArtifact({ flowName: built.flow, fingerprint });
      expect(body).toMatchObject({
        fingerprint: built.fingerprint,
        filename: "web:1.2",
        flowName: built.flow,
        trailName: built.trail,
        templateReferenceName: "web",
        gitCommit: built.commit,
        buildUrl: "https://ci.example/run/7",
        state: "COMPLIANT",
        running: [],
        exited: [],
      });
      expect(body.id).toMatch(/^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{8}$/);
      expect(body.createdAt).toMatch(/^\d+(\.\d+)?$/);
      expect(body.apiUrl).toContain(
        `/api/v2/artifacts/${org}/${built.flow}/fingerprint/${built.fingerprint}`,
      );
    }
  });

  it("shows the latest evidence of each name, and the resulting state", async () => {
    const built = await delivered();
    const name = await attest(built, false);
    const { body } = await client.getArtifact({ flowName: built.flow, fingerprint: built.fingerprint });
    expect(body.state).toBe("NON-COMPLIANT");
    expect(body.evidence?.[name]).toMatchObject({ evidenceType: "generic", isCompliant: false });
  });

  it("shows the content of its evidence, by kind", async () => {
    const { flow: own, trail: trailName, fingerprint } = await delivered();
    const about = { flowName: own, trailName };
    const results = [{ name: "s", failures: 0, errors: 0, skipped: 0, total: 1, duration: 1 }];
    const found = {
      tool: { name: "snyk", version: "1" },
      results: [{ lowCount: 0, mediumCount: 0, highCount: 0 }],
    };
    const issues = [{ issueId: "A-1", issueUrl: "https://j.example/A-1", issueExists: true }];
    const pulls = [{ url: "https://x.example/1", state: "merged", mergeCommit: "", approvers: ["bob"] }];
    const named = (attestationName: string) => ({ attestationName, artifactFingerprint: fingerprint });
    await client.attestJunit({ ...about, body: { ...named("unit"), junitResults: results } });
    await client.attestSnyk({ ...about, body: { ...named("scan"), snykResults: found } });
    await client.attestJira({ ...about, body: { ...named("issues"), jiraResults: issues } });
    const asked = { gitProvider: "gitlab", pullRequests: pulls } as const;
    await client.attestPullRequest({ ...about, body: { ...named("pulls"), ...asked, pullRequests: pulls } });
    const { body } = await client.getArtifact({ flowName: own, fingerprint });
    expect(body.evidence).toMatchObject({
      unit: { evidenceType: "junit", junitResults: results },
      scan: { evidenceType: "snyk", snykResults: found },
      issues: { evidenceType: "jira", jiraResults: issues },
      pulls: { evidenceType: "pull_request", ...asked },
    });
  });

  it("as it was reported to one trail", async () => {
    const built = await delivered();
    await artifact(built.flow, await trail(built.flow), built.fingerprint);
    const { body } = await client.getArtifact({
      flowName: built.flow,
      fingerprint: built.fingerprint,
      trail: built.trail,
    });
    expect(body.trailName).toBe(built.trail);
  });

  it("is refused if the start matches several, or is not a valid start", async () => {
    const start = someFingerprint().slice(0, 10);
    const trailName = await trail(flowName);
    await artifact(flowName, trailName, start.padEnd(64, "1"));
    await artifact(flowName, trailName, start.padEnd(64, "2"));
    const call = client.getArtifact({ flowName, fingerprint: start });
    await expectRefusal(call, 400, `Fingerprint prefix '${start}' matches 2 artifacts: give more characters`);
    for (const bad of ["ab12", "AB12C", "a".repeat(65), "xyz12"]) {
      const params = { flow_name: flowName, fingerprint: bad };
      await expectInvalid(ask("getArtifact", { params }), { fingerprint: PATTERN });
    }
  });

  it("is refused for a flow or artifact that does not exist", async () => {
    const [none, fingerprint] = [unique("none"), someFingerprint()];
    await expectRefusal(client.getArtifact({ flowName: none, fingerprint }), 404, unknownFlow(none));
    await expectRefusal(client.getArtifact({ flowName, fingerprint }), 404, unknownArtifact(fingerprint));
  });

  it("is refused for an unknown trail, and for one that it was not reported to", async () => {
    const [built, none] = [await delivered(), unique("none")];
    const get = (more: object) =>
      client.getArtifact({ flowName: built.flow, fingerprint: built.fingerprint, ...more });
    const message = `Trail with name '${none}' does not exist for Organization '${org}' and Flow '${built.flow}'`;
    await expectRefusal(get({ trail: none }), 404, message);
    const missing = `Artifact with fingerprint '${built.fingerprint}' does not exist in flow '${built.flow}' belonging to organization '${org}'`;
    await expectRefusal(get({ trail: await trail(built.flow) }), 404, missing);
    await expectRefusal(get({ attestationId: "00000000-0000-0000-0000-00000000" }), 404, missing);
  });

  it("as it was reported to the trail of an attestation", async () => {
    const built = await delivered();
    const attestationName = await attest(built);
    await artifact(built.flow, await trail(built.flow), built.fingerprint);
    const { flow: own, fingerprint } = built;
    const found = await client.getArtifactAttestation({ flowName: own, fingerprint, attestationName });
    const attestationId = found.body[0]?.attestationId ?? "";
    const { body } = await client.getArtifact({ flowName: own, fingerprint, attestationId });
    expect(body.trailName).toBe(built.trail);
  });

  it("refuses an invalid attestation id", async () => {
    const params = { flow_name: flowName, fingerprint: someFingerprint() };
    const call = ask("getArtifact", { params, query: { attestation_id: "7" } });
    await expectInvalid(call, { "query.attestation_id": PATTERN });
  });
});

describe("the history of an artifact", () => {
  const historyOf = async (flowName: string, fingerprint: string) =>
    (await client.getArtifact({ flowName, fingerprint })).body.history?.map(({ event }) => event);

  it("starts with its report under its name in the template", async () => {
    const built = await delivered();
    const name = await attest(built);
    expect(await historyOf(built.flow, built.fingerprint)).toEqual([
      "web reported",
      `generic attestation '${name}' reported as compliant`,
    ]);
  });

  it("is not empty without a trail, or without a name in a template", async () => {
    const flowName = await flow();
    const { trailName: _, ...body } = artifactBody({
      trailName: "",
      fingerprint: someFingerprint(),
      commit: someCommit(),
    });
    await client.reportArtifact({ flowName, body });
    expect(await historyOf(flowName, body.fingerprint)).toEqual(["web reported"]);
    const unnamed = { ...body, fingerprint: someFingerprint(), templateReferenceName: null };
    for (const trailName of [undefined, unique("trail")]) {
      await client.reportArtifact({ flowName, body: { ...unnamed, ...(trailName && { trailName }) } });
      expect(await historyOf(flowName, unnamed.fingerprint)).toEqual(["web:1.2 reported"]);
    }
  });
});

describe("getting artifacts by commit", () => {
  it("returns all artifacts built from it, by the whole or a part of it", async () => {
    const built = await delivered();
    for (const commitSha of [built.commit, built.commit.slice(0, 10)]) {
      const { body } = await client.getArtifactsByCommit({ flowName: built.flow, commitSha });
      expect(body).toMatchObject([{ fingerprint: built.fingerprint, gitCommit: built.commit }]);
    }
  });

  it("returns none if nothing was built from it, and is refused for an invalid commit", async () => {
    expect((await client.getArtifactsByCommit({ flowName, commitSha: someCommit() })).body).toEqual([]);
    for (const commit_sha of ["ab12", "AB12C", "a".repeat(41)]) {
      const params = { flow_name: flowName, commit_sha };
      await expectInvalid(ask("getArtifactsByCommit", { params }), { commit_sha: PATTERN });
    }
  });

  it("in one trail returns those that were reported to it", async () => {
    const [built, none] = [await delivered(), unique("none")];
    const get = async (trailName: string) =>
      client.getArtifactsByCommit({ flowName: built.flow, commitSha: built.commit, trail: trailName });
    expect((await get(built.trail)).body).toHaveLength(1);
    expect((await get(await trail(built.flow))).body).toEqual([]);
    await expectRefusal(get(none), 404, /^Trail with name /);
  });

  it("is refused for a flow that does not exist", async () => {
    const none = unique("none");
    const call = client.getArtifactsByCommit({ flowName: none, commitSha: someCommit() });
    await expectRefusal(call, 404, unknownFlow(none));
  });
});

describe("listing artifacts", () => {
  it("of a flow is newest first, in both list formats", async () => {
    const own = await flow();
    const trailName = await trail(own);
    const [older, newer] = [await artifact(own, trailName), await artifact(own, trailName)];
    const expected = [{ fingerprint: newer.fingerprint }, { fingerprint: older.fingerprint }];
    expect((await client.listArtifacts({ flowName: own })).body).toMatchObject(expected);
    expect((await client.listFlowArtifacts({ flowName: own })).body).toMatchObject(expected);
    expect((await client.listArtifacts({ flowName: own, page: 2, perPage: 1 })).body).toMatchObject(
      expected.slice(1),
    );
  });

  it("of a repository, where an empty name means all", async () => {
    const [own, repo, fingerprint] = [await flow(), unique("o/repo"), someFingerprint()];
    const body = {
      ...artifactBody({ trailName: unique("trail"), fingerprint, commit: someCommit() }),
      repoInfo: { name: repo, url: `https://github.com/${repo}` },
    };
    await client.reportArtifact({ flowName: own, body });
    expect((await client.listArtifacts({ repoName: repo })).body).toMatchObject([{ fingerprint }]);
    expect((await client.listArtifacts({ repoName: "" })).body.length).toBeGreaterThan(0);
    await expectRefusal(client.listArtifacts({ repoName: unique("none") }), 404, /^Repo '.*' not found$/);
  });

  it("is refused for an unknown flow, and for an invalid flow name", async () => {
    const none = unique("none");
    await expectRefusal(client.listFlowArtifacts({ flowName: none }), 404, unknownFlow(none));
    await expectInvalid(ask("listArtifacts", { query: { flow_name: "a b" } }), {
      "query.flow_name": PATTERN,
    });
  });

  it("returns 15 per page by default", async () => {
    const built = await delivered();
    for (let count = 1; count < 16; count++) await artifact(built.flow, built.trail);
    expect((await client.listFlowArtifacts({ flowName: built.flow })).body).toHaveLength(15);
  });

  pagingEdges(target, "listArtifacts", () => ({}), { max: 100, isCut: true });
  pagingEdges(target, "listFlowArtifacts", () => ({ params: { flow_name: flowName } }), {
    ...{ max: 100, isCut: true },
  });
});

describe("an invalid flow name", () => {
  it.each([
    "getArtifact",
    "getArtifactsByCommit",
    "listFlowArtifacts",
    "getLatestCommit",
    "getArtifactAuditPackage",
  ] as const)("is refused by %s", async (operation) => {
    const params = { flow_name: "a b", fingerprint: someFingerprint(), commit_sha: someCommit() };
    await expectInvalid(ask(operation, { params }), { flow_name: PATTERN });
  });
});

describe("the latest commit before an artifact", () => {
  it("is that of the artifact reported before it, on its branch if one is given", async () => {
    const own = await flow();
    const trailName = await trail(own);
    const [older, newer] = [await artifact(own, trailName), await artifact(own, trailName)];
    const latest = async (fingerprint: string, more: object = {}) =>
      (await client.getLatestCommit({ flowName: own, fingerprint, ...more })).body.latestCommit;
    expect(await latest(newer.fingerprint)).toBe(older.commit);
    expect(await latest(newer.fingerprint, { branch: "main" })).toBe(older.commit);
    expect(await latest(newer.fingerprint, { branch: "other" })).toBeNull();
    expect(await latest(older.fingerprint)).toBeNull();
  });

  it("is refused for a flow that does not exist", async () => {
    const none = unique("none");
    const call = client.getLatestCommit({ flowName: none, fingerprint: someFingerprint() });
    await expectRefusal(call, 404, unknownFlow(none));
  });
});

describe("the audit package of an artifact", () => {
  it("is a gzip archive", async () => {
    const built = await delivered();
    const { body } = await client.getArtifactAuditPackage({
      flowName: built.flow,
      fingerprint: built.fingerprint,
    });
    expect([...body.content.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  });

  it("is refused for an artifact that does not exist", async () => {
    const fingerprint = someFingerprint();
    const call = client.getArtifactAuditPackage({ flowName, fingerprint });
    await expectRefusal(call, 404, unknownArtifact(fingerprint));
  });
});

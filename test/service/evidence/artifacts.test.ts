import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMIT, expectRefusal, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const get = (path: string) => send(service, { path });
const ID = expect.stringMatching(/^[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{8}$/);
const unknownArtifact = (prefix: string) =>
  `Artifact with fingerprint '${prefix}' does not exist in flow 'web' belonging to organization '${ORG}'`;
const pod = (digests: object) => ({ podName: "p", namespace: "n", digests, creationTimestamp: 1 });
const template = `trail:
  artifacts: [{name: web, attestations: [{name: unit, type: generic}, {name: scan, type: snyk}]}]
`;
const commit = { sha1: COMMIT, message: "m", author: "A <a@x.example>", branch: "main", timestamp: 7 };

beforeAll(async () => {
  const { flow, artifact, attest, environment, report } = pipeline(service);
  await flow("web", template);
  await artifact("web", "v1", {
    git_commit_info: commit,
    repo_info: { name: "acme/web", url: "https://github.com/acme/web", id: "42" },
    external_urls: { board: "https://x.example/b" },
    annotations: { tool: "make" },
    user_data: { is_mine: 1 },
    description: "the site",
  });
  await attest("web", "v1", { artifact_fingerprint: FP, is_compliant: false });
  service.clock.time += 1;
  await attest(
    "web",
    "v1",
    { artifact_fingerprint: FP, origin_url: "https://ci.example/8", user_data: { passed: 9 } },
    [{ name: "log.txt", content: "fine" }],
  );
  for (const name of ["prod", "stage", "test"]) await environment(name);
  await report("prod", [pod({ "web:1": FP })]);
  await report("stage", [pod({ "web:1": FP })]);
  await report("stage", [pod({ "other:1": "b".repeat(64) })]);
});

describe("getting an artifact", () => {
  it("returns all its fields", async () => {
    const time = service.clock.time;
    const { status, body } = await get(`/artifacts/${ORG}/web/fingerprint/${FP}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: ID,
        flow_name: "web",
        trail_name: "v1",
        template_reference_name: "web",
        fingerprint: FP,
        filename: "web:1.2",
        git_commit: COMMIT,
        git_commit_info: commit,
        repo_info: {
          name: "acme/web",
          id: "42",
          url: "https://github.com/acme/web",
          description: null,
          provider: "github",
          namespace_path: null,
          additional_info: null,
        },
        commit_url: "https://git.example/c/1",
        build_url: "https://ci.example/run/7",
        repo_url: null,
        html_url: `${service.address}/${ORG}/flows/web/artifacts/${FP}?artifact_id=${body.id}`,
        api_url: `${service.address}/api/v2/artifacts/${ORG}/web/fingerprint/${FP}`,
        created_at: String(time - 1),
        last_modified_at: String(time - 1),
        description: "the site",
        user_data: { is_mine: 1 },
        external_urls: { board: { href: "https://x.example/b" } },
        annotations: { tool: "make" },
        state: "INCOMPLETE",
        state_info: "missing: 'scan'",
        template: ["unit", "scan"],
        deployments: [],
        releases: [],
        approvals: [],
        evidence: {
          unit: {
            evidence_type: "generic",
            is_compliant: true,
            build_url: "https://ci.example/8",
            evidence_archive_fingerprint: expect.stringMatching(/^[a-f0-9]{64}$/),
            user_data: { passed: 9 },
            created_at: String(time),
            description: null,
            has_audit_package: true,
            evidence_url: null,
            evidence_fingerprint: null,
            commit_sha: null,
            snyk_results: null,
            junit_results: null,
            jira_results: null,
            git_provider: null,
            pull_requests: null,
          },
        },
        running: [{ environment_name: "prod", snapshot_index: 1 }],
        exited: [{ environment_name: "stage", snapshot_index: 2 }],
        history: expect.arrayContaining([
          { event: "web reported", timestamp: time - 1 },
          { event: "generic attestation 'unit' reported as non-compliant", timestamp: time - 1 },
          { event: "generic attestation 'unit' reported as compliant", timestamp: time },
          { event: "Started running in prod#1", timestamp: time },
          { event: "Stopped running in stage#2", timestamp: time },
        ]),
        commit_lead_times: {},
        build_lead_times: {},
      },
    });
  });

  it("accepts the start of a fingerprint if it is unambiguous", async () => {
    const { artifact } = pipeline(service);
    await artifact("web", "twins", { fingerprint: `cafe1${"0".repeat(59)}` });
    await artifact("web", "twins", { fingerprint: `cafe1${"1".repeat(59)}` });
    const read = (prefix: string) => get(`/artifacts/${ORG}/web/fingerprint/${prefix}`);
    expect((await read("aaaaa")).body.fingerprint).toBe(FP);
    expect((await read("cafe10")).status).toBe(200);
    expectRefusal(
      await read("cafe1"),
      400,
      "Fingerprint prefix 'cafe1' matches 2 artifacts: give more characters",
    );
    expectRefusal(await read("beef1"), 404, unknownArtifact("beef1"));
  });

  it("returns the report to the requested trail, or the latest", async () => {
    const { artifact, attest } = pipeline(service);
    const fingerprint = "1".repeat(64);
    await artifact("web", "early", { fingerprint, filename: "early" });
    await attest("web", "early", { artifact_fingerprint: fingerprint });
    await artifact("web", "late", { fingerprint, filename: "late" });
    const named = async (query = "") =>
      (await get(`/artifacts/${ORG}/web/fingerprint/${fingerprint}${query}`)).body.filename;
    const [attestation] = (await pipeline(service).attestations("web", fingerprint)).body;
    expect(await named()).toBe("late");
    expect(await named("?trail=early")).toBe("early");
    expect(await named(`?attestation_id=${attestation.attestation_id}`)).toBe("early");
    expectRefusal(
      await get(`/artifacts/${ORG}/web/fingerprint/${fingerprint}?trail=v1`),
      404,
      unknownArtifact(fingerprint),
    );
    const elsewhere = `?trail=late&attestation_id=${attestation.attestation_id}`;
    expect((await get(`/artifacts/${ORG}/web/fingerprint/${fingerprint}${elsewhere}`)).status).toBe(404);
    const unknown = "?attestation_id=00000000-0000-0000-0000-00000000";
    expect((await get(`/artifacts/${ORG}/web/fingerprint/${fingerprint}${unknown}`)).status).toBe(404);
  });

  it("returns one that was reported to the flow only", async () => {
    const fingerprint = "2".repeat(64);
    await pipeline(service).artifact("web", undefined, { fingerprint });
    expect((await get(`/artifacts/${ORG}/web/fingerprint/${fingerprint}`)).body).toMatchObject({
      trail_name: null,
      state: "INCOMPLETE",
      history: [{ event: "web reported", timestamp: expect.any(Number) }],
    });
  });
});

describe("getting artifacts by their commit", () => {
  const sha1 = `5afe${"0".repeat(36)}`;
  const of = async (path: string) =>
    (await get(`/artifacts/${ORG}/commits/commit_sha/${path}`)).body.map(
      (a: { filename: string }) => a.filename,
    );

  it("returns them newest first, also by the start of the commit and in one trail", async () => {
    const { flow, artifact } = pipeline(service);
    await flow("commits");
    await artifact("commits", "a", { filename: "one", git_commit: sha1 });
    await artifact("commits", "b", { filename: "two", git_commit: sha1, fingerprint: "3".repeat(64) });
    await artifact("commits", "b", { filename: "three" });
    expect(await of(sha1)).toEqual(["two", "one"]);
    expect(await of(sha1.slice(0, 7))).toEqual(["two", "one"]);
    expect(await of(`${sha1}?trail=a`)).toEqual(["one"]);
    expect(await of("0".repeat(40))).toEqual([]);
  });
});

describe("listing artifacts", () => {
  beforeAll(async () => {
    const { artifact } = pipeline(service);
    const info = { name: "acme/lib", url: "https://github.com/acme/lib", id: "43" };
    for (const filename of ["l1", "l2", "l3"]) {
      const fingerprint = filename === "l2" ? "e".repeat(64) : FP;
      await artifact("listed", "t", {
        filename,
        fingerprint,
        repo_info: filename === "l2" ? info : undefined,
      });
    }
  });
  const names = async (query: string) =>
    (await get(`/artifacts/${ORG}${query}`)).body.map((a: { filename: string }) => a.filename);

  it.each([
    ["?flow_name=listed", ["l3", "l2", "l1"]],
    ["/listed", ["l3", "l2", "l1"]],
    ["?flow_name=listed&per_page=2&page=2", ["l1"]],
    ["/listed?per_page=2&page=2", ["l1"]],
    ["/listed?page=2", []],
    ["?per_page=1", ["l3"]],
    ["?repo_name=acme/lib", ["l2"]],
    ["?repo_name=acme/web&flow_name=listed", []],
    ["?repo_name=&flow_name=listed&per_page=1", ["l3"]],
  ])("returns those of %s", async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it("shows the same fields as a single artifact, without its running instances", async () => {
    const all = (await get(`/artifacts/${ORG}?flow_name=web&per_page=100`)).body;
    const listed = all.find((each: { trail_name: string }) => each.trail_name === "v1");
    const { flow_name, state_info, template, approvals, running, exited, history, ...rest } = (
      await get(`/artifacts/${ORG}/web/fingerprint/${FP}`)
    ).body;
    const { commit_lead_times, build_lead_times, ...shown } = rest;
    expect(listed).toEqual(shown);
  });
});

describe("the latest commit before an artifact", () => {
  const sha = (digit: string) => digit.repeat(40);
  const read = async (fingerprint: string, query = "") =>
    (await get(`/artifacts/${ORG}/history/${fingerprint}/latest_commit${query}`)).body;
  const built = (digit: string, branch: string) =>
    pipeline(service).artifact("history", "t", {
      fingerprint: digit.repeat(64),
      git_commit: sha(digit),
      git_commit_info: { sha1: sha(digit), branch },
    });

  it("is that of the artifact reported before it, or of the last one if it is not reported", async () => {
    for (const [digit, branch] of [
      ["1", "main"],
      ["2", "main"],
      ["3", "side"],
    ] as const)
      await built(digit, branch);
    expect(await read("4".repeat(64))).toEqual({ latest_commit: sha("3") });
    expect(await read("4".repeat(64), "?branch=main")).toEqual({ latest_commit: sha("2") });
    expect(await read("2".repeat(64))).toEqual({ latest_commit: sha("1") });
    expect(await read("2222222")).toEqual({ latest_commit: sha("1") });
    expect(await read("3".repeat(64), "?branch=side")).toEqual({ latest_commit: null });
    expect(await read("1".repeat(64))).toEqual({ latest_commit: null });
  });
});

describe("the running artifacts of a repository", () => {
  const live = async (repo: string) =>
    (await get(`/repos/${ORG}/live-artifacts/${encodeURIComponent(repo)}`)).body;

  it("are those in the latest snapshots", async () => {
    const body = await live("acme/web");
    const [artifact] = body._embedded.artifacts;
    const [environment] = body._embedded.environments;
    expect(artifact).toMatchObject({
      id: ID,
      fingerprint: FP,
      commit_sha: COMMIT,
      commit_url: "https://git.example/c/1",
    });
    expect(environment).toMatchObject({ id: ID, name: "prod", type: "K8S" });
    expect(body.live_artifacts).toEqual([
      {
        environment_id: environment.id,
        artifact_id: artifact.id,
        artifact_name: "web:1",
        snapshot_index: 1,
        compliance: null,
        started_at: service.clock.time,
        _links: { snapshot: { href: `${service.address}/api/v2/snapshots/${ORG}/prod/1` } },
      },
    ]);
  });

  it("stay the same when the environment changes around them, except for the snapshot", async () => {
    const since = service.clock.time;
    service.clock.time += 100;
    await pipeline(service).report("prod", [pod({ "web:1": FP }), pod({ "more:1": "d".repeat(64) })]);
    const [entry] = (await live("acme/web")).live_artifacts;
    expect(entry).toMatchObject({ snapshot_index: 2, started_at: since });
  });

  it("are filtered by provider if it is given", async () => {
    const path = `/repos/${ORG}/live-artifacts/${encodeURIComponent("acme/web")}`;
    expect((await get(`${path}?provider=github`)).status).toBe(200);
    expectRefusal(await get(`${path}?provider=gitlab`), 404, "Repo 'acme/web' not found");
    expect((await get(`${path}?provider=other`)).status).toBe(400);
    expectRefusal(await get(`/repos/${ORG}/live-artifacts/none`), 404, "Repo 'none' not found");
  });
});

it("an approval is shown with the artifact and on the trail it was last reported to", async () => {
  await pipeline(service).artifact("approved", "t1");
  await pipeline(service).artifact("approved", "t2");
  const approvals = [{ state: "APPROVED", comment: "", approved_by: "ada", approval_url: "" }];
  const answer = await send(service, {
    method: "POST",
    path: `/approvals/${ORG}/approved`,
    json: {
      artifact_fingerprint: FP,
      description: "release",
      src_commit_list: [COMMIT],
      environment: "prod",
      approvals,
    },
  });
  expect(answer.status).toBe(201);
  const { body: artifact } = await get(`/artifacts/${ORG}/approved/fingerprint/${FP}`);
  expect(artifact.approvals).toEqual([1]);
  expect(artifact.history).toContainEqual({
    event: "Approval #1 is APPROVED",
    timestamp: service.clock.time,
  });
  const typesOf = async (trail: string) =>
    (await get(`/trails/${ORG}/approved/${trail}`)).body.events.map((e: { type: string }) => e.type);
  expect(await typesOf("t1")).not.toContain("artifact_approval_reported");
  const { events } = (await get(`/trails/${ORG}/approved/t2`)).body;
  expect(events.at(-1)).toMatchObject({
    type: "artifact_approval_reported",
    artifact_fingerprint: FP,
    approval_id: ID,
    approval_number: 1,
    environment_id: ID,
    state: "APPROVED",
    reviewer: "external://ada",
  });
});

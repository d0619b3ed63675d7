import { afterAll, beforeEach, describe, expect, it } from "vitest";
import {
  approvalsOfArtifact,
  artifactsOfCommits,
  listApprovals,
  requireApproval,
} from "../../../src/service/evidence/approvals/list.ts";
import { approvalNumbers } from "../../../src/service/evidence/artifacts/view.ts";
import { runningCommit } from "../../../src/service/runtime/environments/running-commit.ts";
import { planOf } from "../query-plan.ts";
import { COMMIT, expectRefusal, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeEach(async () => {
  await service?.dispose();
  service = await startTestService();
  await pipeline(service).artifact("web", "t1");
});
afterAll(() => service.dispose());

const OTHER = "b".repeat(64);
const NEWER = "d".repeat(40);
const review = { state: "APPROVED", comment: "go", approved_by: "ada", approval_url: "undefined" };

const record = (more: object = {}, flow = "web") =>
  send(service, {
    method: "POST",
    path: `/approvals/${ORG}/${flow}`,
    json: { artifact_fingerprint: FP, description: "release", src_commit_list: [COMMIT], ...more },
  });
const get = (path: string) => send(service, { path });
const list = (query = "") => get(`/approvals/${ORG}/web${query}`);
const approval = (number: number | string) => get(`/approvals/${ORG}/web/${number}`);
const numbers = (body: { release_number: number }[]) => body.map((each) => each.release_number);

describe("an approval", () => {
  it("is recorded with its review and shown with the artifacts of its commits", async () => {
    await pipeline(service).environment("prod");
    await pipeline(service).artifact("web", "t0", { fingerprint: OTHER, git_commit: NEWER });
    const sent = {
      environment: "prod",
      src_commit_list: [COMMIT, "e".repeat(40)],
      oldest_commit: NEWER,
      approvals: [review],
      user_data: { ticket: 12, id: "x" },
    };
    expect(await record(sent)).toMatchObject({ status: 201, body: "OK" });
    const { body } = await approval(1);
    expect(body).toEqual({
      release_number: 1,
      base_artifact: OTHER,
      artifact_name: "web:1.2",
      target_artifact: FP,
      environment: "prod",
      description: "release",
      src_commit_list: [
        { commit_sha: COMMIT, artifact_fingerprints: [FP] },
        { commit_sha: "e".repeat(40), artifact_fingerprints: [] },
      ],
      created_at: service.clock.time,
      last_modified_at: service.clock.time,
      state: "APPROVED",
      approvals: [{ ...review, approved_by: "external://ada", timestamp: service.clock.time }],
      user_data: { ticket: 12, id: "x" },
    });
    const [listed] = (await list()).body;
    expect(listed).toEqual({ ...body, src_commit_list: sent.src_commit_list });
  });

  it.each([
    [["APPROVED", "UNAPPROVED"], "UNAPPROVED"],
    [["UNAPPROVED", "APPROVED"], "APPROVED"],
  ])("with the reviews %s has the state of the last one", async (states, state) => {
    await record({ approvals: states.map((each) => ({ ...review, state: each })) });
    expect((await approval(1)).body.state).toBe(state);
  });

  it.each([
    ["", "External"],
    ["External", "External"],
    ["ada", "external://ada"],
    ["external://ada", "external://ada"],
  ])("reviewed by '%s' names '%s'", async (given, shown) => {
    await record({ approvals: [{ ...review, approved_by: given }] });
    expect((await approval(1)).body.approvals[0].approved_by).toBe(shown);
  });

  it("sent again with the same Idempotency-Key is recorded once", async () => {
    const path = `/approvals/${ORG}/web`;
    const json = { artifact_fingerprint: FP, description: "", src_commit_list: [] };
    const message = { method: "POST", path, json, headers: { "idempotency-key": "k1" } };
    expect(await send(service, message)).toMatchObject({ status: 201, body: "OK" });
    expect(await send(service, message)).toMatchObject({ status: 201, body: "OK" });
    expect(numbers((await list()).body)).toEqual([1]);
    expect((await send(service, { ...message, json: { ...json, description: "b" } })).status).toBe(422);
  });

  it("sent twice without a key is recorded twice, since neither request claims to be a repeat", async () => {
    await record();
    await record();
    expect(numbers((await list()).body)).toEqual([2, 1]);
  });

  it("keeps the digits of its user data", async () => {
    const path = `/approvals/${ORG}/web`;
    const text = `{"artifact_fingerprint":"${FP}","description":"","src_commit_list":[],"user_data":{"n":9007199254740993}}`;
    await send(service, { method: "POST", path, raw: text, headers: { "content-type": "application/json" } });
    expect((await approval(1)).text).toContain('"user_data":{"n":9007199254740993}');
  });

  it("of something missing is refused, and takes no number", async () => {
    const noFlow = "Flow named 'app' does not exist for organization 'acme'";
    expectRefusal(await record({}, "app"), 404, noFlow);
    const noArtifact = `Artifact with fingerprint '${OTHER}' does not exist in flow 'web' belonging to organization 'acme'`;
    expectRefusal(await record({ artifact_fingerprint: OTHER }), 404, noArtifact);
    const noEnvironment = "Environment named 'prod' does not exist for organization 'acme'";
    expectRefusal(await record({ environment: "prod" }), 404, noEnvironment);
    await record();
    expect(numbers((await list()).body)).toEqual([1]);
  });
});

describe("the approvals of a flow", () => {
  const recordMany = async (count: number) => {
    for (let i = 1; i <= count; i++) await record({ description: `no. ${i}` });
  };

  it("are listed newest first, by page", async () => {
    await recordMany(5);
    expect(numbers((await list()).body)).toEqual([5, 4, 3, 2, 1]);
    expect(numbers((await list("?per_page=2&page=2")).body)).toEqual([3, 2]);
    expect((await list("?per_page=2&page=4")).body).toEqual([]);
  });

  it.each([
    ["page=1", 200],
    ["page=9007199254740991", 200],
    ["page=0", 400],
    ["page=-1", 400],
    ["per_page=1", 200],
    ["per_page=0", 400],
    ["per_page=100", 200],
    ["per_page=101", 400],
  ])("with %s return %i", async (query, status) => {
    expect((await list(`?${query}`)).status).toBe(status);
  });

  it("are counted from the end by negative numbers", async () => {
    await recordMany(3);
    expect((await approval(-1)).body.release_number).toBe(3);
    expect((await approval(-3)).body.release_number).toBe(1);
    for (const number of [0, 4, -4]) {
      const message = `Approval number '${number}' does not exist in flow 'web' belonging to organization 'acme'`;
      expectRefusal(await approval(number), 404, message);
    }
    expect((await approval("1.5")).status).toBe(400);
  });

  it("are numbered from 1 in each flow", async () => {
    await pipeline(service).artifact("app", "t1");
    await recordMany(2);
    await record({}, "app");
    expect(numbers((await get(`/approvals/${ORG}/app`)).body)).toEqual([1]);
    expectRefusal(
      await get(`/approvals/${ORG}/no`),
      404,
      "Flow named 'no' does not exist for organization 'acme'",
    );
  });

  it("are found by an index, in their order", async () => {
    const plan = await planOf(service.dataFolder, async (db) => {
      await listApprovals(db, { flowId: "f", scope: null }, { limit: 20, offset: 20 });
      await approvalsOfArtifact(db, { flowId: "f", fingerprint: FP, scope: null });
      await artifactsOfCommits(db, "f", [COMMIT]);
      await approvalNumbers(db, [{ flow_id: "f", fingerprint: FP }]);
      const flow = { id: "f", name: "f", template: { attestations: [], artifacts: [] } };
      const known = { ...flow, templateSource: null, archivedAt: null };
      await requireApproval(db, { flow: known, orgName: ORG, number: -1, scope: null }).catch(
        () => undefined,
      );
    });
    expect(plan.filter((step) => step.includes("approvals")).length).toBeGreaterThan(2);
    expect(plan.filter((step) => step.startsWith("SCAN"))).toEqual([]);
    expect(plan.filter((step) => step.startsWith("USE TEMP B-TREE FOR ORDER BY"))).toEqual([]);
  });
});

describe("the approvals of an artifact", () => {
  const listed = (fingerprint: string) => get(`/artifacts/${ORG}/web/${fingerprint}/approvals`);

  it("are listed oldest first: the last one decides", async () => {
    await pipeline(service).artifact("web", "t1", { fingerprint: OTHER });
    await record({ approvals: [review] });
    await record({ artifact_fingerprint: OTHER });
    await record({ approvals: [{ ...review, state: "UNAPPROVED" }] });
    const { body } = await listed(FP);
    expect(numbers(body)).toEqual([1, 3]);
    expect(body.at(-1).state).toBe("UNAPPROVED");
    expect(body[0].src_commit_list).toEqual([COMMIT]);
  });

  it("are listed by number with the artifact", async () => {
    await pipeline(service).artifact("app", "t1");
    await record({}, "app");
    await record();
    await record();
    const found = await get(`/artifacts/${ORG}/web/fingerprint/${FP}`);
    expect(found.body).toMatchObject({ approvals: [1, 2], releases: [1, 2] });
    const [first, second] = (await get(`/artifacts/${ORG}`)).body;
    expect([first.releases, second.releases]).toEqual([[1], [1, 2]]);
  });

  it("are none for an artifact without requests", async () => {
    expect(await listed(FP)).toMatchObject({ status: 200, body: [] });
  });
});

describe("the commit of the running artifact", () => {
  const commit = (flow = "web", environment = "prod") =>
    get(`/approvals/${ORG}/${flow}/artifact-commit/${environment}`);
  const pod = (podName: string, fingerprint: string, creationTimestamp: number) => ({
    podName,
    namespace: "n",
    digests: { [`image-${fingerprint[0]}`]: fingerprint },
    creationTimestamp,
  });
  const running = async (...pods: object[]) => {
    await pipeline(service).environment("prod");
    expect((await pipeline(service).report("prod", pods)).status).toBe(201);
  };

  it("is that of the flow's artifact in the latest snapshot", async () => {
    await running(pod("a", OTHER, 1), pod("b", FP, 1));
    expect(await commit()).toMatchObject({ status: 200, body: { commit_sha: COMMIT } });
    await pipeline(service).report("prod", [pod("a", OTHER, 1)]);
    expect((await commit()).body).toEqual({ commit_sha: null });
  });

  it("comes from the latest report of the artifact", async () => {
    await running(pod("a", FP, 1));
    await pipeline(service).artifact("web", "t2", { git_commit: NEWER });
    expect((await commit()).body).toEqual({ commit_sha: NEWER });
  });

  it("comes from the artifact that started last, though an older one got another pod since", async () => {
    await pipeline(service).artifact("web", "t2", { fingerprint: OTHER, git_commit: NEWER });
    await running(pod("a", FP, 100), pod("b", OTHER, 200), pod("c", FP, 300));
    expect((await commit()).body).toEqual({ commit_sha: NEWER });
  });

  it("is null when nothing runs, nothing was reported, or no commit is known", async () => {
    await pipeline(service).environment("prod");
    expect((await commit()).body).toEqual({ commit_sha: null });
    await pipeline(service).artifact("app", "t1", { fingerprint: OTHER, git_commit: undefined });
    await running(pod("a", OTHER, 1));
    expect((await commit()).body).toEqual({ commit_sha: null });
    expect((await commit("app")).body).toEqual({ commit_sha: null });
  });

  it("in a logical environment is that of its members", async () => {
    await running(pod("a", FP, 1));
    await pipeline(service).environment("all", { type: "logical", included_environments: ["prod"] });
    expect((await commit("web", "all")).body).toEqual({ commit_sha: COMMIT });
  });

  it("is found by an index", async () => {
    const plan = await planOf(service.dataFolder, (db) =>
      runningCommit(db, { flowId: "f", environmentId: "e" }),
    );
    expect(plan.filter((step) => step.startsWith("SCAN"))).toEqual([]);
    expect(plan.length).toBeGreaterThan(2);
  });
});

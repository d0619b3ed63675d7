import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { COMMIT, expectRefusal, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const OTHER = "b".repeat(64);
const CREATED = 1_780_000_000;
const pod = (podName: string, digests: Record<string, string>, namespace = "prod") => ({
  podName,
  namespace,
  digests,
  creationTimestamp: CREATED,
});

const list = (name: string, query = "") => send(service, { path: `/snapshots/${ORG}/${name}${query}` });
const get = (name: string, expression = "-1") =>
  send(service, { path: `/snapshots/${ORG}/${name}/${encodeURIComponent(expression)}` });
const diff = (first: string, second: string) =>
  send(service, {
    path: `/env-diff/${ORG}?snappish1=${encodeURIComponent(first)}&snappish2=${encodeURIComponent(second)}`,
  });
const attach = (name: string, policies: string[], method = "POST") =>
  send(service, {
    method,
    path: `/environments/${ORG}/${name}/policies`,
    json: { policy_names: policies },
  });
const policy = (name: string, artifacts: string) =>
  send(service, {
    method: "PUT",
    path: `/policies/${ORG}`,
    formPart: "payload",
    form: { name },
    files: [
      {
        part: "policy_file",
        name: "policy.yml",
        content: `_schema: https://kosli.com/schemas/policy/environment/v1\nartifacts: ${artifacts}`,
      },
    ],
  });
const allow = (name: string, more: object = {}) =>
  send(service, {
    method: "PUT",
    path: `/allowlists/${ORG}/${name}`,
    json: { artifact_name: "web", artifact_fingerprint: FP, description: "known", ...more },
  });

let count = 0;
/** A new environment, and a function that reports to it a minute later. */
async function fresh(more: object = {}) {
  const name = `env-${++count}`;
  const { environment, report } = pipeline(service);
  await environment(name, more);
  return {
    name,
    report: (artifacts: unknown) => {
      service.clock.time += 60;
      return report(name, artifacts);
    },
  };
}

describe("a snapshot", () => {
  it("of unknown artifacts lists what runs, without origin", async () => {
    const { name, report } = await fresh();
    const owners = [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "u", controller: true }];
    await report([{ ...pod("a", { web: FP }), owners }, pod("b", { web: FP }), pod("b", { web: FP }, "dev")]);
    expect((await get(name)).body).toEqual({
      index: 1,
      is_latest: true,
      next_snapshot_timestamp: null,
      artifact_compliance_count: { true: 0, false: 0, null: 1 },
      timestamp: service.clock.time,
      type: "K8S",
      compliant: false,
      state: null,
      html_url: `${service.address}/${ORG}/environments/${name}/snapshots/1`,
      artifacts: [
        {
          name: "web",
          fingerprint: FP,
          compliant: null,
          deployments: [],
          policy_decisions: [],
          reasons_for_incompliance: [],
          creationTimestamp: [CREATED, CREATED, CREATED],
          pods: {
            a: { namespace: "prod", creationTimestamp: CREATED, owners },
            b: { namespace: "prod", creationTimestamp: CREATED, owners: [] },
            "dev/b": { namespace: "dev", creationTimestamp: CREATED, owners: [] },
          },
          annotation: { type: "started-non-compliant", was: 0, now: 3 },
          flow_name: null,
          git_commit: null,
          commit_url: null,
          html_url: null,
          flow_html_url: null,
          deployment_diff: null,
          commit_lead_time: null,
          flows: [],
          ecs_context: null,
        },
      ],
      applied_policies: [],
    });
  });

  it("lists what stopped with it, but does not count it", async () => {
    const { name, report } = await fresh();
    await report([pod("a", { web: FP }), pod("s", { side: OTHER })]);
    await report([pod("a", { web: FP })]);
    const { body } = await get(name);
    expect(body.artifact_compliance_count.null).toBe(1);
    expect(
      body.artifacts.map((each: { name: string; annotation: object }) => [each.name, each.annotation]),
    ).toEqual([
      ["web", { type: "unchanged", was: 1, now: 1 }],
      ["side", { type: "exited", was: 1, now: 0 }],
    ]);
    expect((await get(name, "1")).body).toMatchObject({
      is_latest: false,
      next_snapshot_timestamp: service.clock.time,
    });
  });

  it("has the origin of an artifact, its lead time and what it replaced", async () => {
    const { name, report } = await fresh();
    const { artifact } = pipeline(service);
    const next = "d".repeat(40);
    const build = (trail: string, fingerprint: string, sha: string) =>
      artifact("shop", trail, {
        fingerprint,
        git_commit: sha,
        git_commit_info: { sha1: sha, timestamp: service.clock.time - 1000, branch: "main" },
        commit_url: `https://github.com/acme/shop/commit/${sha}`,
      });
    const [first, second] = ["1".repeat(64), "2".repeat(64)];
    await build("t1", first, COMMIT);
    await build("t2", second, next);
    await report([pod("a", { shop: first })]);
    await report([pod("b", { shop: second })]);
    const now = (await get(name)).body.artifacts[0];
    const flow = {
      flow_name: "shop",
      trail_name: "t2",
      template_reference_name: "web",
      git_commit: next,
      commit_url: `https://github.com/acme/shop/commit/${next}`,
      git_commit_info: { sha1: next, timestamp: service.clock.time - 1120, branch: "main" },
      html_url: expect.stringContaining(`/${ORG}/flows/shop/artifacts/${second}?artifact_id=`),
      flow_html_url: `${service.address}/${ORG}/flows/shop`,
      deployment_diff: {
        diff_url: `https://github.com/acme/shop/compare/${COMMIT}...${next}`,
        previous_git_commit: COMMIT,
        previous_fingerprint: first,
        previous_artifact_name: "shop",
        previous_artifact_compliance_state: null,
        previous_running: false,
        previous_git_commit_url: `https://github.com/acme/shop/commit/${COMMIT}`,
        previous_trail_name: "t1",
        previous_template_reference_name: "web",
      },
      commit_lead_time: 1120,
      artifact_compliance_in_flow: null,
      flow_reasons_for_non_compliance: [],
    };
    expect(now.flows).toEqual([flow]);
    const { flow_name, git_commit, deployment_diff, commit_lead_time } = flow;
    expect(now).toMatchObject({ flow_name, git_commit, deployment_diff, commit_lead_time });

    await report([pod("b", { shop: second }), pod("s", { side: OTHER })]);
    expect((await get(name)).body.artifacts.map((each: { flows: object[] }) => each.flows)).toEqual([
      [flow],
      [],
    ]);
    const { body } = await send(service, { path: `/trails/${ORG}/shop/t1` });
    const events = body.events.filter(({ type }: { type: string }) => type.endsWith("_running"));
    expect(events).toMatchObject([
      { type: "artifact_started_running", environment_name: name, snapshot_index: 1, replica_number: 1 },
      {
        type: "artifact_stopped_running",
        environment_name: name,
        snapshot_index: 2,
        artifact_fingerprint: first,
      },
    ]);
  });

  it("is created when only the provenance of running artifacts has changed", async () => {
    const { name, report } = await fresh();
    const fingerprint = "3".repeat(64);
    await report([pod("a", { late: fingerprint })]);
    await pipeline(service).artifact("late", "t1", { fingerprint });
    expect((await report([pod("a", { late: fingerprint })])).status).toBe(201);
    expect((await get(name)).body.artifacts).toMatchObject([
      { annotation: { type: "updated-provenance", was: 1, now: 1 }, flow_name: "late" },
    ]);
    expect((await report([pod("a", { late: fingerprint })])).status).toBe(200);
  });

  it("is not created for another number of instances alone, which the next one shows", async () => {
    const scaled = await fresh({ include_scaling: true });
    await scaled.report([pod("a", { web: FP })]);
    const two = [pod("a", { web: FP }), pod("b", { web: FP })];
    expect((await scaled.report(two)).status).toBe(200);
    expect((await scaled.report([...two, pod("c", { side: "d".repeat(64) })])).status).toBe(201);
    expect((await get(scaled.name)).body.artifacts).toMatchObject([
      { name: "side" },
      { annotation: { type: "scaled", was: 1, now: 2 } },
    ]);
  });
});

describe("policies", () => {
  const REQUIRED = "{ provenance: { required: true } }";

  it("create a new snapshot when they are attached or detached", async () => {
    const { name, report } = await fresh();
    await policy("origin", REQUIRED);
    await report([pod("a", { web: FP })]);
    service.clock.time += 10;
    expect(await attach(name, ["origin"])).toMatchObject({ status: 200, body: "OK" });
    const { body } = await get(name);
    expect(body).toMatchObject({
      index: 2,
      timestamp: service.clock.time,
      compliant: false,
      artifact_compliance_count: { true: 0, false: 1, null: 0 },
      applied_policies: [
        {
          id: expect.stringMatching(/^[a-f0-9-]{32}$/),
          name: "origin",
          version: 1,
          policy_dump: { schema_version: "1", artifacts: { provenance: { required: true, exceptions: [] } } },
          failing_artifacts: [{ name: "web", fingerprint: FP }],
        },
      ],
    });
    expect(body.artifacts).toMatchObject([
      {
        compliant: false,
        annotation: { type: "changed", was: 1, now: 1 },
        policy_decisions: [{ policy_name: "origin", policy_version: 1, status: "NON-COMPLIANT" }],
        reasons_for_incompliance: [expect.stringMatching(/^policy 'origin': provenance: /)],
      },
    ]);
    await attach(name, ["origin"]);
    expect((await get(name)).body.index).toBe(2);
    await attach(name, ["origin"], "DELETE");
    expect((await get(name)).body).toMatchObject({ index: 3, applied_policies: [] });
    expect((await get(name)).body.artifacts[0].compliant).toBeNull();
  });

  it("create a new snapshot when running artifacts have become compliant", async () => {
    const { name, report } = await fresh();
    const fingerprint = "4".repeat(64);
    await policy("reviewed", "{ attestations: [{ name: review, type: generic }] }");
    await pipeline(service).artifact("api", "t1", { fingerprint });
    await attach(name, ["reviewed"]);
    await report([pod("a", { api: fingerprint })]);
    expect((await get(name)).body.compliant).toBe(false);
    await pipeline(service).attest("api", "t1", {
      attestation_name: "review",
      artifact_fingerprint: fingerprint,
    });
    expect((await report([pod("a", { api: fingerprint })])).status).toBe(201);
    const { body } = await get(name);
    expect([body.compliant, body.artifacts[0].compliant, body.artifacts[0].annotation.type]).toEqual([
      true,
      true,
      "changed",
    ]);
    expect(body.artifacts[0].flows[0].artifact_compliance_in_flow).toBe(true);
  });

  it("do not apply to allowed artifacts", async () => {
    const { name, report } = await fresh();
    await policy("origin", REQUIRED);
    await attach(name, ["origin"]);
    await report([pod("a", { web: FP })]);
    const allowance = { artifact_name: "web", artifact_fingerprint: FP, description: "known" };
    expect(await allow(name)).toMatchObject({ status: 201, body: allowance });
    const { body } = await get(name);
    expect([body.index, body.compliant, body.artifacts[0].compliant]).toEqual([2, true, true]);
    await allow(name, { description: "still known" });
    const { body: allowed } = await send(service, { path: `/allowlists/${ORG}` });
    expect(allowed).toEqual([
      {
        artifact_name: "web",
        fingerprint: FP,
        environment_name: name,
        timestamp: service.clock.time,
        user_name: "member",
        description: "still known",
      },
    ]);
  });

  it("are not skipped in a logical environment, which has none", async () => {
    const { name } = await fresh({ type: "logical" });
    expectRefusal(await allow(name), 400, "Artifacts can only be allowed in physical environments");
  });

  it("are not evaluated for a malformed allowance", async () => {
    const { status, body } = await allow("any", { artifact_fingerprint: "abc", reason: "x" });
    expect([status, body.errors]).toEqual([
      400,
      {
        artifact_fingerprint: "String should match pattern '^[a-f0-9]{64}$' [input: abc]",
        reason: "Extra inputs are not permitted [input: x]",
      },
    ]);
  });
});

describe("finding snapshots", () => {
  let name: string;
  let began: number;
  beforeAll(async () => {
    const environment = await fresh();
    name = environment.name;
    began = service.clock.time + 60;
    for (let i = 1; i <= 5; i++) await environment.report([pod("a", { web: String(i).repeat(64) })]);
    service.clock.time += 30;
  });
  const iso = (time: number) => new Date(time * 1000).toISOString().slice(0, 19);

  it("works by number, from the end and by time", async () => {
    const indexOf = async (expression: string) => (await get(name, expression)).body.index;
    expect(await indexOf("2")).toBe(2);
    expect(await indexOf("-1")).toBe(5);
    expect(await indexOf("-5")).toBe(1);
    expect(await indexOf("~0")).toBe(5);
    expect(await indexOf("~2")).toBe(3);
    expect(await indexOf("@{now}")).toBe(5);
    expect(await indexOf(`@{${iso(began + 60)}}`)).toBe(2);
    expect(await indexOf(`@{${iso(began + 119)}}`)).toBe(2);
  });

  it.each([
    ["6", "#6", 6],
    ["0", "#0", 0],
    ["-6", "#-6", 0],
    ["~5", "~5", 0],
    ["@{1.hour.ago}", "@{1.hour.ago}", 0],
  ])("reports what %s resolves to when there is no such snapshot", async (expression, shown, index) => {
    expectRefusal(
      await get(name, expression),
      404,
      `Org: '${ORG}'. Snapshot '${name}${shown}' resolves to '${name}#${index}'. len(snapshots) == 5. Indexes are 1-based`,
    );
  });

  it("lists them newest first with their duration", async () => {
    expect((await list(name, "?per_page=2")).body).toEqual([
      { index: 5, from: began + 240, to: 0, compliant: false, state: null, duration: 30 },
      { index: 4, from: began + 180, to: began + 240, compliant: false, state: null, duration: 60 },
    ]);
  });

  it("omits those of negative duration, after the clock was set back", async () => {
    const environment = await fresh();
    await environment.report([pod("a", { web: "1".repeat(64) })]);
    const { time } = service.clock;
    service.clock.time -= 7200;
    await environment.report([pod("a", { web: "2".repeat(64) })]);
    service.clock.time -= 7200;
    const { body } = await list(environment.name, "");
    service.clock.time = time;
    expect(body).toMatchObject([
      { index: 2, to: 0, duration: 0 },
      { index: 1, from: time, to: time, duration: 0 },
    ]);
  });

  it.each([
    ["", [5, 4, 3, 2, 1]],
    ["?reverse=true", [1, 2, 3, 4, 5]],
    ["?per_page=2&page=3", [1]],
    ["?per_page=2&page=4", []],
    ["?per_page=2&page=2&reverse=true", [3, 4]],
    ["?interval=2..4", [4, 3, 2]],
    ["?interval=~1..NOW", [5, 4]],
    ["?interval=-2..-1&reverse=true", [4, 5]],
    ["?interval=4..2", []],
    ["?interval=0..99", [5, 4, 3, 2, 1]],
    ["?interval=7..9", []],
    ["?interval=", [5, 4, 3, 2, 1]],
  ])("the list with '%s' has %j", async (query, expected) => {
    const { body } = await list(name, query);
    expect(body.map(({ index }: { index: number }) => index)).toEqual(expected);
  });
});

describe("a logical environment", () => {
  it("has a snapshot for each of its members', with everything they run", async () => {
    const [eu, us] = [await fresh(), await fresh()];
    const world = `world-${++count}`;
    await policy("any", "{}");
    await attach(us.name, ["any"]);
    await pipeline(service).environment(world, {
      type: "logical",
      included_environments: [eu.name, us.name],
    });
    expect((await list(world)).body).toEqual([]);
    await us.report([pod("a", { web: FP })]);
    await eu.report([pod("b", { api: OTHER })]);
    await us.report([]);
    const items = (await list(world)).body;
    expect(items.map((each: { index: number; compliant: boolean }) => [each.index, each.compliant])).toEqual([
      [3, false],
      [2, false],
      [1, true],
    ]);
    const running = async (expression: string) =>
      (await get(world, expression)).body.artifacts.map(
        (each: { environment_name: string; name: string; annotation: { type: string } }) => [
          each.environment_name,
          each.name,
          each.annotation.type,
        ],
      );
    expect(await running("1")).toEqual([[us.name, "web", "started-compliant"]]);
    expect(await running("2")).toEqual([
      [eu.name, "api", "started-non-compliant"],
      [us.name, "web", "unchanged"],
    ]);
    expect(await running("-1")).toEqual([
      [eu.name, "api", "unchanged"],
      [us.name, "web", "exited"],
    ]);
    expect((await get(world)).body).toMatchObject({ index: 3, type: "logical", is_latest: true });
    const { body } = await diff(`${world}#1`, world);
    expect([body.snappish1.artifacts[0].name, body.snappish2.artifacts[0].name]).toEqual(["web", "api"]);
    expect((await pipeline(service).report(world, [])).body.message).toBe(
      `cannot report a snapshot to the logical environment ${world}`,
    );
  });
});

describe("the difference between two snapshots", () => {
  it("lists what only one has, what both have, and the instance counts", async () => {
    const [staging, prod] = [await fresh(), await fresh()];
    const third = "c".repeat(64);
    await staging.report([pod("a", { old: OTHER, web: FP, same: third })]);
    await prod.report([pod("a", { web: FP }), pod("b", { web: FP }), pod("c", { new: OTHER, same: third })]);
    const shown = (name: string, fingerprint: string, instances: number, pods: string[]) => ({
      fingerprint,
      name,
      most_recent_timestamp: CREATED,
      flow: "",
      commit_url: null,
      instance_count: instances,
      pods,
    });
    expect((await diff(staging.name, `${prod.name}#1`)).body).toEqual({
      snappish1: { snapshot_id: `${staging.name}#1`, artifacts: [shown("old", OTHER, 1, ["a"])] },
      snappish2: { snapshot_id: `${prod.name}#1`, artifacts: [shown("new", OTHER, 1, ["c"])] },
      changed: {
        snapshot_id: null,
        artifacts: [{ ...shown("web", FP, 2, ["a", "b"]), s1_instance_count: 1, s2_instance_count: 2 }],
      },
      "not-changed": {
        snapshot_id: null,
        artifacts: [{ ...shown("same", third, 1, ["c"]), s1_instance_count: 1, s2_instance_count: 1 }],
      },
    });
  });

  it("names the snapshot that is missing or invalid", async () => {
    const { name } = await fresh();
    expectRefusal(await diff(`${name}#x`, name), 400, `Bad snappish '${name}#x'`);
    expectRefusal(
      await diff(`${name}~2`, name),
      404,
      `Org: '${ORG}'. Snapshot '${name}~2' resolves to '${name}#-2'. len(snapshots) == 0. Indexes are 1-based`,
    );
    const { status, body } = await send(service, { path: `/env-diff/${ORG}` });
    expect([status, Object.keys(body.errors)]).toEqual([400, ["query.snappish1", "query.snappish2"]]);
  });
});

describe("reports of other kinds", () => {
  const time = CREATED;
  const app = { app_name: "a", app_kind: "functionapp", digests_source: "acr", creationTimestamp: time };
  const kinds = [
    ["ECS", { taskArn: "arn:1", cluster_name: "c", service_name: "s", creationTimestamp: time }],
    ["S3", { creationTimestamp: time }],
    ["lambda", { creationTimestamp: time }],
    ["server", { creationTimestamp: time }],
    ["docker", { creationTimestamp: time }],
    ["azure-apps", app],
    ["cloud-run", { kind: "service", serviceName: "s", revisionName: "r", creationTimestamp: time }],
  ] as const;
  const report = (name: string, kind: string, json: object) =>
    send(service, { method: "PUT", path: `/environments/${ORG}/${name}/report/${kind}`, json });
  let name = "";
  beforeEach(() => {
    name = `kind-${++count}`;
  });

  it.each(kinds)("accept what %s runs", async (kind, entry) => {
    await pipeline(service).environment(name, { type: kind });
    const artifacts = [{ ...entry, digests: { web: FP } }];
    expect((await report(name, kind, { type: kind, artifacts })).status).toBe(201);
    expect((await report(name, kind, { artifacts })).status).toBe(200);
    const { body } = await get(name);
    expect(body).toMatchObject({ type: kind, index: 1 });
    expect(body.artifacts).toMatchObject([
      {
        name: "web",
        creationTimestamp: [time],
        pods: null,
        ecs_context: kind === "ECS" ? { task_arn: "arn:1", cluster_name: "c", service_name: "s" } : null,
      },
    ]);
  });

  it.each(kinds)("of %s are strict", async (kind, entry) => {
    await pipeline(service).environment(name, { type: kind });
    const { status, body } = await report(name, kind, {
      type: "K8S",
      artifacts: [{ ...entry, digests: { web: "x" }, podName: "p" }],
    });
    expect([status, Object.keys(body.errors)]).toEqual([
      400,
      expect.arrayContaining(["type", "artifacts[0].digests.web", "artifacts[0].podName"]),
    ]);
  });

  it("accept artifacts without known digests, and keep the latest snapshot when none is known", async () => {
    const { environment } = pipeline(service);
    await environment(name, { type: "ECS" });
    const task = { taskArn: "arn:1", creationTimestamp: time };
    expect(
      (await report(name, "ECS", { artifacts: [{ ...task, digests: { web: "", api: FP } }] })).status,
    ).toBe(201);
    expect((await report(name, "ECS", { artifacts: [{ ...task, digests: { web: "" } }] })).status).toBe(200);
    expect((await get(name)).body.artifacts).toMatchObject([
      { name: "api", fingerprint: FP },
      { name: "web", fingerprint: "", flows: [] },
    ]);
  });
});

describe("a snapshot of many artifacts", () => {
  const named = (index: number) => `app-${String(index).padStart(4, "0")}`;
  const some = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) =>
      pod(`pod-${from + i}`, { [named(from + i)]: String(from + i).padStart(64, "0") }),
    );
  let name: string;
  let report: Awaited<ReturnType<typeof fresh>>["report"];
  beforeAll(async () => {
    ({ name, report } = await fresh());
    await report(some(0, 1_200));
    await report(some(1, 1_201));
  });

  it("is returned whole, sorted by name, artifacts that just stopped last", async () => {
    const { status, body } = await get(name);
    expect(status).toBe(200);
    const names = body.artifacts.map((artifact: { name: string }) => artifact.name);
    expect(names).toEqual([...Array.from({ length: 1_200 }, (_, i) => named(i + 1)), named(0)]);
    expect(body.artifacts[1_199].annotation).toEqual({ type: "started-non-compliant", was: 0, now: 1 });
    expect(body.artifacts[1_200].annotation).toEqual({ type: "exited", was: 1, now: 0 });
    expect(body).toMatchObject({ index: 2, artifact_compliance_count: { true: 0, false: 0, null: 1_200 } });
  });

  it("is returned in pages on request, each with a link to the next", async () => {
    const whole = (await get(name)).body;
    const collected: unknown[] = [];
    let path: string | undefined = `/snapshots/${ORG}/${name}/-1?per_page=500`;
    for (let page = 1; path !== undefined; page++) {
      const { body, headers } = await send(service, { path });
      expect({ ...body, artifacts: [] }).toEqual({ ...whole, artifacts: [] });
      expect(headers["x-current-page"]).toBe(String(page));
      expect(headers["x-total-count"]).toBe("1201");
      collected.push(...body.artifacts);
      path = /<[^>]*\/api\/v2([^>]*)>; rel="next"/.exec(String(headers["link"]))?.[1];
    }
    expect(collected).toEqual(whole.artifacts);
  });

  it("continues with the snapshot it began with after a later one was created", async () => {
    const { headers } = await send(service, { path: `/snapshots/${ORG}/${name}/-1?per_page=1000` });
    const next = /<[^>]*\/api\/v2([^>]*)>; rel="next"/.exec(String(headers["link"]))?.[1] ?? "";
    await report(some(2, 1_202));
    const { body } = await send(service, { path: next });
    expect(body).toMatchObject({ index: 2, is_latest: false });
    expect(body.artifacts.at(-1)).toMatchObject({ name: named(0), annotation: { type: "exited" } });
  });

  it("has no page of more than 1,000", async () => {
    const { status } = await send(service, { path: `/snapshots/${ORG}/${name}/-1?per_page=1001` });
    expect(status).toBe(400);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDataFolder } from "../../../src/service/store/sqlite/open-store.ts";
import { expectRefusal, FP, pipeline } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const OTHER = "b".repeat(64);
const UNCHANGED = { status: 200, body: "Report processed successfully, no new snapshots to create" };
const created = (number: number) => ({
  status: 201,
  body: `Report processed successfully, snapshot #${number} created`,
});
const pod = (podName: string, digests: Record<string, string>) => ({
  podName,
  namespace: "prod",
  digests,
  creationTimestamp: 1_780_000_000,
});

describe("creating an environment", () => {
  it("answers 201, and an update as well", async () => {
    const { environment } = pipeline(service);
    expect(await environment("prod")).toMatchObject({ status: 201, body: "OK" });
    expect(await environment("prod", { description: "live" })).toMatchObject({ status: 201, body: "OK" });
  });

  it("accepts only physical members in a logical environment", async () => {
    const { environment } = pipeline(service);
    await environment("eu");
    const logical = (name: string, included: string[], type = "logical") =>
      environment(name, { type, included_environments: included });
    expect((await logical("world", ["eu", "eu"])).status).toBe(201);
    expectRefusal(
      await logical("nested", ["world"]),
      400,
      "Can only add physical environments to logical environments",
    );
    expectRefusal(
      await logical("broken", ["nowhere"]),
      404,
      `Environment named 'nowhere' does not exist for organization '${ORG}'`,
    );
    expectRefusal(
      await logical("physical", ["eu"], "K8S"),
      400,
      "Only logical environments can include other environments",
    );
  });

  it("lists the allowed types", async () => {
    const { status, body } = await pipeline(service).environment("x", { type: "k8s" });
    expect([status, body.errors.type]).toEqual([
      400,
      "Input should be 'K8S', 'ECS', 'S3', 'lambda', 'server', 'docker', 'azure-apps', 'cloud-run' or 'logical' [input: k8s]",
    ]);
  });
});

describe("reporting a Kubernetes environment", () => {
  let count = 0;
  const fresh = async () => {
    const name = `cluster-${++count}`;
    const { environment, report } = pipeline(service);
    await environment(name);
    return (artifacts: unknown) => report(name, artifacts);
  };

  it("creates a snapshot when the set of artifacts changes, but not for pods alone", async () => {
    const report = await fresh();
    expect(await report([pod("a", { web: FP })])).toMatchObject(created(1));
    expect(await report([pod("b", { web: FP }), pod("c", { web: FP })])).toMatchObject(UNCHANGED);
    expect(await report([pod("b", { web: FP }), pod("d", { web: OTHER })])).toMatchObject(created(2));
    expect(await report([pod("d", { web: OTHER }), pod("b", { web: FP })])).toMatchObject(UNCHANGED);
    expect(await report([pod("b", { web: FP })])).toMatchObject(created(3));
    expect(await report([pod("b", { renamed: FP })])).toMatchObject(created(4));
  });

  it("keeps the latest snapshot when no pod reports its images", async () => {
    const report = await fresh();
    await report([pod("a", { web: FP })]);
    expect(await report([pod("a", {}), pod("b", {})])).toMatchObject(UNCHANGED);
    expect(await report([pod("a", { web: FP })])).toMatchObject(UNCHANGED);
  });

  it("creates a first snapshot even of pods that do not report their images", async () => {
    const report = await fresh();
    expect(await report([pod("a", {})])).toMatchObject(created(1));
  });

  it("lists each artifact once, with the pods that run it", async () => {
    const { environment, report } = pipeline(service);
    await environment("kept");
    const owners = [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "u", controller: true }];
    await report("kept", [{ ...pod("a", { web: FP, side: OTHER }), owners }, pod("b", { web: FP })]);
    const store = await openDataFolder(service.dataFolder);
    const artifacts = await store.read
      .selectFrom("running_intervals as running")
      .innerJoin("environments", "environments.id", "running.environment_id")
      .select(["running.name", "fingerprint", "instances", "last_reported_at"])
      .where("environments.name", "=", "kept")
      .orderBy("running.name")
      .execute();
    await store.close();
    const time = 1_780_000_000;
    const a = { podName: "a", namespace: "prod", creationTimestamp: time, owners };
    expect(artifacts.map((each) => ({ ...each, instances: JSON.parse(each.instances) }))).toEqual([
      { name: "side", fingerprint: OTHER, instances: [a], last_reported_at: service.clock.time },
      {
        name: "web",
        fingerprint: FP,
        instances: [a, { podName: "b", namespace: "prod", creationTimestamp: time, owners: [] }],
        last_reported_at: service.clock.time,
      },
    ]);
  });

  it("numbers snapshots without gaps when reports arrive at the same time", async () => {
    const report = await fresh();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => report([pod("a", { web: i.toString(16).padStart(64, "0") })])),
    );
    const numbers = answers.map(({ body }) => Number(/#(\d+)/.exec(body)?.[1]));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
  });

  it("accepts thousands of pods at once", async () => {
    const report = await fresh();
    const pods = Array.from({ length: 12_000 }, (_, i) =>
      pod(`pod-${i}`, { [`image-${i}`]: i.toString(16).padStart(64, "0") }),
    );
    expect(await report(pods)).toMatchObject(created(1));
    expect(await report(pods.toReversed())).toMatchObject(UNCHANGED);
  });

  it("is refused with the invalid pod and field", async () => {
    const report = await fresh();
    const { status, body } = await report([
      pod("a", {}),
      { ...pod("b", { web: "abc" }), namespace: undefined },
    ]);
    expect([status, body.errors]).toEqual([
      400,
      {
        "artifacts[1].namespace": "Field required [input: None]",
        "artifacts[1].digests.web": "String should match pattern '^[a-f0-9]{64}$' [input: abc]",
      },
    ]);
  });
});

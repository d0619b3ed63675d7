import { describe, expect, it } from "vitest";
import type { OperationName } from "../../src/api/resources/operations.ts";
import { pipeline } from "./pipeline.ts";
import { expectRefusal } from "./refusal.ts";
import { ANY, EXTRA, invalidBodies, PATTERN, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { environment } = pipeline(target);

const NONE_NEW = "Report processed successfully, no new snapshots to create";
const created = (index: number) => `Report processed successfully, snapshot #${index} created`;
const creationTimestamp = 1_780_000_000;

type ReportName = Extract<OperationName, `report${string}`>;
interface Kind {
  readonly operation: Exclude<ReportName, "reportArtifact">;
  readonly type: string;
  /** The fields of an entry besides its digests and its time. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Its required fields. */
  readonly required: readonly string[];
  /** Whether a digest may be unknown. */
  readonly digestsMayBeEmpty?: true;
}

const KINDS: readonly Kind[] = [
  {
    operation: "reportK8S",
    type: "K8S",
    fields: { podName: "p", namespace: "n" },
    required: ["podName", "namespace"],
  },
  {
    operation: "reportECS",
    type: "ECS",
    fields: { taskArn: "arn:1" },
    required: ["taskArn"],
    digestsMayBeEmpty: true,
  },
  {
    operation: "reportAzureApps",
    type: "azure-apps",
    fields: { app_name: "a", app_kind: "k", digests_source: "acr" },
    required: ["app_name", "app_kind", "digests_source"],
    digestsMayBeEmpty: true,
  },
  {
    operation: "reportCloudRun",
    type: "cloud-run",
    fields: { kind: "service", serviceName: "s" },
    required: ["kind"],
    digestsMayBeEmpty: true,
  },
  { operation: "reportDocker", type: "docker", fields: {}, required: [] },
  { operation: "reportLambda", type: "lambda", fields: {}, required: [] },
  { operation: "reportS3", type: "S3", fields: {}, required: [] },
  { operation: "reportServer", type: "server", fields: {}, required: [] },
];

async function environmentOf(type: string) {
  const name = unique("env");
  await ask("createEnvironment", { body: { name, type, description: "" } });
  return name;
}

describe.each(KINDS)("$operation", ({ operation, type, fields, required, digestsMayBeEmpty }) => {
  const entry = (digests: object = { app: someFingerprint() }) => ({ ...fields, digests, creationTimestamp });
  const report = (name: string, artifacts: readonly object[]) =>
    ask(operation, { params: { env_name: name }, body: { type, artifacts } });
  const answered = async (name: string, artifacts: readonly object[]) => {
    const { status, body } = await report(name, artifacts);
    return [status, body];
  };

  it("creates a snapshot only when the running artifacts have changed", async () => {
    const name = await environmentOf(type);
    const [first, second] = [entry(), entry()];
    expect(await answered(name, [first])).toEqual([201, created(1)]);
    expect(await answered(name, [first])).toEqual([200, NONE_NEW]);
    expect(await answered(name, [{ ...first, creationTimestamp: 1 }])).toEqual([200, NONE_NEW]);
    expect(await answered(name, [first, second])).toEqual([201, created(2)]);
    expect(await answered(name, [second, first])).toEqual([200, NONE_NEW]);
    expect(await answered(name, [])).toEqual([201, created(3)]);
    const { body } = await client.getSnapshot({ envName: name, snapshotExpression: "2" });
    expect(body).toMatchObject({ index: 2, type, isLatest: false });
  });

  it("accepts a report without its type, and refuses another type", async () => {
    const name = await environmentOf(type);
    const params = { env_name: name };
    expect((await ask(operation, { params, body: { artifacts: [] } })).status).toBeLessThan(300);
    const body = { type: "other", artifacts: [] };
    await expectRefusal(ask(operation, { params, body }), 400, ANY, { type: `Input should be '${type}'` });
  });

  it("says that an invalid report is invalid", async () => {
    const call = ask(operation, { params: { env_name: await environmentOf(type) }, body: {} });
    await expectRefusal(call, 400, "Invalid report data");
  });

  it("is refused by an environment that does not exist, is of another type or logical", async () => {
    const none = unique("none");
    const message = `Environment named '${none}' does not exist for organization '${org}'`;
    await expectRefusal(report(none, []), 404, message);
    const other = await environmentOf(type === "S3" ? "lambda" : "S3");
    expect((await report(other, [])).status).toBe(400);
    expect((await report(await environment("logical"), [])).status).toBe(400);
  });

  it(`takes ${digestsMayBeEmpty ? "an" : "no"} empty digest`, async () => {
    const { status } = await report(await environmentOf(type), [entry({ app: "" })]);
    expect(status < 300).toBe(digestsMayBeEmpty === true);
  });

  const right = async () => ({
    params: { env_name: await environmentOf(type) },
    body: { artifacts: [entry()] },
  });
  const broken = (change: object) => ({ artifacts: [{ ...entry(), ...change }] });
  invalidBodies(
    target,
    operation,
    right,
    [
      [{ artifacts: undefined }, "artifacts", REQUIRED],
      [{ artifacts: {} }, "artifacts", "Input should be a valid list"],
      [{ other: 1 }, "other", EXTRA],
      [broken({ digests: undefined }), "artifacts[0].digests", REQUIRED],
      [broken({ digests: { app: "abc" } }), "artifacts[0].digests.app", PATTERN],
      [broken({ digests: { app: "A".repeat(64) } }), "artifacts[0].digests.app", PATTERN],
      [broken({ digests: { app: "a".repeat(65) } }), "artifacts[0].digests.app", PATTERN],
      [broken({ digests: [] }), "artifacts[0].digests", "Input should be a valid dictionary"],
      [{ artifacts: ["app"] }, "artifacts[0]", "Input should be a valid dictionary"],
      [
        broken({ creationTimestamp: "1780000000" }),
        "artifacts[0].creationTimestamp",
        "Input should be a valid integer",
      ],
      [broken({ creationTimestamp: undefined }), "artifacts[0].creationTimestamp", REQUIRED],
      [
        broken({ creationTimestamp: 1.5 }),
        "artifacts[0].creationTimestamp",
        "Input should be a valid integer",
      ],
      [broken({ other: 1 }), "artifacts[0].other", EXTRA],
      ...required.map(
        (field) => [broken({ [field]: undefined }), `artifacts[0].${field}`, REQUIRED] as const,
      ),
    ],
    ANY,
  );
});

describe("each kind of report through the client", () => {
  const digests = () => ({ app: someFingerprint() });
  it("returns the result", async () => {
    const plain = () => ({ artifacts: [{ digests: digests(), creationTimestamp }] });
    const replies = [
      await client.reportK8S({
        envName: await environmentOf("K8S"),
        body: {
          artifacts: [
            {
              podName: "p",
              namespace: "n",
              digests: digests(),
              creationTimestamp,
              owners: [{ apiVersion: "v1", kind: "ReplicaSet", name: "r", uid: "u", controller: true }],
            },
          ],
        },
      }),
      await client.reportECS({
        envName: await environmentOf("ECS"),
        body: {
          artifacts: [
            { taskArn: "arn", clusterName: "c", serviceName: "s", digests: digests(), creationTimestamp },
          ],
        },
      }),
      await client.reportAzureApps({
        envName: await environmentOf("azure-apps"),
        body: {
          artifacts: [
            { appName: "a", appKind: "k", digestsSource: "logs", digests: digests(), creationTimestamp },
          ],
        },
      }),
      await client.reportCloudRun({
        envName: await environmentOf("cloud-run"),
        body: { artifacts: [{ kind: "job", jobName: "j", digests: digests(), creationTimestamp }] },
      }),
      await client.reportDocker({ envName: await environmentOf("docker"), body: plain() }),
      await client.reportLambda({ envName: await environmentOf("lambda"), body: plain() }),
      await client.reportS3({ envName: await environmentOf("S3"), body: plain() }),
      await client.reportServer({ envName: await environmentOf("server"), body: plain() }),
    ];
    expect(replies.map(({ status, body }) => [status, body])).toEqual(replies.map(() => [201, created(1)]));
  });
});

describe("the fields of a kind of report", () => {
  const latest = async (envName: string) =>
    (await client.getSnapshot({ envName, snapshotExpression: "-1" })).body.artifacts;

  it("of ECS is shown with the task", async () => {
    const envName = await environmentOf("ECS");
    const app = someFingerprint();
    const task = {
      taskArn: "arn:1",
      clusterName: "c",
      serviceName: "s",
      digests: { app },
      creationTimestamp,
    };
    await client.reportECS({ envName, body: { artifacts: [task] } });
    expect(await latest(envName)).toMatchObject([
      {
        name: "app",
        fingerprint: app,
        pods: null,
        ecsContext: { taskArn: "arn:1", clusterName: "c", serviceName: "s" },
      },
    ]);
  });

  it("of Azure apps is shown with each instance", async () => {
    const envName = await environmentOf("azure-apps");
    const digests = { web: someFingerprint() };
    const apps = [
      { appName: "shop", appKind: "app,linux,container", digestsSource: "acr" as const },
      { appName: "jobs", appKind: "functionapp", digestsSource: "logs" as const },
    ];
    await client.reportAzureApps({
      envName,
      body: { artifacts: apps.map((app) => ({ ...app, digests, creationTimestamp })) },
    });
    const instances = apps.map((app) => ({ ...app, creationTimestamp }));
    expect(await latest(envName)).toMatchObject([{ name: "web", pods: null, instances }]);
    const params = { env_name: envName, snapshot_expression: "-1" };
    const { body } = await ask("getSnapshot", { params });
    expect(body.artifacts[0].instances[0]).toEqual({
      app_name: "shop",
      app_kind: "app,linux,container",
      digests_source: "acr",
      creationTimestamp,
    });
  });

  it("of Cloud Run is shown with each instance, in a logical environment too", async () => {
    const [envName, logical] = [await environmentOf("cloud-run"), await environment("logical")];
    await client.joinEnvironment({ envName: logical, body: { physicalEnvName: envName } });
    const digests = { web: someFingerprint() };
    const runs = [
      { kind: "service", serviceName: "shop", revisionName: "shop-00007" },
      { kind: "job", jobName: "nightly" },
    ];
    const artifacts = runs.map((run) => ({ ...run, digests, creationTimestamp }));
    await ask("reportCloudRun", { params: { env_name: envName }, body: { artifacts } });
    for (const name of [envName, logical]) {
      const params = { env_name: name, snapshot_expression: "-1" };
      const { body } = await ask("getSnapshot", { params });
      const instances = runs.map((run) => ({ ...run, creationTimestamp }));
      expect(body.artifacts, name).toMatchObject([{ name: "web", instances }]);
    }
  });

  it("of Kubernetes is shown with the pods and their owners, with any fields of an owner", async () => {
    const envName = await environmentOf("K8S");
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "u", generation: 3 };
    const body = {
      artifacts: [
        {
          podName: "a",
          namespace: "n",
          digests: { web: someFingerprint() },
          creationTimestamp,
          owners: [owner],
        },
        {
          podName: "b",
          namespace: "n",
          digests: { side: someFingerprint() },
          creationTimestamp,
          owners: null,
        },
      ],
    };
    expect((await ask("reportK8S", { params: { env_name: envName }, body })).status).toBe(201);
    const [side, web] = await latest(envName);
    expect(web?.pods).toEqual({
      a: { namespace: "n", creationTimestamp, owners: [expect.objectContaining(owner)] },
    });
    expect(side?.pods).toEqual({ b: { namespace: "n", creationTimestamp, owners: [] } });
  });

  const pod = { podName: "p", namespace: "n", digests: {}, creationTimestamp };
  const owner = { apiVersion: "v1", kind: "k", name: "n", uid: "u" };
  const kubernetes = async () => ({ params: { env_name: await environmentOf("K8S") }, body: {} });
  const owners = (change: object) => ({ artifacts: [{ ...pod, owners: [{ ...owner, ...change }] }] });
  invalidBodies(
    target,
    "reportK8S",
    kubernetes,
    [
      ...["apiVersion", "kind", "name", "uid"].map(
        (field) => [owners({ [field]: undefined }), `artifacts[0].owners[0].${field}`, REQUIRED] as const,
      ),
      [owners({ controller: "yes" }), "artifacts[0].owners[0].controller", "Input should be a valid boolean"],
      [{ artifacts: [{ ...pod, owners: {} }] }, "artifacts[0].owners", "Input should be a valid list"],
    ],
    "Invalid report data",
  );

  const app = { app_name: "a", app_kind: "k", digests_source: "acr", digests: {}, creationTimestamp };
  const azure = async () => ({ params: { env_name: await environmentOf("azure-apps") }, body: {} });
  invalidBodies(
    target,
    "reportAzureApps",
    azure,
    [
      [
        { artifacts: [{ ...app, digests_source: "guess" }] },
        "artifacts[0].digests_source",
        "Input should be 'acr', 'logs' or 'kosli-cli'",
      ],
    ],
    "Invalid report data",
  );
});

it("a Kubernetes report whose digests are all empty keeps the current snapshot", async () => {
  const envName = await environmentOf("K8S");
  const pod = (digests: Record<string, string>) => ({
    podName: "p",
    namespace: "n",
    digests,
    creationTimestamp,
  });
  await client.reportK8S({ envName, body: { artifacts: [pod({ web: someFingerprint() })] } });
  const { lastReportedAt } = (await client.getEnvironment({ envName })).body;
  const reply = await client.reportK8S({ envName, body: { artifacts: [pod({})] } });
  expect([reply.status, reply.body]).toEqual([200, NONE_NEW]);
  const now = (await client.getEnvironment({ envName })).body;
  expect(now.lastReportedAt).toBeGreaterThan(Number(lastReportedAt));
  expect((await client.listSnapshots({ envName })).body).toHaveLength(1);
});

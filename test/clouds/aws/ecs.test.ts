import { describe, expect, test } from "vitest";
import { readEcs } from "../../../src/clouds/aws/ecs.ts";
import { accessTo, fakeAws, names } from "./fake-aws.ts";
import { ARN, DIGEST, ecsOf, type FakeTask, web } from "./fake-ecs.ts";

const OTHER = "b".repeat(64);
const ALL = { clusters: names(), services: names(), standaloneTasks: true };

async function read(tasks: readonly FakeTask[], selection: Partial<typeof ALL> = {}) {
  const server = await fakeAws(ecsOf(tasks));
  const access = accessTo(server.url);
  const entries = await readEcs(access.aws, { ...ALL, ...selection });
  return { entries, ids: entries.map(({ taskArn }) => taskArn.split("/").at(-1)), ...access, server };
}

describe("tasks of ECS", () => {
  test("are reported by image, sorted, with their cluster and service", async () => {
    const { entries } = await read([web("2"), { id: "1", cluster: "shop" }]);
    expect(entries).toEqual([
      {
        taskArn: `${ARN}:task/shop/1`,
        clusterName: "shop",
        digests: { "reg/web:1": DIGEST },
        creationTimestamp: 1_795_000_000,
      },
      {
        taskArn: `${ARN}:task/shop/2`,
        clusterName: "shop",
        serviceName: "web",
        digests: { "reg/web:1": DIGEST },
        creationTimestamp: 1_795_000_000,
      },
    ]);
  });

  test("1,000 of them in 10 clusters take at most 30 requests", async () => {
    const tasks = Array.from({ length: 1000 }, (_, index) => ({
      id: `t${index}`,
      cluster: `c${index % 10}`,
    }));
    const { entries, server } = await read(tasks);
    expect(entries).toHaveLength(1000);
    expect(server.asked).toHaveLength(21);
  });

  test("of more than a page are all reported", async () => {
    const { entries, server } = await read(Array.from({ length: 201 }, (_, index) => web(`t${index}`)));
    expect(entries).toHaveLength(201);
    expect(server.operations().filter((operation) => operation === "ListTasks")).toHaveLength(3);
  });

  test("that end between two requests, or that do not run, are left out", async () => {
    const { ids } = await read([web("gone"), web("stopping", { lastStatus: "STOPPING" }), web("runs")]);
    expect(ids).toEqual(["runs"]);
  });

  test("have the digest of the container, of the reference, or none", async () => {
    const { entries, warnings } = await read([
      web("1", {
        startedAt: undefined,
        createdAt: 1_794_000_000.5,
        containers: [
          { name: "z", image: "z:1" },
          { name: "b", image: `b@sha256:${OTHER}` },
          { name: "a", image: `a@sha256:${OTHER}`, imageDigest: `sha256:${DIGEST}` },
          { name: "twice", image: "twin:1", imageDigest: `sha256:${DIGEST}` },
          { name: "again", image: "twin:1" },
          { name: "aws-guardduty-agent" },
        ],
      }),
      web("2", { startedAt: undefined, containers: [{ name: "z", image: "z:1" }] }),
    ]);
    expect(JSON.stringify(entries.map(({ digests }) => digests))).toBe(
      JSON.stringify([
        {
          [`a@sha256:${OTHER}`]: DIGEST,
          "aws-guardduty-agent": "",
          [`b@sha256:${OTHER}`]: OTHER,
          "twin:1": DIGEST,
          "z:1": "",
        },
        { "z:1": "" },
      ]),
    );
    expect(entries.map(({ creationTimestamp }) => creationTimestamp)).toEqual([1_794_000_000, 0]);
    expect(warnings).toEqual([
      "2 images reported without a digest, because the digest is unknown: aws-guardduty-agent, z:1",
    ]);
  });

  test("are selected by cluster and service", async () => {
    const tasks = [
      web("web"),
      { id: "api", cluster: "shop", group: "service:api" },
      { id: "job", cluster: "shop" },
      { id: "other", cluster: "ci", group: "service:web" },
    ];
    const clusters = names({ include: ["shop"] });
    expect((await read(tasks, { clusters })).ids).toEqual(["api", "job", "web"]);
    expect((await read(tasks, { clusters })).server.operations()).toHaveLength(3);
    const services = names({ excludeRegex: ["^a"] });
    expect((await read(tasks, { services, standaloneTasks: false })).ids).toEqual(["other", "web"]);
  });

  test("warn of listed clusters that do not exist, and of listed services without a task", async () => {
    const selection = {
      clusters: names({ include: ["shop", "shpo"] }),
      services: names({ include: ["wbe"] }),
    };
    expect((await read([web("1")], selection)).warnings).toEqual([
      "include: no cluster is named 'shpo'",
      "services: no running task belongs to 'wbe'",
    ]);
  });

  test.each([
    [
      "a page that fails",
      { status: 403, body: { __type: "AccessDeniedException" } },
      /ecs:DescribeTasks|403/,
    ],
    [
      "a cluster that was deleted meanwhile",
      { status: 400, body: { __type: "ClusterNotFoundException", message: "Cluster not found." } },
      /^include: .* 400 ClusterNotFoundException/,
    ],
    ["another failure", { body: { tasks: [], failures: [{ reason: "BROKEN" }] } }, /a failure: BROKEN/],
    ["no list", { body: "<html>" }, /no list of tasks/],
  ])("are not reported in part: %s", async (_, refusal, message) => {
    const inner = ecsOf([web("1"), { id: "2", cluster: "ci" }]);
    const server = await fakeAws((request) =>
      request.operation === "DescribeTasks" && request.json["cluster"] === "ci" ? refusal : inner(request),
    );
    await expect(readEcs(accessTo(server.url).aws, ALL)).rejects.toThrow(message);
  });
});

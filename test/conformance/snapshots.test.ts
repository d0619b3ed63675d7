import { describe, expect, it } from "vitest";
import { pipeline } from "./pipeline.ts";
import { expectRefusal } from "./refusal.ts";
import { invalidQueries, pagingEdges } from "./tables.ts";
import { conformance } from "./target.ts";
import { someFingerprint, unique } from "./unique.ts";

const target = await conformance("snapshots");
const { client, ask, org } = target;
const { environment, report, delivered } = pipeline(target);

const unknown = (name: string) => `Environment named '${name}' does not exist for organization '${org}'`;

/** An environment with three snapshots: one artifact, both, the other one. */
async function history() {
  const envName = await environment();
  const { fingerprint: first, ...made } = await delivered();
  const second = someFingerprint();
  for (const running of [[first], [first, second], [second]]) await report(envName, running);
  return { envName, first, second, ...made };
}

const { envName, first, second, flow, trail, commit } = await history();
const empty = await environment();
const get = async (snapshotExpression: string) =>
  (await client.getSnapshot({ envName, snapshotExpression })).body;

describe("a snapshot", () => {
  it("shows what ran with its provenance", async () => {
    const body = await get("1");
    expect(body).toMatchObject({
      index: 1,
      isLatest: false,
      nextSnapshotTimestamp: expect.any(Number),
      type: "K8S",
      compliant: false,
      appliedPolicies: [],
      artifacts: [
        {
          name: "reg.example/web:1.2",
          fingerprint: first,
          compliant: null,
          creationTimestamp: [1_780_000_000],
          annotation: { was: 0, now: 1 },
          flowName: flow,
          gitCommit: commit,
          ecsContext: null,
          flows: [{ flowName: flow, trailName: trail, templateReferenceName: "web", gitCommit: commit }],
        },
      ],
    });
    expect(body.htmlUrl).toContain(`/${org}/environments/${envName}/snapshots/1`);
    expect(body.artifacts[0]?.pods).toEqual({
      [`web-${first.slice(0, 5)}`]: expect.objectContaining({ namespace: "prod" }),
    });
    expect(body.artifactComplianceCount).toMatchObject({ null: 1 });
  });

  it("shows what stopped, and what nobody knows the flow of", async () => {
    const body = await get("3");
    expect(body).toMatchObject({ isLatest: true, nextSnapshotTimestamp: null });
    const byFingerprint = new Map(body.artifacts.map((each) => [each.fingerprint, each]));
    expect(byFingerprint.get(first)?.annotation).toEqual({ type: "exited", was: 1, now: 0 });
    expect(byFingerprint.get(second)).toMatchObject({
      annotation: { type: "unchanged", was: 1, now: 1 },
      flowName: null,
      gitCommit: null,
      flows: [],
    });
  });

  it.each([
    ["2", 2],
    ["-1", 3],
    ["-3", 1],
    ["~0", 3],
    ["~1", 2],
    ["@{now}", 3],
  ])("is found as %s", async (expression, index) => {
    expect((await get(expression)).index).toBe(index);
  });

  it("is found by when it held", async () => {
    const { timestamp } = await get("2");
    const moment = (seconds: number) => `@{${new Date(seconds * 1000).toISOString().slice(0, 19)}}`;
    expect((await get(moment(timestamp + 3600))).index).toBe(3);
    expect(
      (await ask("getSnapshot", { params: { env_name: envName, snapshot_expression: "@{1.days.ago}" } }))
        .status,
    ).toBe(404);
  });

  it.each(["4", "0", "-4", "~3"])("is refused as %s", async (expression) => {
    const call = client.getSnapshot({ envName, snapshotExpression: expression });
    const start = `^Org: '${org}'\\. Snapshot '.*' resolves to '${envName}#-?\\d+'\\. `;
    await expectRefusal(call, 404, new RegExp(`${start}len\\(snapshots\\) == 3\\. Indexes are 1-based$`));
  });

  it("of an environment without reports is refused in the same words", async () => {
    const call = client.getSnapshot({ envName: empty, snapshotExpression: "-1" });
    const message = `Org: '${org}'. Snapshot '${empty}#-1' resolves to '${empty}#0'. len(snapshots) == 0. Indexes are 1-based`;
    await expectRefusal(call, 404, message);
  });

  it.each(["x", "@{x}", "1..2"])("is no '%s'", async (expression) => {
    const { status } = await ask("getSnapshot", {
      params: { env_name: envName, snapshot_expression: expression },
    });
    expect([400, 404]).toContain(status);
  });

  it("is refused for an environment that does not exist", async () => {
    const none = unique("none");
    const call = client.getSnapshot({ envName: none, snapshotExpression: "1" });
    await expectRefusal(call, 404, unknown(none));
  });
});

describe("listing snapshots", () => {
  const listed = async (query: object = {}) =>
    (await client.listSnapshots({ envName, ...query })).body.map(({ index }) => index);

  it("is newest first, with how long each held", async () => {
    const { body } = await client.listSnapshots({ envName });
    expect(body).toMatchObject([
      { index: 3, to: 0, compliant: false, duration: expect.any(Number) },
      { index: 2, to: body[0]?.from },
      { index: 1, to: body[1]?.from },
    ]);
    expect(body[1]?.duration).toBeCloseTo(Number(body[1]?.to) - Number(body[1]?.from), 3);
  });

  it("goes by interval, page and direction", async () => {
    expect(await listed({ reverse: true })).toEqual([1, 2, 3]);
    expect(await listed({ interval: "2..3" })).toEqual([3, 2]);
    expect(await listed({ interval: "~1..NOW" })).toEqual([3, 2]);
    expect(await listed({ interval: "1..~2" })).toEqual([1]);
    expect(await listed({ page: 2, perPage: 2 })).toEqual([1]);
    expect(await listed({ page: 9 })).toEqual([]);
  });

  it("refuses an interval that is none", async () => {
    const params = { env_name: envName };
    const call = ask("listSnapshots", { params, query: { interval: "x..y" } });
    await expectRefusal(call, 400, /^Invalid interval value: /);
  });

  it("is refused for an environment that does not exist", async () => {
    const none = unique("none");
    await expectRefusal(client.listSnapshots({ envName: none }), 404, unknown(none));
  });

  invalidQueries(target, "listSnapshots", () => ({ params: { env_name: envName } }), [
    [{ page: 0 }, "page", "Input should be greater than or equal to 1"],
    [{ per_page: 0 }, "per_page", "Input should be greater than or equal to 1"],
    [{ reverse: "x" }, "reverse", "Input should be a valid boolean"],
  ]);
});

describe("the events of an environment", () => {
  const listed = async (query: object = {}) => client.listEnvironmentEvents({ envName, ...query });
  const described = async (query: object = {}) =>
    (await listed(query)).body.map(({ snapshotIndex, sha256 }) => [snapshotIndex, sha256]);

  it("tell what started and stopped, newest first", async () => {
    const { body } = await listed();
    expect(body.map(({ snapshotIndex, sha256 }) => [snapshotIndex, sha256])).toEqual([
      [3, first],
      [2, second],
      [1, first],
    ]);
    expect(body[0]).toMatchObject({ type: "exited", environmentName: envName });
    expect(body[2]).toMatchObject({
      artifactName: "reg.example/web:1.2",
      description: "1 instance started running (from 0 to 1)",
      pipeline: flow,
      flows: [{ flowName: flow }],
      _links: { artifact: {}, snapshot: {} },
    });
  });

  it("count their pages in headers", async () => {
    const { headers, body } = await listed({ page: 2, perPage: 1 });
    expect(body).toHaveLength(1);
    expect(headers).toMatchObject({
      "x-total-count": "3",
      "x-per-page": "1",
      "x-current-page": "2",
      "x-total-pages": "3",
    });
    for (const relation of ["first", "prev", "next", "last"]) {
      expect(headers["link"]).toContain(`rel="${relation}"`);
    }
    expect((await listed()).headers["link"]).toBeUndefined();
  });

  it("go by snapshot, interval, time and direction", async () => {
    expect(await described({ reverse: true })).toEqual((await described()).toReversed());
    expect(await described({ start: "2", end: "2" })).toEqual([[2, second]]);
    expect(await described({ start: "-1" })).toEqual([[3, first]]);
    expect(await described({ interval: "1..2" })).toHaveLength(2);
    expect(await described({ interval: "" })).toHaveLength(3);
    expect(await described({ start: "1hour" })).toHaveLength(3);
    expect(await described({ from: "2020-01-01", to: "2021-01-01T00:00:00Z" })).toEqual([]);
    expect(await described({ from: "1577836800" })).toHaveLength(3);
    const { timestamp } = await get("2");
    expect(await described({ from: String(timestamp) })).toHaveLength(2);
    expect(await described({ to: String(timestamp) })).toHaveLength(1);
  });

  it("refuse what is no interval, and a repository that was not captured", async () => {
    const params = { env_name: envName };
    const refused = (query: object) => ask("listEnvironmentEvents", { params, query: { ...query } });
    await expectRefusal(refused({ interval: "x" }), 400, /^Invalid interval value: /);
    await expectRefusal(refused({ start: "x" }), 400, /^Invalid interval value: /);
    expect((await refused({ from: "yesterday" })).status).toBe(400);
    const repo = unique("none");
    await expectRefusal(refused({ repo_name: repo }), 404, `Repo '${repo}' not found`);
  });

  it("are refused for an environment that does not exist", async () => {
    const none = unique("none");
    await expectRefusal(client.listEnvironmentEvents({ envName: none }), 404, unknown(none));
  });

  pagingEdges(target, "listEnvironmentEvents", () => ({ params: { env_name: envName } }), { max: 100 });
});

describe("the audit log of an environment", () => {
  const rows = async (query: object = {}) => {
    const { body } = await client.getEnvironmentAuditLog({ envName, ...query });
    expect(body.mediaType).toMatch(/^text\/csv/);
    const [, ...lines] = Buffer.from(body.content).toString().trimEnd().split(/\r?\n/);
    return lines;
  };

  it("has a line for each event, below the names of the columns", async () => {
    const all = await rows();
    expect(all).toHaveLength(3);
    expect(all.filter((line) => line.includes(first))).toHaveLength(2);
    expect(all.filter((line) => line.includes(second))).toHaveLength(1);
  });

  it("goes by kind, flow and time", async () => {
    expect(await rows({ eventTypes: "exited" })).toHaveLength(1);
    expect(await rows({ eventTypes: "started,exited" })).toHaveLength(3);
    expect(await rows({ flowNames: flow })).toHaveLength(2);
    expect(await rows({ flowNames: "no provenance" })).toHaveLength(1);
    expect(await rows({ flowNames: `${flow},no provenance` })).toHaveLength(3);
    expect(await rows({ toTimestamp: 1 })).toHaveLength(0);
    expect(await rows({ fromTimestamp: 1 })).toHaveLength(3);
  });

  it("is refused for an environment that does not exist", async () => {
    const none = unique("none");
    await expectRefusal(client.getEnvironmentAuditLog({ envName: none }), 404, unknown(none));
  });
});

describe("the difference between two snapshots", () => {
  it("is what runs in one, in the other and in both", async () => {
    const { body } = await client.diffSnapshots({ snappish1: `${envName}#1`, snappish2: `${envName}~1` });
    expect(body).toMatchObject({
      snappish1: { snapshotId: `${envName}#1`, artifacts: [] },
      snappish2: { snapshotId: `${envName}#2`, artifacts: [{ fingerprint: second }] },
      changed: { artifacts: [] },
    });
    expect(JSON.stringify(body)).toContain(first);
    const swapped = await client.diffSnapshots({ snappish1: envName, snappish2: `${envName}#1` });
    expect(swapped.body.snappish1.artifacts).toMatchObject([{ fingerprint: second, instanceCount: 1 }]);
    expect(swapped.body.snappish2.artifacts).toMatchObject([{ fingerprint: first, flow }]);
  });

  it("is refused for what does not exist or is no snapshot", async () => {
    const none = unique("none");
    await expectRefusal(client.diffSnapshots({ snappish1: envName, snappish2: none }), 404, unknown(none));
    await expectRefusal(
      client.diffSnapshots({ snappish1: envName, snappish2: `${envName}#9` }),
      404,
      /len\(snapshots\) == 3\. Indexes are 1-based$/,
    );
    const query = { snappish1: envName, snappish2: `${envName}#x` };
    await expectRefusal(ask("diffSnapshots", { query }), 400, /^Bad snappish /);
  });

  it("needs both", async () => {
    await expectRefusal(ask("diffSnapshots"), 400, "Input payload validation failed", {
      "query.snappish1": "Field required",
      "query.snappish2": "Field required",
    });
  });
});

import { describe, expect, it } from "vitest";
import { pipeline } from "./pipeline.ts";
import { expectRefusal } from "./refusal.ts";
import { newBuild, threeSnapshots } from "./snapshot-history.ts";
import { invalidQueries } from "./tables.ts";
import { conformance } from "./target.ts";
import { someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { flow: flowOf, trail: trailIn, environment, report } = pipeline(target);

const unknown = (name: string) => `Environment named '${name}' does not exist for organization '${org}'`;

const { envName, first, second, flow, trail, commit } = await threeSnapshots(target);
const empty = await environment();
const get = async (snapshotExpression: string) =>
  (await client.getSnapshot({ envName, snapshotExpression })).body;

describe("a snapshot", () => {
  it("shows running artifacts with their provenance", async () => {
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

  it("shows stopped artifacts, and those of an unknown flow", async () => {
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
    ["1", 1],
    ["2", 2],
    ["3", 3],
    ["-1", 3],
    ["-2", 2],
    ["-3", 1],
    ["~0", 3],
    ["~1", 2],
    ["~2", 1],
    ["@{now}", 3],
  ])("is found as %s", async (expression, index) => {
    expect((await get(expression)).index).toBe(index);
  });

  it("is found by its time in UTC", async () => {
    const { timestamp } = await get("2");
    const moment = (seconds: number) => `@{${new Date(seconds * 1000).toISOString().slice(0, 19)}}`;
    expect((await get(moment(timestamp + 3600))).index).toBe(3);
  });

  it.each([
    ["4", "#4", 4],
    ["0", "#0", 0],
    ["-4", "#-4", 0],
    ["-6", "#-6", -2],
    ["~3", "~3", 0],
    ["@{1.hours.ago}", "@{1.hours.ago}", 0],
    ["@{2.days.ago}", "@{2.days.ago}", 0],
    ["@{3.weeks.ago}", "@{3.weeks.ago}", 0],
    ["@{4.months.ago}", "@{4.months.ago}", 0],
    ["@{2020-01-31T12:00:00}", "@{2020-01-31T12:00:00}", 0],
  ])("is refused as %s, which names none", async (expression, shown, index) => {
    const call = client.getSnapshot({ envName, snapshotExpression: expression });
    const message = `Org: '${org}'. Snapshot '${envName}${shown}' resolves to '${envName}#${index}'. len(snapshots) == 3. Indexes are 1-based`;
    await expectRefusal(call, 404, message);
  });

  it("of an environment without reports is refused with the same message", async () => {
    const call = client.getSnapshot({ envName: empty, snapshotExpression: "-1" });
    const message = `Org: '${org}'. Snapshot '${empty}#-1' resolves to '${empty}#0'. len(snapshots) == 0. Indexes are 1-based`;
    await expectRefusal(call, 404, message);
  });

  it.each(["x", "1.5", "~", "~-1", "@{x}", "@{}", "@{2026-02-30T00:00:00}", "@{1.years.ago}", "1..2"])(
    "is not found as '%s'",
    async (expression) => {
      const call = ask("getSnapshot", { params: { env_name: envName, snapshot_expression: expression } });
      await expectRefusal(call, 400, `Bad snappish '${expression}'`);
    },
  );

  it("shows the lead time of an artifact, and what it replaced", async () => {
    const flowName = await flowOf();
    const built = async () => {
      const { body, fingerprint, commit } = newBuild(await trailIn(flowName));
      const timestamp = Math.floor(Date.now() / 1000) - 3600;
      const commitUrl = `https://github.com/acme/web/commit/${commit}`;
      const gitCommitInfo = { ...body.gitCommitInfo, timestamp };
      await client.reportArtifact({ flowName, body: { ...body, commitUrl, gitCommitInfo } });
      return { fingerprint, commit, commitUrl };
    };
    const [old, now] = [await built(), await built()];
    const deployed = await environment();
    await report(deployed, [old.fingerprint]);
    await report(deployed, [now.fingerprint]);
    const { body } = await client.getSnapshot({ envName: deployed, snapshotExpression: "-1" });
    const running = body.artifacts.find(({ fingerprint }) => fingerprint === now.fingerprint);
    expect(running?.commitLeadTime).toBeGreaterThanOrEqual(3600);
    expect(running?.commitLeadTime).toBeLessThan(3700);
    expect(running?.deploymentDiff).toMatchObject({
      diffUrl: `https://github.com/acme/web/compare/${old.commit}...${now.commit}`,
      previousGitCommit: old.commit,
      previousFingerprint: old.fingerprint,
      previousArtifactName: "reg.example/web:1.2",
      previousRunning: false,
      previousGitCommitUrl: old.commitUrl,
      previousTemplateReferenceName: "web",
    });
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

  it("is newest first, with the duration of each", async () => {
    const { body } = await client.listSnapshots({ envName });
    expect(body).toMatchObject([
      { index: 3, to: 0, compliant: false, duration: expect.any(Number) },
      { index: 2, to: body[0]?.from },
      { index: 1, to: body[1]?.from },
    ]);
    expect(body[1]?.duration).toBeCloseTo(Number(body[1]?.to) - Number(body[1]?.from), 3);
  });

  it("is filtered by interval, page and direction", async () => {
    expect(await listed({ reverse: true })).toEqual([1, 2, 3]);
    expect(await listed({ interval: "2..3" })).toEqual([3, 2]);
    expect(await listed({ interval: "~1..NOW" })).toEqual([3, 2]);
    expect(await listed({ interval: "1..~2" })).toEqual([1]);
    expect(await listed({ interval: "-2..-1", reverse: true })).toEqual([2, 3]);
    expect(await listed({ interval: "2.." })).toEqual([3, 2]);
    expect(await listed({ interval: "2" })).toEqual([3, 2]);
    expect(await listed({ interval: "~2" })).toEqual([3, 2, 1]);
    expect(await listed({ interval: "-1" })).toEqual([3]);
    expect(await listed({ interval: "NOW" })).toEqual([3]);
    expect(await listed({ interval: "@{1.hour.ago}" })).toEqual([3, 2, 1]);
    expect(await listed({ interval: "" })).toEqual([3, 2, 1]);
    expect(await listed({ interval: "3..1" })).toEqual([]);
    expect(await listed({ interval: "0..99" })).toEqual([3, 2, 1]);
    expect(await listed({ page: 1, perPage: 2 })).toEqual([3, 2]);
    expect(await listed({ page: 2, perPage: 2 })).toEqual([1]);
    expect(await listed({ page: 3, perPage: 2 })).toEqual([]);
    expect(await listed({ page: 2, perPage: 1, reverse: true })).toEqual([2]);
  });

  it.each(["x..y", "x", "1..2..3", "1-2"])("refuses the interval '%s'", async (interval) => {
    const call = ask("listSnapshots", { params: { env_name: envName }, query: { interval } });
    await expectRefusal(call, 400, `Invalid interval value: ${interval}`);
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

describe("the snapshots of a logical environment", () => {
  it("are those of its members, each with the running artifacts of all at that time", async () => {
    const [logical, one, other] = [await environment("logical"), await environment(), await environment()];
    for (const physicalEnvName of [one, other]) {
      await client.joinEnvironment({ envName: logical, body: { physicalEnvName } });
    }
    await report(one, [first]);
    await report(other, [second]);
    const indexes = (await client.listSnapshots({ envName: logical })).body.map(({ index }) => index);
    expect(indexes).toEqual([2, 1]);
    const ran = async (snapshotExpression: string) => {
      const { body } = await client.getSnapshot({ envName: logical, snapshotExpression });
      return [body.type, ...body.artifacts.map(({ fingerprint }) => fingerprint).toSorted()];
    };
    expect(await ran("1")).toEqual(["logical", first]);
    expect(await ran("-1")).toEqual(["logical", ...[first, second].toSorted()]);
  });
});

describe("the difference between two snapshots", () => {
  it("lists what runs in one, in the other and in both", async () => {
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

  it("includes the instance counts of artifacts in both", async () => {
    const [name, web, side] = [await environment(), someFingerprint(), someFingerprint()];
    const pod = (podName: string, creationTimestamp: number, digests: Record<string, string>) => ({
      podName,
      namespace: "prod",
      digests,
      creationTimestamp,
    });
    const running = (...artifacts: ReturnType<typeof pod>[]) =>
      client.reportK8S({ envName: name, body: { artifacts } });
    const [kept, started] = [someFingerprint(), 1_780_000_000];
    await running(pod("a", started, { web }), pod("k", started, { kept }));
    await running(
      pod("a", started, { web }),
      pod("b", started + 9, { web }),
      pod("k", started, { kept }),
      pod("s", started, { side }),
    );
    const { body } = await client.diffSnapshots({ snappish1: `${name}~1`, snappish2: name });
    expect(body.snappish2.artifacts).toMatchObject([{ name: "side", fingerprint: side, instanceCount: 1 }]);
    expect(body.changed.artifacts).toMatchObject([
      {
        name: "web",
        fingerprint: web,
        mostRecentTimestamp: started + 9,
        s1InstanceCount: 1,
        s2InstanceCount: 2,
        pods: ["a", "b"],
      },
    ]);
    expect(body).toMatchObject({ notChanged: { artifacts: [{ name: "kept", fingerprint: kept }] } });
  });

  it("accepts any expression, also across environments", async () => {
    const other = await environment();
    await report(other, [first]);
    const ids = async (snappish1: string, snappish2: string) => {
      const { body } = await client.diffSnapshots({ snappish1, snappish2 });
      return [body.snappish1.snapshotId, body.snappish2.snapshotId];
    };
    expect(await ids(`${envName}#-1`, `${envName}#-3`)).toEqual([`${envName}#3`, `${envName}#1`]);
    expect(await ids(`${envName}@{now}`, `${envName}~2`)).toEqual([`${envName}#3`, `${envName}#1`]);
    expect(await ids(envName, other)).toEqual([`${envName}#3`, `${other}#1`]);
  });

  it("is refused for missing resources and invalid snapshots", async () => {
    const none = unique("none");
    await expectRefusal(client.diffSnapshots({ snappish1: envName, snappish2: none }), 404, unknown(none));
    await expectRefusal(
      client.diffSnapshots({ snappish1: envName, snappish2: `${envName}#9` }),
      404,
      /len\(snapshots\) == 3\. Indexes are 1-based$/,
    );
    const empty = await environment();
    for (const text of [empty, `${empty}#-1`]) {
      const message = `Org: '${org}'. Snapshot '${text}' resolves to '${empty}#0'. len(snapshots) == 0. Indexes are 1-based`;
      await expectRefusal(client.diffSnapshots({ snappish1: text, snappish2: envName }), 404, message);
    }
    const query = { snappish1: envName, snappish2: `${envName}#x` };
    await expectRefusal(ask("diffSnapshots", { query }), 400, /^Bad snappish /);
  });

  it("requires both", async () => {
    await expectRefusal(ask("diffSnapshots"), 400, "Input payload validation failed", {
      "query.snappish1": "Field required",
      "query.snappish2": "Field required",
    });
  });
});

import { describe, expect, it } from "vitest";
import { pipeline } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { newBuild, threeSnapshots } from "./snapshot-history.ts";
import { pagingEdges } from "./tables.ts";
import { conformance } from "./target.ts";
import { someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { flow: flowOf, trail: trailIn, environment, report } = pipeline(target);

const unknown = (name: string) => `Environment named '${name}' does not exist for organization '${org}'`;

const { envName, first, second, flow } = await threeSnapshots(target);
const empty = await environment();
/** Creation time of the second snapshot, in Unix seconds. */
const { timestamp } = (await client.getSnapshot({ envName, snapshotExpression: "2" })).body;

describe("the events of an environment", () => {
  const listed = async (query: object = {}) => client.listEnvironmentEvents({ envName, ...query });
  const described = async (query: object = {}) =>
    (await listed(query)).body.map(({ snapshotIndex, sha256 }) => [snapshotIndex, sha256]);

  it("report what started and stopped, newest first", async () => {
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

  it("have no previous page on the first page, and no next one on the last", async () => {
    const relations = async (page: number) => {
      const { headers, body } = await listed({ page, perPage: 2 });
      const link = String(headers["link"]);
      return [body.length, ...["first", "prev", "next", "last"].filter((each) => link.includes(`"${each}"`))];
    };
    expect(await relations(1)).toEqual([2, "first", "next", "last"]);
    expect(await relations(2)).toEqual([1, "first", "prev", "last"]);
    expect(await relations(3)).toEqual([0, "first", "prev", "last"]);
  });

  it("of an empty list are counted as well", async () => {
    const { headers, body } = await client.listEnvironmentEvents({ envName: empty });
    expect(body).toEqual([]);
    expect(headers).toMatchObject({
      "x-total-count": "0",
      "x-per-page": "15",
      "x-current-page": "1",
      "x-total-pages": "0",
    });
    expect(headers["link"]).toBeUndefined();
  });

  it("are filtered by snapshot, interval, time and direction", async () => {
    expect(await described({ reverse: true })).toEqual((await described()).toReversed());
    expect(await described({ start: "2", end: "2" })).toEqual([[2, second]]);
    expect(await described({ start: "-1" })).toEqual([[3, first]]);
    expect(await described({ interval: "1..2" })).toHaveLength(2);
    expect(await described({ interval: "" })).toHaveLength(3);
    expect(await described({ start: "1hour" })).toHaveLength(3);
    expect(await described({ from: "2020-01-01", to: "2021-01-01T00:00:00Z" })).toEqual([]);
    expect(await described({ from: "1577836800" })).toHaveLength(3);
    expect(await described({ from: String(timestamp) })).toHaveLength(2);
    expect(await described({ to: String(timestamp) })).toHaveLength(1);
    expect(await described({ startTs: timestamp })).toHaveLength(2);
    expect(await described({ endTs: timestamp })).toHaveLength(1);
  });

  it("keep the filters in the links to their other pages", async () => {
    const { headers } = await listed({ startTs: timestamp, endTs: 4102444800.5, perPage: 1 });
    expect(headers["link"]).toContain(`start_ts=${timestamp}&end_ts=4102444800.5`);
  });

  it("have a text as pipeline if the flow is unknown, in a logical environment too", async () => {
    const logical = await environment("logical");
    await client.joinEnvironment({ envName: logical, body: { physicalEnvName: envName } });
    for (const name of [envName, logical]) {
      const { body } = await ask("listEnvironmentEvents", { params: { env_name: name } });
      const pipelines = body.map((event: { sha256: string; pipeline: unknown }) => [
        event.sha256,
        event.pipeline,
      ]);
      expect(pipelines, name).toEqual([
        [first, flow],
        [second, ""],
        [first, flow],
      ]);
    }
  });

  it.each([
    ["no end of the interval", { interval: "2.." }, [3, 2]],
    ["one end of the interval alone", { interval: "2" }, [3, 2]],
    ["one end from the end", { interval: "-1" }, [3]],
    ["the latest alone", { interval: "NOW" }, [3]],
    ["a moment alone", { interval: "@{1.hour.ago}" }, [3, 2, 1]],
    ["Unix seconds with a fraction", { startTs: 1577836800.25 }, [3, 2, 1]],
    ["Unix seconds as an end", { endTs: 1577836800.25 }, []],
    ["Unix seconds before a start", { startTs: 1577836800, start: "3" }, [3, 2, 1]],
    ["Unix seconds before an end", { endTs: 4102444800, end: "1" }, [3, 2, 1]],
    ["Unix seconds and from", { startTs: 1577836800, from: "2100-01-01" }, []],
    ["Unix seconds and to", { endTs: 4102444800, to: "2020-01-01" }, []],
    ["an interval from the end", { interval: "~1..~1" }, [2]],
    ["an interval of numbers from the end", { interval: "-3..-2" }, [2, 1]],
    ["a reversed interval", { interval: "3..1" }, []],
    ["an interval before start and end", { interval: "1..1", start: "3", end: "3" }, [1]],
    ["start and end from the end", { start: "-2", end: "-2" }, [2]],
    ["a start before the first snapshot", { start: "0" }, [3, 2, 1]],
    ["a start before the first from the end", { start: "-99" }, [3, 2, 1]],
    ["an end before the first snapshot", { end: "0" }, []],
    ["a start after the last", { start: "4" }, []],
    ["an end after the last", { end: "99" }, [3, 2, 1]],
    ["an end in any letter case", { end: "now" }, [3, 2, 1]],
    ["empty texts", { interval: "", start: "", end: "", from: "", to: "" }, [3, 2, 1]],
    ["an age in minutes", { start: "30mins" }, [3, 2, 1]],
    ["an age in days", { start: "2days", end: "1day" }, []],
    ["Unix seconds as a start", { start: "1577836800" }, [3, 2, 1]],
    ["a time in another zone", { from: "2020-01-01T00:00:00+02:00" }, [3, 2, 1]],
    ["a time without a zone", { to: "2020-01-01T00:00:00" }, []],
    ["from after to", { from: "2021-01-01", to: "2020-01-01" }, []],
    ["from equal to to", { from: "1577836800", to: "1577836800" }, []],
    ["from and a number", { from: "2020-01-01", start: "2" }, [3, 2]],
  ])("can be filtered by %s", async (_, query, expected) => {
    expect((await listed(query)).body.map(({ snapshotIndex }) => snapshotIndex)).toEqual(expected);
  });

  it("with from in a zone start at the same time in UTC", async () => {
    const local = new Date((timestamp + 2 * 3600) * 1000).toISOString().replace("Z", "+02:00");
    const utc = new Date(timestamp * 1000).toISOString().replace("Z", "");
    // To the millisecond: displayed times may be rounded.
    expect(await described({ from: local })).toEqual(await described({ from: utc }));
  });

  it("are those of captured repositories", async () => {
    const [repo, other] = [unique("acme/web"), unique("acme/other")];
    const flowName = await flowOf();
    const built = async (name: string) => {
      const { fingerprint, body } = newBuild(await trailIn(flowName));
      const repoInfo = { name, url: `https://github.com/${name}` };
      await client.reportArtifact({ flowName, body: { ...body, repoInfo } });
      return fingerprint;
    };
    const [web, side] = [await built(repo), await built(other)];
    const name = await environment();
    await report(name, [web, side, someFingerprint()]);
    const of = async (repoName: string[]) =>
      (await client.listEnvironmentEvents({ envName: name, repoName })).body.map(({ sha256 }) => sha256);
    expect(await of([repo])).toEqual([web]);
    expect((await of([repo, other])).toSorted()).toEqual([web, side].toSorted());
  });

  it("refuse an invalid interval, and an unknown repository", async () => {
    const params = { env_name: envName };
    const refused = (query: object) => ask("listEnvironmentEvents", { params, query: { ...query } });
    for (const text of ["x", "5.5", "1..2..3", "1..soon"]) {
      await expectRefusal(refused({ interval: text }), 400, `Invalid interval value: ${text}`);
    }
    for (const text of ["x", "1.5", "1..2", "2fortnights"]) {
      await expectRefusal(refused({ start: text }), 400, `Invalid interval value: ${text}`);
      await expectRefusal(refused({ end: text }), 400, `Invalid interval value: ${text}`);
    }
    for (const text of ["yesterday", "2026-02-30", "2026-01-01T25:00:00", "1h"]) {
      const message = `Input should be Unix seconds or an ISO 8601 date and time [input: ${text}]`;
      await expectInvalid(refused({ from: text }), { "query.from": message });
      await expectInvalid(refused({ to: text }), { "query.to": message });
    }
    for (const field of ["start_ts", "end_ts"]) {
      const message = "Input should be a valid number, unable to parse string as a number [input: soon]";
      await expectInvalid(refused({ [field]: "soon" }), { [`query.${field}`]: message });
    }
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

  it("is filtered by kind, flow and time", async () => {
    expect(await rows({ eventTypes: "exited" })).toHaveLength(1);
    expect(await rows({ eventTypes: "started,exited" })).toHaveLength(3);
    expect(await rows({ eventTypes: "begun" })).toHaveLength(0);
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

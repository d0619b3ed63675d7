import { describe, expect, it } from "vitest";
import type { TrendBucket } from "../../src/api/resources/trends.ts";
import { artifactBody, pipeline } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { invalidQueries } from "./tables.ts";
import { conformance } from "./target.ts";
import { someCommit, someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { flow, environment, report } = pipeline(target);

const now = () => Date.now() / 1000;

/** An artifact of a repository, whose commit is an hour old. */
async function build(flowName: string, repoName: string) {
  const [fingerprint, commit, trailName] = [someFingerprint(), someCommit(), unique("trail")];
  await client.reportArtifact({
    flowName,
    body: {
      ...artifactBody({ trailName, fingerprint, commit }),
      gitCommitInfo: { sha1: commit, timestamp: now() - 3600 },
      repoInfo: { name: repoName, url: `https://github.com/${repoName}` },
    },
  });
  return { fingerprint, commit, trailName };
}

const trends = async (query: Parameters<typeof client.getTrends>[0]) => (await client.getTrends(query)).body;
/** The sum of the numbers in the last two buckets, because a test may run at midnight. */
function recent(buckets: readonly TrendBucket[]) {
  const [before, last] = buckets.slice(-2);
  const numbers = (value: object = {}): [string, unknown][] =>
    Object.entries(value).flatMap(([name, item]): [string, unknown][] =>
      typeof item === "object" && item !== null
        ? numbers(item).map(([inner, each]) => [`${name}.${inner}`, each])
        : [[name, item]],
    );
  const earlier = new Map(numbers(before));
  return Object.fromEntries(
    numbers(last).map(([name, item]) => {
      const other = earlier.get(name);
      return [name, typeof item === "number" && typeof other === "number" ? item + other : (item ?? other)];
    }),
  );
}

describe("trends", () => {
  it("count trails, deployments, reviews, approvals and lead times of each named scope", async () => {
    const [flowName, other, repoName] = [await flow(), await flow(), unique("o/repo")];
    const [envName, envTag] = [await environment(), unique("tier")];
    await client.updateTags({
      ...{ resourceType: "environment", resourceId: envName },
      body: { setTags: { [envTag]: "1" } },
    });
    const control = unique("CTL");
    await client.createControl({ body: { identifier: control, name: "Code is reviewed" } });
    const [first, second, third] = [
      await build(flowName, repoName),
      await build(flowName, repoName),
      await build(other, unique("o/repo")),
    ];
    await client.attestPullRequest({
      ...{ flowName, trailName: first.trailName },
      body: {
        ...{ attestationName: "review", gitProvider: "github" },
        pullRequests: [
          {
            ...{ url: "https://git.example/pr/1", state: "MERGED", title: "t", createdAt: 1, headRef: "b" },
            ...{ author: "ada", approvers: [{ username: "bob", state: "APPROVED" }], commits: [] },
          },
        ],
      },
    });
    await client.attestSystem({
      ...{ flowName, trailName: second.trailName },
      body: {
        ...{ attestationName: "decision", typeName: "decision", control },
        artifactFingerprint: second.fingerprint,
        attestationData: { is_compliant: true },
      },
    });
    await report(envName, [someFingerprint()]);
    for (const { fingerprint } of [first, second, third]) await report(envName, [fingerprint]);
    await report(envName, [first.fingerprint, someFingerprint()]);
    const { body: repo } = await client.getRepo({ repoName });
    const { series, ...rest } = await trends({
      ...{ flow: [flowName], env: [envName], control: [control], repo: [repo.id ?? ""] },
      ...{ envTag: [envTag], bucket: "day", from: String(now() - 86_400) },
    });
    expect(rest).toMatchObject({ bucket: "day", tz: "UTC" });
    expect(series.map(({ scope }) => [scope.type, scope.name])).toEqual([
      ["organization", org],
      ["flow", flowName],
      ["environment", envName],
      ["control", control],
      ["repo", repoName],
    ]);
    const [organization, ofFlow, ofEnvironment, ofControl, ofRepo] = series.map(({ buckets }) =>
      recent(buckets),
    );
    const everywhere = {
      "deployments.count": 5,
      "deployments.initial": 1,
      "deployments.redeployments": 1,
      "deployments.nonCompliant": 0,
      "deployments.withoutProvenance": 1,
      "deployments.withoutReview": 2,
      "deployments.unknownReview": 1,
      "deployments.withoutApproval": 4,
      "leadTimeSeconds.n": 3,
    };
    expect(organization).toMatchObject(everywhere);
    expect(ofEnvironment).toMatchObject(everywhere);
    const undecided = unique("CTL");
    await client.createControl({ body: { identifier: undecided, name: "Code is scanned" } });
    const ofOther = await trends({ control: [undecided], envTag: [envTag], weeks: 2 });
    expect(recent(ofOther.series[0]?.buckets ?? [])).toMatchObject({ "deployments.withoutApproval": 5 });
    const built = {
      "deployments.count": 3,
      "deployments.initial": 0,
      "deployments.withoutReview": 1,
      "deployments.withoutApproval": 2,
      "leadTimeSeconds.n": 2,
      "leadTimeSeconds.p90": null,
      "trails.compliant": 2,
      "trails.nonCompliant": 0,
    };
    expect(ofFlow).toMatchObject(built);
    expect(ofRepo).toMatchObject(built);
    expect(ofFlow?.["leadTimeSeconds.median"]).toBeGreaterThan(3599);
    expect(ofControl).toMatchObject({ "decisions.compliant": 1, "decisions.nonCompliant": 0 });
    expect(series.map(({ environments }) => environments)).toEqual([1, undefined, 1, undefined, undefined]);
    const fields = series.map(({ buckets }) => Object.keys(buckets[0] ?? {}).length);
    expect(fields).toEqual([10, 7, 9, 4, 7]);
  });

  it("have twelve weeks by default, from Monday, of which the last one is not over", async () => {
    const { series } = await trends({});
    const buckets = series[0]?.buckets ?? [];
    expect(buckets).toHaveLength(12);
    expect(new Set(buckets.map(({ start }) => new Date(start * 1000).getUTCDay()))).toEqual(new Set([1]));
    expect(buckets.map(({ isPartial }) => isPartial)).toEqual([...Array(11).fill(false), true]);
    expect((await trends({ weeks: 1 })).series[0]?.buckets).toHaveLength(1);
  });

  it("of a key for one environment and flow cover these alone", async () => {
    const [flowName, envName] = [await flow(), await environment()];
    await build(flowName, unique("o/repo"));
    await report(envName, [someFingerprint()]);
    const name = unique("scoped");
    await client.createServiceAccount({ body: { name, privilege: "reader" } });
    const rights = { flows: [flowName], environments: [envName] };
    const { body: key } = await client.createApiKey({ name, body: { description: "key", ...rights } });
    const scoped = target.clientFor(key.key);
    const [organization] = (await scoped.getTrends({})).body.series;
    expect(organization?.environments).toBe(1);
    expect(recent(organization?.buckets ?? [])).toMatchObject({ "trails.compliant": 1 });
    await expectRefusal(scoped.getTrends({ control: ["x"] }), 403, /permission/);
    await expectRefusal(scoped.getTrends({ flow: [await flow()] }), 403, /permission/);
  });

  it("of tagged flows cover only their trails and deployments", async () => {
    const [tagged, other, envName] = [await flow(), await flow(), await environment()];
    const [tag, repoName] = [unique("team"), unique("o/repo")];
    for (const [resourceId, value] of [
      [tagged, "web"],
      [other, "api"],
    ] as const) {
      await client.updateTags({ resourceType: "flow", resourceId, body: { setTags: { [tag]: value } } });
    }
    const [first, second] = [await build(tagged, repoName), await build(other, repoName)];
    await report(envName, [someFingerprint()]);
    for (const { fingerprint } of [first, second]) await report(envName, [fingerprint]);
    const { body: repo } = await client.getRepo({ repoName });
    const named = { flow: [tagged, other], repo: [repo.id ?? ""], env: [envName], weeks: 2 };
    const counts = async (flowTag: string[]) =>
      (await trends({ ...named, flowTag })).series.map(({ scope, buckets }) => {
        const figures = recent(buckets);
        return [scope.type, figures["trails.compliant"], figures["deployments.count"]];
      });
    expect(await counts([`${tag}:web`])).toEqual([
      ["organization", 1, 1],
      ["flow", 1, 1],
      ["flow", 0, 0],
      ["environment", undefined, 1],
      ["repo", 1, 1],
    ]);
    expect((await counts([tag])).map(([, trails]) => trails)).toEqual([2, 1, 1, undefined, 2]);
    expect((await counts([tag, `${tag}:none`])).map(([, trails]) => trails)).toEqual([0, 0, 0, undefined, 0]);
    const name = unique("scoped");
    await client.createServiceAccount({ body: { name, privilege: "reader" } });
    const rights = { flows: [other], environments: [envName] };
    const { body: key } = await client.createApiKey({ name, body: { description: "key", ...rights } });
    const { body } = await target.clientFor(key.key).getTrends({ flowTag: [`${tag}:web`], weeks: 2 });
    expect(recent(body.series[0]?.buckets ?? [])).toMatchObject({ "trails.compliant": 0 });
  });

  it("as CSV have one line for each bucket of each series", async () => {
    const control = unique("CTL");
    await client.createControl({ body: { identifier: control, name: "=Code" } });
    const { body } = await client.getTrendsCsv({ control: [control], from: "2026-01-01", to: "2026-01-14" });
    expect(body).toMatchObject({ name: "trends.csv", mediaType: "text/csv" });
    const [header = "", ...lines] = Buffer.from(body.content).toString().split("\r\n");
    const columns = header.split(",");
    const cells = (line = "") => Object.fromEntries(line.split(",").map((cell, at) => [columns[at], cell]));
    expect(lines).toHaveLength(2 * 3 + 1);
    expect(cells(lines[0])).toMatchObject({
      ...{ scope_type: "organization", scope: org, start: "2025-12-29T00:00:00.000Z" },
      ...{ end: "2026-01-05T00:00:00.000Z", is_partial: "false", deployments: "0", decisions_compliant: "" },
    });
    expect(cells(lines[5])).toMatchObject({
      ...{ scope_type: "control", scope: control, is_partial: "true" },
      ...{ deployments: "", decisions_compliant: "0" },
    });
  });

  it.each(["getTrends", "getTrendsCsv"] as const)(
    "of %s are sent again only after a change",
    async (name) => {
      const flowName = await flow();
      const past = { from: "2020-01-01", to: "2020-02-01", flow: flowName };
      const first = await ask(name, { query: past });
      const etag = String(first.headers["etag"]);
      expect([etag, first.headers["cache-control"]]).toEqual([expect.any(String), "private, no-cache"]);
      const again = (tag: string, given: Readonly<Record<string, unknown>>) =>
        ask(name, { query: given, headers: { "if-none-match": tag } });
      const known = await again(`"x", ${etag}`, past);
      expect([known.status, known.text, known.headers["etag"]]).toEqual([304, "", etag]);
      expect((await again(etag, { ...past, to: "2020-03-01" })).status).toBe(200);
      await client.renameFlow({ flowName, body: { newName: unique("flow") } });
      expect((await again(etag, past)).status).toBe(200);
    },
  );

  it("are refused for unknown names", async () => {
    const none = unique("none");
    await expectRefusal(client.getTrends({ flow: [none] }), 404, /^Flow named/);
    await expectRefusal(client.getTrends({ env: [none] }), 404, /^Environment named/);
    await expectRefusal(client.getTrends({ control: [none] }), 404, /^Control/);
    await expectRefusal(client.getTrends({ repo: ["00000000-0000-0000-0000-00000000"] }), 404, /^Repo/);
    await expectInvalid(ask("getTrends", { query: { from: "2020-01-01", bucket: "day" } }), {
      "query.from": "The time must not have more than 400 buckets",
    });
  });

  it("have only the requested kinds of figures", async () => {
    const [flowName, envName, control, repoName] = [
      await flow(),
      await environment(),
      unique("CTL"),
      unique("o/repo"),
    ];
    await client.createControl({ body: { identifier: control, name: "Code is reviewed" } });
    await report(envName, [(await build(flowName, repoName)).fingerprint]);
    const { body: repo } = await client.getRepo({ repoName });
    const query = { flow: [flowName], env: [envName], control: [control], repo: [repo.id ?? ""], weeks: 2 };
    const all = (await trends(query)).series;
    const fields = {
      trails: ["trails"],
      deployments: ["deployments", "leadTimeSeconds", "buildLeadTimeSeconds"],
      states: ["compliantSeconds", "nonCompliantSeconds", "unknownSeconds"],
      decisions: ["decisions"],
    } as const;
    for (const kind of ["trails", "deployments", "decisions"] as const) {
      const { series } = await trends({ ...query, figures: [kind] });
      const kept: readonly string[] = ["start", "end", "isPartial", ...fields[kind]];
      const expected = all.map((each) => ({
        ...each,
        buckets: each.buckets.map((bucket) =>
          Object.fromEntries(Object.entries(bucket).filter(([name]) => kept.includes(name))),
        ),
      }));
      expect([kind, series]).toEqual([kind, expected]);
    }
    const states = (await trends({ ...query, figures: ["states"] })).series.map(({ buckets }) =>
      Object.keys(buckets[0] ?? {}).slice(3),
    );
    expect(states).toEqual([fields.states, [], fields.states, [], []]);
  });

  invalidQueries(target, "getTrends", () => ({}), [
    [{ figures: "money" }, "figures[0]", "Input should be"],
    [{ from: "2026-02-01", to: "2026-01-01" }, "from", "from must not be after to"],
    [{ from: "-9999999999999999", to: "1" }, "from", "from must not be before 1970"],
    [{ from: "9999999999999999", to: "99999999999999999" }, "from", "from must not be in the future"],
    [{ from: "soon" }, "from", "Input should be Unix seconds or an ISO 8601 date and time"],
    [{ from: "2026-02-01", weeks: 2 }, "weeks", "Set either from or weeks, not both"],
    [{ weeks: 105 }, "weeks", "Input should be less than or equal to 104"],
    [{ tz: "Nowhere" }, "tz", "Input should be a time zone, such as Europe/Berlin"],
    [{ bucket: "hour" }, "bucket", "Input should be"],
    [{ repo: "web" }, "repo[0]", "String should match pattern"],
  ]);
});

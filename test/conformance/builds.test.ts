import { describe, expect, it } from "vitest";
import { artifactBody, pipeline } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { invalidQueries } from "./tables.ts";
import { conformance } from "./target.ts";
import { someCommit, someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, ask } = target;
const { flow, environment, report } = pipeline(target);

const urlOf = (name: string) => `https://github.com/${name}`;

async function build(repoName: string, fingerprint = someFingerprint(), id = unique("id")) {
  const flowName = await flow();
  const body = artifactBody({ trailName: unique("trail"), fingerprint, commit: someCommit() });
  const repoInfo = { name: repoName, url: urlOf(repoName), id };
  await client.reportArtifact({ flowName, body: { ...body, repoInfo } });
  return { ...body, flowName };
}

const innerIdOf = async (name: string) => (await client.listRepos({ name })).body.repos[0]?.id ?? "";

describe("builds", () => {
  it("are the first reports of artifacts, newest first, with their environments", async () => {
    const repoName = unique("o/repo");
    const id = unique("id");
    const first = await build(repoName, undefined, id);
    const second = await build(repoName, undefined, id);
    const promotion = unique("o/promotion");
    await build(promotion, first.fingerprint);
    const envName = await environment();
    await report(envName, [second.fingerprint]);
    await report(envName, [first.fingerprint]);

    const { body } = await client.listBuilds({ repoName });
    expect(body).toMatchObject({ page: 1, perPage: 15, totalPages: 1, totalCount: 2 });
    const repoInnerId = await innerIdOf(repoName);
    const view = ({ fingerprint, flowName, trailName, gitCommit, filename, ...others }: typeof first) => ({
      ...{ fingerprint, flowName, trailName, gitCommit, repoName, repoInnerId, artifactName: filename },
      ...{ buildUrl: others.buildUrl, commitUrl: others.commitUrl, gitCommitInfo: others.gitCommitInfo },
      templateReferenceName: "web",
      builtAt: expect.any(Number),
      complianceState: "COMPLIANT",
      deployedTo: [envName],
    });
    expect(body.builds).toMatchObject([view(second), view(first)]);
    const [newest] = body.builds;
    const { body: artifact } = await client.getArtifact(second);
    expect([newest?.id, String(newest?.builtAt)]).toEqual([artifact.id, artifact.createdAt]);

    expect((await client.listBuilds({ repoName: promotion })).body.totalCount).toBe(0);
    const [latest] = (await client.listBuilds({ perPage: 1 })).body.builds;
    expect(latest?.fingerprint).toBe(second.fingerprint);
    const page = (await client.listBuilds({ repoInnerId, page: 2, perPage: 1 })).body;
    expect(page).toMatchObject({ totalPages: 2, builds: [{ fingerprint: first.fingerprint }] });
    const counted = (await client.listBuilds({ repoId: id, repoName: "ignored", perPage: 0 })).body;
    expect(counted).toMatchObject({ totalPages: 0, totalCount: 2, builds: [] });
  });

  it("are found in a window with inclusive ends, and have statistics", async () => {
    const repoName = unique("o/repo");
    for (let each = 0; each < 2; each++) await build(repoName, undefined, repoName);
    const { builds } = (await client.listBuilds({ repoName })).body;
    const times = builds.map(({ builtAt }) => builtAt);
    const [last = 0, first = 0] = times;
    const count = async (query: object) => (await client.listBuilds({ repoName, ...query })).body.totalCount;
    expect(await count({ startTs: first, endTs: last })).toBe(2);
    expect(await count({ startTs: last + 1, endTs: last + 2 })).toBe(0);
    expect(await count({ endTs: first - 1 })).toBe(0);

    const { body } = await client.getBuildStatistics({ repoName, endTs: last });
    expect(body).toEqual({
      ...{ startTs: last - 28 * 86_400, endTs: last, count: 2 },
      builtAt: times.toReversed(),
    });
    const window = { startTs: 1, endTs: 2 };
    expect((await client.getBuildStatistics(window)).body).toEqual({ ...window, count: 0, builtAt: [] });
  });

  it("of an unknown repository are refused", async () => {
    const unknown = "00000000-0000-0000-0000-00000000";
    const none = (value: string) => `Repo '${value}' not found`;
    await expectRefusal(client.listBuilds({ repoName: "none" }), 404, none("none"));
    await expectRefusal(client.listBuilds({ repoId: "none" }), 404, none("none"));
    await expectRefusal(client.getBuildStatistics({ repoInnerId: unknown }), 404, none(unknown));
  });

  for (const operation of ["listBuilds", "getBuildStatistics"] as const) {
    invalidQueries(target, operation, () => ({}), [
      [{ start_ts: 2, end_ts: 1 }, "start_ts", "start_ts must not be after end_ts (default: now)"],
      [{ start_ts: 9e12 }, "start_ts", "start_ts must not be after end_ts (default: now)"],
      [{ start_ts: "yesterday" }, "start_ts", "Input should be a valid number"],
      [{ repo_inner_id: "x" }, "repo_inner_id", "String should match pattern"],
    ]);
  }

  it.each([-1, 51])("in pages of %i are refused", async (perPage) => {
    const limit = perPage < 0 ? "greater than or equal to 0" : "less than or equal to 50";
    const sent = ask("listBuilds", { query: { per_page: perPage } });
    await expectInvalid(sent, { "query.per_page": `Input should be ${limit}` });
  });
});

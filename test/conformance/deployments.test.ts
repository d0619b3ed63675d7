import { describe, expect, it } from "vitest";
import { artifactBody, pipeline } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { invalidQueries } from "./tables.ts";
import { conformance } from "./target.ts";
import { someCommit, someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { flow, environment, report, trail } = pipeline(target);

const unknown = (name: string) => `Environment named '${name}' does not exist for organization '${org}'`;
const now = () => Date.now() / 1000;

/** Reports an artifact of a repository. Its commit is an hour old. */
async function build(more: object = {}) {
  const flowName = await flow();
  const [fingerprint, commit, trailName] = [someFingerprint(), someCommit(), unique("trail")];
  const name = unique("o/repo");
  const committed = now() - 3600;
  await client.reportArtifact({
    flowName,
    body: {
      ...artifactBody({ trailName, fingerprint, commit }),
      gitCommitInfo: { sha1: commit, timestamp: committed },
      repoInfo: { name, url: `https://github.com/${name}` },
      ...more,
    },
  });
  const { body } = await client.getRepo({ repoName: name });
  return { flowName, trailName, fingerprint, commit, committed, repoName: name, repo: body.id ?? "" };
}
type Build = Awaited<ReturnType<typeof build>>;

/** An environment whose reports began before the first deployment. */
async function reporting() {
  const envName = await environment();
  await report(envName, [someFingerprint()]);
  return envName;
}

const pullRequest = (author: string, approvers: object[], commits: object[] = []) => ({
  ...{ url: "https://git.example/pr/1", state: "MERGED", title: "t", createdAt: 1, headRef: "b", author },
  approvers,
  commits,
});
const attestReview = ({ flowName, trailName }: Build, pullRequests: object[]) =>
  client.attestPullRequest({
    flowName,
    trailName,
    body: {
      attestationName: "review",
      gitProvider: "github",
      pullRequests: pullRequests as never,
    },
  });
const approved = (username: string) => ({ username, state: "APPROVED", timestamp: 1 });
const approve = ({ flowName, fingerprint, commit }: Build, more: object = {}, state = "APPROVED") =>
  client.recordApproval({
    flowName,
    body: {
      ...{ artifactFingerprint: fingerprint, description: "", srcCommitList: [commit], ...more },
      approvals: [{ state: state as "APPROVED", comment: "", approvedBy: "bob", approvalUrl: "" }],
    },
  });

describe("a deployment", () => {
  it("is the start of an artifact, with its build, its times and what it replaced", async () => {
    const envName = await environment();
    const before = await build();
    await report(envName, [before.fingerprint]);
    const body = artifactBody({ ...before, fingerprint: someFingerprint(), commit: someCommit() });
    const info = { sha1: body.gitCommit, timestamp: now() - 3600 };
    const repoInfo = { name: before.repoName, url: `https://github.com/${before.repoName}` };
    await client.reportArtifact({
      flowName: before.flowName,
      body: { ...body, gitCommitInfo: info, repoInfo },
    });
    await report(envName, [body.fingerprint]);
    const reply = await client.listEnvironmentDeployments({ envName });
    expect(reply.body).toMatchObject({ page: 1, pageSize: 50, totalPages: 1, totalCount: 2 });
    const [second, first] = reply.body.deployments;
    expect(second).toMatchObject({
      environmentName: envName,
      environmentType: "K8S",
      snapshotIndex: 2,
      artifactName: "reg.example/web:1.2",
      fingerprint: body.fingerprint,
      runningSince: 1_780_000_000,
      isCompliant: null,
      complianceState: null,
      hasProvenance: true,
      isInitial: false,
      isRedeployment: false,
      flowName: before.flowName,
      trailName: before.trailName,
      templateReferenceName: "web",
      gitCommit: body.gitCommit,
      commitUrl: body.commitUrl,
      gitCommitInfo: { sha1: body.gitCommit },
      repoName: before.repoName,
      repoInnerId: before.repo,
      flows: [before.flowName],
      review: "unreviewed",
      reviewedBy: [],
      approvedBy: [],
      replaced: { previousFingerprint: before.fingerprint, previousGitCommit: before.commit },
      endedAt: null,
    });
    expect(second?.leadTimeSeconds).toBeCloseTo((second?.deployedAt ?? 0) - info.timestamp, 3);
    expect(second?.buildLeadTimeSeconds).toBeGreaterThan(0);
    expect(second?.changeLeadTimeSeconds).toBeNull();
    expect(first).toMatchObject({
      isInitial: true,
      leadTimeSeconds: null,
      buildLeadTimeSeconds: null,
      endedAt: second?.deployedAt,
    });
    const { body: one } = await client.getDeployment({ envName, fingerprint: body.fingerprint.slice(0, 20) });
    expect(one).toMatchObject({ ...second });
    expect(one.starts).toEqual([{ deployedAt: second?.deployedAt, snapshotIndex: 2, endedAt: null }]);
  });

  it("of the same artifact after a rollback is another one, without a lead time", async () => {
    const envName = await reporting();
    const [a, b] = [await build(), await build()];
    for (const running of [a, b, a]) await report(envName, [running.fingerprint]);
    const { body } = await client.listEnvironmentDeployments({ envName });
    expect(body.deployments.map((each) => [each.fingerprint, each.isRedeployment])).toEqual([
      [a.fingerprint, true],
      [b.fingerprint, false],
      [a.fingerprint, false],
      [expect.any(String), false],
    ]);
    expect(body.deployments.map(({ leadTimeSeconds }) => leadTimeSeconds !== null)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    const { body: one } = await client.getDeployment({ envName, fingerprint: a.fingerprint });
    expect(one.starts.map(({ snapshotIndex, endedAt }) => [snapshotIndex, endedAt === null])).toEqual([
      [4, true],
      [2, false],
    ]);
    expect(one.isRedeployment).toBe(true);
  });

  it("has no lead time if the commit is younger than the deployment", async () => {
    const envName = await reporting();
    const commit = someCommit();
    const { fingerprint, repo } = await build({
      gitCommit: commit,
      gitCommitInfo: { sha1: commit, timestamp: now() + 3600 },
    });
    await report(envName, [fingerprint]);
    const { body } = await client.getDeployment({ envName, fingerprint });
    expect(body).toMatchObject({ leadTimeSeconds: null, hasProvenance: true });
    const { body: statistics } = await client.getRepoDeploymentStatistics({ repo });
    expect(statistics.environments).toMatchObject([{ count: 1, excluded: { negative: 1, noCommit: 0 } }]);
  });

  it("belongs to the build with a repository, not to a flow that promotes it", async () => {
    const envName = await reporting();
    const [promotion, fingerprint] = [await flow(), someFingerprint()];
    const trailName = await trail(promotion);
    const body = artifactBody({ trailName, fingerprint, commit: someCommit() });
    await client.reportArtifact({ flowName: promotion, body });
    const built = await build({ fingerprint });
    await report(envName, [fingerprint]);
    const { body: found } = await client.getDeployment({ envName, fingerprint });
    expect(found).toMatchObject({ flowName: built.flowName, repoName: built.repoName });
    expect(found.flows).toEqual([promotion, built.flowName].toSorted());
  });
});

describe("the review of a deployment", () => {
  it.each([
    ["an approver who is not the author", [pullRequest("ada", [approved("bob")])], "reviewed", ["bob"]],
    ["no approver", [pullRequest("ada", [])], "unreviewed", []],
    ["its author as approver", [pullRequest("Ada", [approved("ada")])], "unreviewed", []],
    [
      "an approver who requested changes",
      [pullRequest("ada", [{ username: "bob", state: "CHANGES_REQUESTED" }])],
      "unreviewed",
      [],
    ],
    [
      "approvers in the older format, which names no author",
      [{ url: "https://git.example/pr/1", state: "MERGED", mergeCommit: "", approvers: ["bob"] }],
      "unknown",
      ["bob"],
    ],
    ["no pull request", [], "unreviewed", []],
  ])("of a pull request with %s", async (_, pullRequests, review, reviewedBy) => {
    const [envName, built] = [await reporting(), await build()];
    await attestReview(built, pullRequests);
    await report(envName, [built.fingerprint]);
    const { body } = await client.getDeployment({ envName, fingerprint: built.fingerprint });
    expect(body).toMatchObject({ review, reviewedBy });
  });

  it("counts the pull requests of facts", async () => {
    const [envName, built] = [await reporting(), await build()];
    const { flowName, trailName, fingerprint } = built;
    const pull_requests = [
      {
        ...{ url: "https://git.example/pr/1", state: "MERGED", author: "ada", title: "t", created_at: 1 },
        ...{ head_ref: "b", approvers: [approved("bob")], commits: [] },
      },
    ];
    const attestationData = { git_provider: "github", pull_requests };
    await client.attestSystem({
      ...{ flowName, trailName },
      body: { attestationName: "review", typeName: "pull_request", attestationData },
    });
    await report(envName, [fingerprint]);
    const { body } = await client.getDeployment({ envName, fingerprint });
    expect(body).toMatchObject({ review: "reviewed", reviewedBy: ["bob"] });
  });

  it("is unknown without provenance", async () => {
    const [envName, fingerprint] = [await reporting(), someFingerprint()];
    await report(envName, [fingerprint]);
    const { body } = await client.getDeployment({ envName, fingerprint });
    expect(body).toMatchObject({ review: "unknown", hasProvenance: false, gitCommit: null });
  });

  it("and its approvals are those before it, because later ones do not change the past", async () => {
    const [envName, built] = [await reporting(), await build()];
    await report(envName, [built.fingerprint]);
    await attestReview(built, [pullRequest("ada", [approved("bob")])]);
    await approve(built);
    const [before] = (await client.listEnvironmentDeployments({ envName })).body.deployments;
    expect(before).toMatchObject({ review: "unreviewed", approvedBy: [] });
    await report(envName, [someFingerprint()]);
    await report(envName, [built.fingerprint]);
    const { body } = await client.getDeployment({ envName, fingerprint: built.fingerprint });
    expect(body).toMatchObject({ review: "reviewed", approvedBy: ["external://bob"] });
  });

  it("follows an override of the attestation", async () => {
    const [envName, built] = [await reporting(), await build()];
    await attestReview(built, [pullRequest("ada", [approved("bob")])]);
    const override = (newComplianceStatus: boolean) =>
      client.overrideAttestation({
        ...{ flowName: built.flowName, trailName: built.trailName },
        body: {
          ...{ attestationName: "review", reason: "r", newComplianceStatus },
          originalAttestationType: "pull_request",
        },
      });
    for (const isCompliant of [false, true]) {
      await override(isCompliant);
      await report(envName, [built.fingerprint]);
      await report(envName, [someFingerprint()]);
    }
    const { body } = await client.listDeployments({ envName: [envName], repoName: [built.repoName] });
    expect(body.deployments.map(({ review }) => review)).toEqual(["reviewed", "unreviewed"]);
  });

  it("gives the lead time of the change from its oldest commit", async () => {
    const [envName, built] = [await reporting(), await build()];
    const committed = now() - 7200;
    const commits = [committed + 60, committed].map((timestamp) => ({ sha1: someCommit(), timestamp }));
    await attestReview(built, [pullRequest("ada", [], commits)]);
    await report(envName, [built.fingerprint]);
    const { body } = await client.getDeployment({ envName, fingerprint: built.fingerprint });
    expect(body.changeLeadTimeSeconds).toBeCloseTo(body.deployedAt - committed, 3);
  });
});

describe("the approvers of a deployment", () => {
  it("are those of the last approval for the environment, and accounts of compliant decisions", async () => {
    const [envName, other] = [await reporting(), await reporting()];
    const built = await build();
    await approve(built, { environment: envName });
    const control = unique("CTL");
    await client.createControl({ body: { identifier: control, name: "Code is reviewed" } });
    const decide = (isCompliant: boolean) =>
      client.attestSystem({
        ...{ flowName: built.flowName, trailName: built.trailName },
        body: {
          ...{ attestationName: "decision", typeName: "decision", control },
          artifactFingerprint: built.fingerprint,
          attestationData: { is_compliant: isCompliant },
        },
      });
    await decide(true);
    await report(envName, [built.fingerprint]);
    await report(other, [built.fingerprint]);
    const approvers = async (name: string) =>
      (await client.getDeployment({ envName: name, fingerprint: built.fingerprint })).body.approvedBy;
    expect(await approvers(envName)).toHaveLength(2);
    expect(await approvers(envName)).toContain("external://bob");
    expect(await approvers(other)).toHaveLength(1);
    await decide(false);
    expect(await approvers(envName)).toHaveLength(2);
    await approve(built, {}, "UNAPPROVED");
    const later = await reporting();
    await report(later, [built.fingerprint]);
    expect(await approvers(later)).toEqual([]);
  });
});

describe("listing deployments", () => {
  it("filters by environments, tags, repository, flow, compliance and review, in correct pages", async () => {
    const [envName, second] = [await reporting(), await reporting()];
    const tag = unique("tier");
    await client.updateTags({
      resourceType: "environment",
      resourceId: second,
      body: { setTags: { [tag]: "1" } },
    });
    const [reviewed, unreviewed] = [await build(), await build()];
    await client.updateTags({
      resourceType: "flow",
      resourceId: unreviewed.flowName,
      body: { setTags: { [tag]: "web" } },
    });
    await attestReview(reviewed, [pullRequest("ada", [approved("bob")])]);
    for (const { fingerprint } of [reviewed, unreviewed]) await report(envName, [fingerprint]);
    await report(second, [reviewed.fingerprint]);
    const found = async (query: object) => {
      const { body } = await client.listDeployments({ envName: [envName, second], ...query });
      return [body.totalCount, body.deployments.map((each) => [each.environmentName, each.fingerprint])];
    };
    const [inFirst, inSecond, unreviewedFirst] = [
      [envName, reviewed.fingerprint],
      [second, reviewed.fingerprint],
      [envName, unreviewed.fingerprint],
    ];
    expect(await found({})).toMatchObject([5, [inSecond, unreviewedFirst, inFirst, {}, {}]]);
    expect(await found({ envName: [second] })).toMatchObject([2, [inSecond, {}]]);
    expect(await found({ envName: undefined, envTag: [`${tag}:1`] })).toMatchObject([2, [inSecond, {}]]);
    expect(await found({ envTag: [`${tag}:2`] })).toEqual([0, []]);
    expect(await found({ repoName: [reviewed.repoName] })).toEqual([2, [inSecond, inFirst]]);
    expect(await found({ flow: [unreviewed.flowName] })).toEqual([1, [unreviewedFirst]]);
    const flowTag = [`${tag}:web`];
    expect(await found({ flowTag })).toEqual([1, [unreviewedFirst]]);
    expect(await found({ flowTag: [tag, `${tag}:other`] })).toEqual([0, []]);
    expect(await found({ flowTag, flow: [reviewed.flowName] })).toEqual([0, []]);
    expect(await found({ complianceState: "UNKNOWN", flow: [unreviewed.flowName] })).toMatchObject([1, [{}]]);
    expect(await found({ complianceState: "COMPLIANT" })).toEqual([0, []]);
    expect(await found({ review: "reviewed" })).toEqual([2, [inSecond, inFirst]]);
    expect(await found({ review: "reviewed", page: 2, perPage: 1 })).toEqual([2, [inFirst]]);
    expect(await found({ review: "unreviewed" })).toEqual([1, [unreviewedFirst]]);
    expect(await found({ page: 2, perPage: 2 })).toMatchObject([5, [inFirst, {}]]);
    expect(await found({ page: 9 })).toEqual([5, []]);
    expect(await found({ startTs: now() + 60, endTs: now() + 120 })).toEqual([0, []]);
    const { body } = await client.listDeployments({ perPage: 0, envName: [envName] });
    expect(body).toMatchObject({ perPage: 0, totalPages: 0, totalCount: 3, deployments: [] });
  });

  it("filters by approval, and finds approvals by the author of the commit", async () => {
    const envName = await reporting();
    const builtBy = (author: string) =>
      build({ gitCommitInfo: { sha1: someCommit(), author, timestamp: now() - 60 } });
    const byOther = await builtBy("Ada <ada@example.com>");
    const byAuthor = await builtBy("Robert <1234+bob@users.noreply.github.com>");
    const unapproved = await build();
    for (const built of [byOther, byAuthor]) await approve(built);
    for (const { fingerprint } of [byOther, byAuthor, unapproved]) await report(envName, [fingerprint]);
    const found = async (query: object) => {
      const { body } = await client.listDeployments({ envName: [envName], ...query });
      return [body.totalCount, body.deployments.map(({ fingerprint }) => fingerprint)];
    };
    const [first, second, third] = [byOther, byAuthor, unapproved].map(({ fingerprint }) => fingerprint);
    expect(await found({ approval: "approved" })).toEqual([2, [second, first]]);
    expect(await found({ approval: "approved", page: 2, perPage: 1 })).toEqual([2, [first]]);
    expect(await found({ approval: "approved", review: "reviewed" })).toEqual([0, []]);
    expect(await found({ approval: "by_author" })).toEqual([1, [second]]);
    expect(await found({ approval: "unapproved" })).toMatchObject([2, [third, expect.anything()]]);
  });

  it("picks a random sample by its seed, in the order of the list", async () => {
    const envName = await reporting();
    for (let count = 0; count < 12; count++) await report(envName, [someFingerprint()]);
    const ids = async (query: object) =>
      (await client.listDeployments({ envName: [envName], ...query })).body.deployments.map(({ id }) => id);
    const all = await ids({});
    const sample = await ids({ sample: 5 });
    expect(sample).toHaveLength(5);
    expect(sample).toEqual(all.filter((id) => sample.includes(id)));
    expect(await ids({ sample: 5, seed: 42 })).toEqual(sample);
    expect(await ids({ sample: 5, seed: 43 })).not.toEqual(sample);
    expect(await ids({ sample: 5, page: 2, perPage: 3 })).toEqual(sample.slice(3));
    expect(await ids({ sample: 200 })).toEqual(all);
    expect(await ids({ sample: 5, review: "reviewed" })).toEqual([]);
  });

  it("of a logical environment lists those of its members", async () => {
    const [logical, envName] = [await environment("logical"), await reporting()];
    await client.joinEnvironment({ envName: logical, body: { physicalEnvName: envName } });
    const names = [
      ...(await client.listEnvironmentDeployments({ envName: logical })).body.deployments,
      ...(await client.listDeployments({ envName: [logical] })).body.deployments,
    ].map((each) => each.environmentName);
    expect(names).toEqual([envName, envName]);
  });

  it("shows a key for one environment only the deployments there", async () => {
    const [envName, other] = [await reporting(), await reporting()];
    const name = unique("scoped");
    await client.createServiceAccount({ body: { name, privilege: "reader" } });
    const body = { description: "key", environments: [envName] };
    const scoped = target.clientFor((await client.createApiKey({ name, body })).body.key);
    const { deployments } = (await scoped.listDeployments({})).body;
    expect(deployments.map((each) => each.environmentName)).toEqual([envName]);
    await expectRefusal(scoped.listDeployments({ envName: [other] }), 403, /permission/);
    await expectRefusal(scoped.listEnvironmentDeployments({ envName: other }), 403, /permission/);
  });

  it("refuses a start after the end, and unknown environments, repositories and flows", async () => {
    const envName = await environment();
    const text = "start_ts must not be after end_ts";
    await expectInvalid(ask("listDeployments", { query: { start_ts: 2, end_ts: 1 } }), {
      "query.start_ts": text,
    });
    await expectInvalid(
      ask("listEnvironmentDeployments", {
        params: { env_name: envName },
        query: { from: "2026-02-01", to: "2026-01-01" },
      }),
      { "query.from": "from must not be after to" },
    );
    await expectInvalid(
      ask("listEnvironmentDeployments", { params: { env_name: envName }, query: { from: "soon" } }),
      { "query.from": "Input should be Unix seconds or an ISO 8601 date and time [input: soon]" },
    );
    const none = unique("none");
    await expectRefusal(client.listDeployments({ envName: [none] }), 404, unknown(none));
    await expectRefusal(client.listDeployments({ envName: [none], envTag: ["a"] }), 404, unknown(none));
    await expectRefusal(client.listDeployments({ repoName: [none] }), 404, `Repo '${none}' not found`);
    await expectRefusal(client.listDeployments({ flow: [none] }), 404, /^Flow named/);
    await expectRefusal(client.listEnvironmentDeployments({ envName: none }), 404, unknown(none));
    await expectRefusal(
      client.getDeployment({ envName, fingerprint: "abcde" }),
      404,
      `Artifact with fingerprint 'abcde' was never deployed to environment '${envName}'`,
    );
  });

  invalidQueries(target, "listDeployments", () => ({}), [
    [{ per_page: 51 }, "per_page", "Input should be less than or equal to 50"],
    [{ per_page: -1 }, "per_page", "Input should be greater than or equal to 0"],
    [{ page: 0 }, "page", "Input should be greater than or equal to 1"],
    [{ review: "maybe" }, "review", "Input should be"],
    [{ approval: "maybe" }, "approval", "Input should be"],
    [{ sample: 0 }, "sample", "Input should be greater than or equal to 1"],
    [{ sample: 201 }, "sample", "Input should be less than or equal to 200"],
    [{ sample: 5, seed: -1 }, "seed", "Input should be greater than or equal to 0"],
    [{ compliance_state: "maybe" }, "compliance_state", "Input should be"],
  ]);
});

describe("the frequency of deployments", () => {
  it("counts deployments of a flow or all, but not what already ran", async () => {
    const envName = await reporting();
    const [a, b] = [await build(), await build()];
    for (const running of [a, b, a]) await report(envName, [running.fingerprint]);
    const { body } = await client.getDeploymentFrequency({ envName });
    expect(body).toMatchObject({ environmentName: envName, flowId: null, count: 3, medianPerDay: 0 });
    expect(body.deployedAt).toEqual(body.deployedAt.toSorted((x, y) => x - y));
    expect(body.endTs - body.startTs).toBeCloseTo(28 * 86_400, 0);
    expect(body.perDay).toBeCloseTo(3 / 28, 5);
    const ofFlow = (await client.getDeploymentFrequency({ envName, flowId: a.flowName })).body;
    expect(ofFlow).toMatchObject({ flowName: a.flowName, count: 2 });
    const byId = (await client.getDeploymentFrequency({ envName, flowId: ofFlow.flowId ?? "" })).body;
    expect(byId.count).toBe(2);
    await expectRefusal(
      client.getDeploymentFrequency({ envName, flowId: "none" }),
      404,
      /^Flow named 'none'/,
    );
    await expectInvalid(client.getDeploymentFrequency({ envName, startTs: 0 }), {
      "query.start_ts": "The window must not be longer than 400 days",
    });
  });
});

describe("the deployments of a repository", () => {
  it("are listed, and given as a series for each environment", async () => {
    const [envName, other] = [await reporting(), await reporting()];
    const { fingerprint, repo } = await build();
    for (const running of [fingerprint, someFingerprint(), fingerprint]) await report(envName, [running]);
    await report(other, [fingerprint]);
    const { body } = await client.listRepoDeployments({ repo });
    expect(body.totalCount).toBe(3);
    expect(body.deployments.map(({ environmentName }) => environmentName)).toEqual([other, envName, envName]);
    expect((await client.listRepoDeployments({ repo, env: [other] })).body.totalCount).toBe(1);
    expect((await client.listRepoDeployments({ repo, perPage: 0 })).body).toMatchObject({
      totalCount: 3,
      deployments: [],
    });
    const { body: statistics } = await client.getRepoDeploymentStatistics({ repo, env: [envName] });
    const { deployments } = (await client.listRepoDeployments({ repo, env: [envName] })).body;
    expect(statistics.environments).toMatchObject([
      {
        ...{ name: envName, type: "K8S", count: 2 },
        deployedAt: deployments.map(({ deployedAt }) => deployedAt).toReversed(),
        leadTimeSeconds: [deployments[1]?.leadTimeSeconds, null],
        excluded: { initial: 0, redeployments: 1, noCommit: 0, negative: 0 },
      },
    ]);
    const past = async (env: string[]) =>
      (await client.getRepoDeploymentStatistics({ repo, env, startTs: 1, endTs: 2 })).body.environments;
    expect(await past([])).toEqual([]);
    expect(await past([envName])).toMatchObject([{ name: envName, count: 0, deployedAt: [] }]);
  });

  it("of an unknown ID or environment are not found, while a repository may be named so", async () => {
    const none = "00000000-0000-0000-0000-00000000";
    await expectRefusal(client.listRepoDeployments({ repo: none }), 404, `Repo '${none}' not found`);
    const { repo } = await build();
    const missing = unique("none");
    await expectRefusal(client.listRepoDeployments({ repo, env: [missing] }), 404, unknown(missing));
    const name = `${unique("acme")}/deployments`;
    await build({ repoInfo: { name, url: `https://github.com/${name}` } }).catch(() => undefined);
    const { body } = await target.sendRaw("GET", `/api/v2/repos/${org}/${name}`, {
      authorization: `Bearer ${target.apiKey}`,
    });
    expect(body).toMatchObject({ name });
  });
});

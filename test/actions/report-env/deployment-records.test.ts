import { describe, expect, test } from "vitest";
import { reportDeployments } from "../../../src/actions/report-env/deployment-records.ts";
import type { Report } from "../../../src/actions/report-env/report.ts";
import type { ActionContext } from "../../../src/github/step/action.ts";
import { type FakeAttestations, fakeAttestations, TOKEN } from "../fake-attestations.ts";

interface Environment {
  readonly environment: string;
  readonly context?: string;
  readonly cluster?: string;
  readonly workloads: readonly string[];
}

/** The report of an environment, with what the records need. */
function reportOf({ environment, context, cluster, workloads }: Environment): Report {
  const report = {
    target: { environment, context },
    running: {
      source: cluster === undefined ? undefined : { cluster, context: "any" },
      artifacts: () =>
        workloads.map((workload, index) => ({
          ...{ name: "ghcr.io/acme/app:1", workload, since: 1 },
          fingerprint: String(index % 10).repeat(64),
        })),
    },
  };
  return report as unknown as Report;
}

async function sent(github: FakeAttestations, environments: readonly Environment[], dryRun = false) {
  const [warnings, infos]: [string[], string[]] = [[], []];
  const context = {
    runner: { apiUrl: github.url, repository: "acme/web", childEnv: {} },
    signal: new AbortController().signal,
    dryRun,
    warn: (text: string) => warnings.push(text),
    info: (text: string) => infos.push(text),
  };
  await reportDeployments(environments.map(reportOf), TOKEN, context as unknown as ActionContext);
  return { warnings, infos };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => `shop-${index}`);
const prod: Environment = { environment: "prod", context: "eu", workloads: ["shop-web", "shop-api"] };

describe("the deployments of a cluster", () => {
  test("are set with one request for each environment", async () => {
    const github = await fakeAttestations();
    github.clusterRequests = "jobs";
    const { warnings, infos } = await sent(github, [prod, { ...prod, environment: "test" }]);
    const deployments = ["shop-web-app", "shop-api-app"].map((deployment_name, index) => ({
      ...{ name: "ghcr.io/acme/app:1", digest: `sha256:${String(index).repeat(64)}` },
      ...{ status: "deployed", deployment_name },
    }));
    expect(github.sets).toEqual(
      ["prod", "test"].map((logical_environment) => ({
        ...{ cluster: "eu", job: false },
        body: { logical_environment, return_records: false, deployments },
      })),
    );
    expect([warnings, github.records]).toEqual([[], []]);
    expect(infos).toEqual([expect.stringContaining("GitHub recorded 4 of 4 deployments")]);
  });

  test("have the name of the cluster if no context was chosen", async () => {
    const github = await fakeAttestations();
    github.clusterRequests = "set";
    await sent(github, [{ environment: "prod", cluster: "eu 1", workloads: ["shop-web"] }]);
    expect(github.sets).toMatchObject([{ cluster: "eu 1" }]);
  });

  test.each([undefined, "set"] as const)(
    "are sent one by one, or without a job, to a GitHub that has only the request %j",
    async (clusterRequests) => {
      const github = await fakeAttestations();
      if (clusterRequests !== undefined) github.clusterRequests = clusterRequests;
      const { infos } = await sent(github, [{ ...prod, workloads: many(101) }]);
      expect([github.sets.length, github.records.length]).toEqual(clusterRequests ? [1, 0] : [0, 101]);
      expect(github.sets.every(({ job }) => !job)).toBe(true);
      expect(infos).toEqual([expect.stringContaining("GitHub recorded 101 of 101 deployments")]);
    },
  );

  test("without a known cluster are sent one by one", async () => {
    const github = await fakeAttestations();
    github.clusterRequests = "jobs";
    await sent(github, [{ environment: "server", workloads: ["a", "b"] }, prod]);
    expect([github.sets.length, github.records.length]).toEqual([1, 2]);
  });

  test("are set by a job if they are many, after the job of another run", async () => {
    const github = await fakeAttestations();
    github.clusterRequests = "jobs";
    github.busy = 1;
    github.jobStates.unshift("pending");
    const { warnings, infos } = await sent(github, [{ ...prod, workloads: many(101) }]);
    expect(github.sets).toMatchObject([{ cluster: "eu", job: true }]);
    expect(warnings).toEqual([]);
    expect(infos).toEqual([expect.stringContaining("GitHub recorded 3 of 101 deployments")]);
  });

  test("cause a warning if the job fails", async () => {
    const github = await fakeAttestations();
    github.clusterRequests = "jobs";
    github.jobStates.splice(0, 1, "failed");
    const { warnings } = await sent(github, [{ ...prod, workloads: many(101) }]);
    expect(warnings).toEqual([expect.stringContaining("GitHub's job 42 for the cluster 'eu' failed")]);
  });

  test("are recorded although GitHub rejects one of them", async () => {
    const github = await fakeAttestations();
    github.clusterRequests = "jobs";
    github.refused = "shop-api-app";
    const { warnings, infos } = await sent(github, [prod]);
    expect(warnings).toEqual([
      expect.stringMatching(/GitHub rejected app: unauthorized.*refused 1 of 2 deployment records/),
    ]);
    expect(infos).toEqual([expect.stringContaining("GitHub recorded 1 of 2 deployments")]);
  });

  test("cause a warning if GitHub refuses the request", async () => {
    const github = await fakeAttestations();
    github.refusal = { status: 403, message: "no" };
    const { warnings } = await sent(github, [prod]);
    expect(warnings).toEqual([expect.stringContaining("artifact-metadata: write")]);
  });

  test("are not sent without any, or in a dry run", async () => {
    const github = await fakeAttestations();
    github.clusterRequests = "jobs";
    await sent(github, [{ ...prod, workloads: [] }]);
    expect((await sent(github, [prod], true)).infos).toEqual(["Would report 2 deployments to GitHub."]);
    expect(github.received).toEqual([]);
  });
});

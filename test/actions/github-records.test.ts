import { describe, expect, test } from "vitest";
import { runBundle, runHere } from "./bundle-run.ts";
import { type FakeAttestations, fakeAttestations, TOKEN } from "./fake-attestations.ts";
import { recordingServer } from "./recording-server.ts";
import { annotationsIn } from "./sent-attestations.ts";
import { DIGEST } from "./verdict.ts";

const OTHER = "b".repeat(64);
const REPORTED = { status: 201, body: "Report processed successfully, snapshot #1 created" };

const pod = (
  name: string,
  { digest = DIGEST, owner = "web-6d4cf56db6", since = "2026-11-20T09:30:00Z" } = {},
) => ({
  metadata: {
    name,
    namespace: "shop",
    creationTimestamp: since,
    ownerReferences:
      owner === ""
        ? []
        : [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: owner, uid: "1", controller: true }],
  },
  spec: { containers: [{ name: "app", image: "ghcr.io/acme/app:1" }] },
  status: {
    phase: "Running",
    containerStatuses: [
      { name: "app", image: "ghcr.io/acme/app:1", imageID: `ghcr.io/acme/app@sha256:${digest}` },
    ],
  },
});
const podsFile = (...items: unknown[]) => JSON.stringify({ kind: "PodList", apiVersion: "v1", items });

async function report(
  github: FakeAttestations,
  inputs: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
  by = runHere,
) {
  await using server = await recordingServer([REPORTED]);
  return await by("report-env", {
    server,
    inputs: { "github-deployment-records": "true", "github-token": TOKEN, ...inputs },
    files,
    env: { GITHUB_API_URL: github.url },
  });
}

describe("report-env with github-deployment-records", () => {
  const inputs = { environment: "prod", "pods-file": "pods.json" };
  const record = {
    org: "acme",
    kind: "deployment",
    digest: `sha256:${DIGEST}`,
    status: "deployed",
    logical_environment: "prod",
    return_records: false,
  };

  test("records each workload at GitHub once, by its newest version", async () => {
    const github = await fakeAttestations();
    const pods = podsFile(
      pod("web-6d4cf56db6-a"),
      pod("web-6d4cf56db6-b"),
      pod("web-5f5f5f5f5f-c", { digest: OTHER, owner: "web-5f5f5f5f5f", since: "2026-11-19T09:30:00Z" }),
      pod("alone", { owner: "" }),
    );
    const run = await report(github, inputs, { "pods.json": pods }, runBundle);
    expect(run).toMatchObject({ status: 0, outputs: { status: "recorded" } });
    const name = "ghcr.io/acme/app:1";
    expect(github.records).toHaveLength(2);
    expect(github.records).toEqual(
      expect.arrayContaining([
        { ...record, name, deployment_name: "shop-web-app" },
        { ...record, name, deployment_name: "shop-alone-app" },
      ]),
    );
    expect(run.stdout).toContain("GitHub recorded 2 of 2 deployments");
  });

  test("records each environment of a config", async () => {
    const github = await fakeAttestations();
    const config =
      "- { environment: prod, type: server, paths: app }\n- { environment: test, type: server, paths: app }\n";
    const run = await report(github, { config: "envs.yml" }, { "envs.yml": config, app: "abc" });
    expect(run.status).toBe(0);
    const environments = github.records.map(
      (each) => Object.entries(Object(each)).find(([key]) => key === "logical_environment")?.[1],
    );
    expect(environments.sort()).toEqual(["prod", "test"]);
  });

  test.each([
    [
      403,
      "the token may not write the deployment records of the organization (403); the job needs the permission `artifact-metadata: write`",
    ],
    [
      404,
      "the deployment records of the organization, or all of acme, does not exist or is hidden from the token (404)",
    ],
    [422, "GitHub did not accept the deployment records of the organization (422)"],
    [503, "GitHub answered 503"],
  ])("only warns when GitHub returns %i", async (status, reason) => {
    const github = await fakeAttestations();
    github.refusal = { status, message: "no" };
    const run = await report(github, inputs, { "pods.json": podsFile(pod("web-1")) });
    expect(run).toMatchObject({ status: 0, outputs: { status: "recorded" } });
    expect(annotationsIn(run.stdout, "warning")).toEqual([expect.stringContaining(reason)]);
  });

  test("records the rest when GitHub rejects one deployment", async () => {
    const github = await fakeAttestations();
    github.refused = "shop-second-app";
    const pods = podsFile(...["first", "second", "third"].map((name) => pod(name, { owner: "" })));
    const run = await report(github, inputs, { "pods.json": pods });
    expect(run).toMatchObject({ status: 0, outputs: { status: "recorded" } });
    expect(github.records).toHaveLength(2);
    expect(annotationsIn(run.stdout, "warning")).toEqual([
      expect.stringContaining("GitHub did not accept the deployment records of the organization (422)"),
    ]);
    expect(run.stdout).toContain("GitHub recorded 2 of 3 deployments");
  });

  test("warns without a token, and sends nothing in a dry run", async () => {
    const github = await fakeAttestations();
    const files = { "pods.json": podsFile(pod("web-1")) };
    const without = await report(github, { ...inputs, "github-token": "" }, files);
    expect(annotationsIn(without.stdout, "warning")).toEqual([
      expect.stringContaining("github-token or the variable GITHUB_REPOSITORY is empty"),
    ]);
    const dry = await report(github, { ...inputs, "dry-run": "true" }, files);
    expect(dry.stdout).toContain("Would report 1 deployments to GitHub.");
    expect([without.status, dry.status, github.received.length]).toEqual([0, 0, 0]);
  });
});

describe("attest of an artifact with github-storage-record", () => {
  async function attest(github: FakeAttestations, inputs: Readonly<Record<string, string>>, by = runHere) {
    await using server = await recordingServer([{ status: 201, body: "OK" }]);
    const given = {
      flow: "web",
      name: "app",
      kind: "artifact",
      "github-storage-record": "true",
      "github-token": TOKEN,
    };
    const run = await by("attest", {
      server,
      inputs: { ...given, ...inputs },
      env: { GITHUB_API_URL: github.url },
    });
    return { ...run, requests: server.requests };
  }

  test("records the registry and repository of the image", async () => {
    const github = await fakeAttestations();
    const inputs = { fingerprint: `ghcr.io/acme/shop/app:1.2@sha256:${DIGEST}` };
    const run = await attest(github, inputs, runBundle);
    expect(run).toMatchObject({ status: 0, outputs: { status: "recorded" } });
    expect(github.records).toEqual([
      {
        org: "acme",
        kind: "storage",
        name: "ghcr.io/acme/shop/app",
        digest: `sha256:${DIGEST}`,
        version: "1.2",
        registry_url: "https://ghcr.io",
        repository: "acme/shop/app",
        github_repository: "web",
        return_records: false,
      },
    ]);
  });

  test("only warns when GitHub rejects the record", async () => {
    const github = await fakeAttestations();
    github.refusal = { status: 403, message: "no" };
    const run = await attest(github, { fingerprint: `ghcr.io/acme/app@sha256:${DIGEST}` });
    expect(run).toMatchObject({ status: 0, outputs: { status: "recorded" } });
    expect(annotationsIn(run.stdout, "warning").join("\n")).toContain("artifact-metadata: write");
  });

  test.each([
    [
      { fingerprint: DIGEST },
      "github-storage-record: requires an image: set artifact-type: oci, or set fingerprint to name@sha256:…",
    ],
    [
      { fingerprint: `My App@sha256:${DIGEST}` },
      "github-storage-record: requires an image: set artifact-type: oci, or set fingerprint to name@sha256:…",
    ],
    [
      { fingerprint: `MyApp@sha256:${DIGEST}` },
      "github-storage-record: 'MyApp' must be in lower case, except for the tag",
    ],
    [
      { fingerprint: DIGEST, kind: "generic", compliant: "true" },
      "github-storage-record: is not used by kind: generic",
    ],
  ])("rejects %j", async (inputs, problem) => {
    const run = await attest(await fakeAttestations(), inputs);
    expect(run.stdout).toContain(problem);
    expect(run).toMatchObject({ status: 1, requests: [] });
  });
});

import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { credentialsXml, fakeAws, KEYS } from "../clouds/aws/fake-aws.ts";
import { startRunnerEndpoint } from "../identity/runner-endpoint.ts";
import { runBundle, runHere } from "./bundle-run.ts";
import { loadedFiles } from "./loaded-files.ts";
import { recordingServer } from "./recording-server.ts";

const CREATED = { status: 201, body: "Report processed successfully, snapshot #1 created" };
const NO_ENVIRONMENT = "Environment named 'prod' does not exist for organization 'acme'";
const DIGEST = "a".repeat(64);

const pod = (name: string, namespace: string) => ({
  metadata: { name, namespace, creationTimestamp: "2026-11-20T09:30:00Z" },
  spec: { containers: [{ name: "app", image: "reg.example/app:1" }] },
  status: {
    phase: "Running",
    containerStatuses: [
      { name: "app", image: "reg.example/app:1", imageID: `reg.example/app@sha256:${DIGEST}` },
    ],
  },
});
const list = (...items: unknown[]) => JSON.stringify({ kind: "PodList", apiVersion: "v1", items });

/** A folder with a kubectl that answers from its own state, for PATH and HOME. */
async function fakeKubectl(variables: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), "kubectl-"));
  const script = fileURLToPath(new URL("../kubernetes/fake-kubectl.ts", import.meta.url));
  const program = join(folder, "bin", "kubectl");
  await mkdir(join(folder, "bin"));
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`);
  await chmod(program, 0o755);
  return {
    env: { PATH: `${join(folder, "bin")}:/usr/bin:/bin`, HOME: folder, FAKE_STATE: folder, ...variables },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

describe("the report-env bundle", () => {
  test("reports the pods of a file", async () => {
    await using server = await recordingServer([CREATED]);
    const run = await runBundle("report-env", {
      server,
      inputs: { environment: "prod", "pods-file": "pods.json" },
      files: { "pods.json": list(pod("web-1", "shop"), pod("web-2", "shop"), pod("dns", "kube-system")) },
    });
    expect(run.snapshot).toMatchSnapshot();
    expect(run.outputs).toMatchObject({ status: "recorded", "pod-count": "3", "snapshot-created": "true" });
  });

  test("logs when nothing has changed", async () => {
    const message = "Report processed successfully, no new snapshots to create";
    await using server = await recordingServer([{ status: 200, body: message }]);
    const run = await runHere("report-env", {
      server,
      inputs: { environment: "prod", "pods-file": "pods.json", "exclude-namespaces": "kube-system" },
      files: { "pods.json": list(pod("web-1", "shop"), pod("dns", "kube-system")) },
    });
    expect(run.outputs).toEqual({
      status: "recorded",
      "pod-count": "1",
      "snapshot-created": "false",
      message,
      results: "",
    });
  });

  const MISSING = { status: 404, body: { message: NO_ENVIRONMENT } };
  const PROD = {
    status: 200,
    body: { org: "acme", name: "prod", type: "K8S", description: "Kept", policies: ["p"] },
  };

  test.each([
    [
      "creates a missing environment",
      [MISSING, { status: 201, body: "OK" }, CREATED],
      ["PUT /api/v2/environments/acme"],
    ],
    ["never changes an environment that exists", [PROD, CREATED], []],
  ])("with create-environment %s", async (_, answers, created) => {
    await using server = await recordingServer(answers);
    const run = await runHere("report-env", {
      server,
      inputs: { environment: "prod", "pods-file": "pods.json", "create-environment": "true" },
      files: { "pods.json": list(pod("web-1", "shop")) },
    });
    expect(run.outputs).toMatchObject({ status: "recorded" });
    expect(server.requests.map((request) => request.split("\n")[0])).toEqual([
      "GET /api/v2/environments/acme/prod",
      ...created,
      "PUT /api/v2/environments/acme/prod/report/K8S",
    ]);
  });

  test("suggests create-environment when the environment does not exist", async () => {
    await using server = await recordingServer([MISSING]);
    const run = await runHere("report-env", {
      server,
      inputs: { environment: "prod", "pods-file": "pods.json" },
      files: { "pods.json": list(pod("web-1", "shop")) },
    });
    expect(run.stdout).toContain(NO_ENVIRONMENT);
    expect(run.stdout).toContain("Check `environment`, or set create-environment: true to create 'prod'.");
    expect(run.stdout).not.toContain("Check the names");
  });

  test("reports the pods of a cluster, page by page", async () => {
    await using server = await recordingServer([CREATED]);
    await using kubectl = await fakeKubectl({ FAKE_PODS: "25" });
    const run = await runBundle("report-env", { server, inputs: { environment: "prod" }, env: kubectl.env });
    expect(run.outputs, run.stdout).toMatchObject({ status: "recorded", "pod-count": "25" });
    const report = JSON.parse(server.requests[0]?.split("\n\n")[1] ?? "");
    expect(report.artifacts).toHaveLength(25);
    expect(run.stdout).toContain("Read cluster 'cluster-eu' through the context 'shop-prod'.");
    expect(run.snapshot).toContain("| Cluster | cluster-eu |");
    expect(run.snapshot).toContain("| Context | shop-prod |");
  });

  test("links the environment and the created snapshot", async () => {
    await using server = await recordingServer([CREATED]);
    const run = await runHere("report-env", {
      server,
      inputs: { environment: "prod eu", "pods-file": "pods.json" },
      files: { "pods.json": list(pod("web-1", "shop")) },
    });
    const page = "http://SERVICE/acme/environments/prod%20eu";
    expect(run.snapshot).toContain(`[Open the environment](<${page}>)`);
    expect(run.snapshot).toContain(`(<${page}/snapshots/1>)`);
  });

  test("reports nothing when the cluster cannot be listed, even with on-unavailable: warn", async () => {
    await using server = await recordingServer([CREATED]);
    await using kubectl = await fakeKubectl({ FAKE_PODS: "100", FAKE_FAULT: "page 7 always" });
    const inputs = { environment: "prod", "on-unavailable": "warn" };
    const run = await runHere("report-env", { server, inputs, env: kubectl.env });
    expect(run.status).toBe(1);
    expect(run.stdout).toContain("etcdserver: no leader");
    expect(server.requests).toEqual([]);
  });

  test("refuses to report zero pods without allow-empty", async () => {
    await using server = await recordingServer([CREATED]);
    const call = {
      server,
      inputs: { environment: "prod", "pods-file": "pods.json" },
      files: { "pods.json": list() },
    };
    const refused = await runHere("report-env", call);
    expect(refused.status).toBe(1);
    expect(refused.stdout).toContain("no pod was found to report");
    expect(server.requests).toEqual([]);
    const allowed = await runHere("report-env", {
      ...call,
      inputs: { ...call.inputs, "allow-empty": "true" },
    });
    expect(allowed).toMatchObject({ status: 0, outputs: { "pod-count": "0" } });
  });

  test("continues when the service is down and on-unavailable is warn", async () => {
    const inputs = { environment: "prod", "pods-file": "pods.json", "on-unavailable": "warn", retries: "0" };
    const files = { "pods.json": list(pod("web-1", "shop")) };
    const run = await runHere("report-env", {
      inputs: { ...inputs, "base-url": "http://127.0.0.1:9" },
      files,
    });
    expect(run).toMatchObject({ status: 0, outputs: { status: "skipped", "snapshot-created": "false" } });
  });

  test("rejects cluster inputs together with pods-file", async () => {
    const run = await runHere("report-env", {
      inputs: { environment: "e", "pods-file": "x", kubeconfig: "k" },
    });
    expect(run.stdout).toContain("kubeconfig: is not used with pods-file");
  });
});

describe("a cloud's type", () => {
  const SESSION = {
    accessKeyId: "ASIASESSION",
    secretAccessKey: "of-the-session",
    sessionToken: "session+/=",
  };

  test("masks the identity token and the credentials that it gets before it prints anything else", async () => {
    const { url } = await fakeAws(
      ({ service }) => ({ body: service === "" ? credentialsXml(SESSION) : { clusterArns: [] } }),
      { keys: [SESSION] },
    );
    const runner = await startRunnerEndpoint();
    onTestFinished(() => runner.close());
    await using server = await recordingServer([CREATED]);
    const run = await runHere("report-env", {
      server,
      inputs: {
        environment: "prod",
        type: "ECS",
        "aws-role": "arn:aws:iam::1:role/r",
        "allow-empty": "true",
      },
      env: { ...runner.job(() => "identity-token"), AWS_ENDPOINT_URL: url, AWS_REGION: "eu-central-1" },
    });
    expect(run.status, run.stdout).toBe(0);
    const lines = run.stdout.split("\n").filter(Boolean);
    const masks = lines.filter((line) => line.startsWith("::add-mask::"));
    expect(lines.slice(0, masks.length)).toEqual(masks);
    for (const secret of ["identity-token", ...Object.values(SESSION)])
      expect(masks).toContain(`::add-mask::${secret}`);
    expect(JSON.parse(server.requests[0]?.split("\n\n")[1] ?? "")).toEqual({ type: "ECS", artifacts: [] });
  });

  test("loads its own code only, and pods load none of it", async () => {
    const { url } = await fakeAws(() => ({ body: { Functions: [] } }));
    const loadedBy = async (inputs: Readonly<Record<string, string>>) => {
      const { env, loaded } = await loadedFiles();
      await using server = await recordingServer([CREATED]);
      const login = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey };
      const run = await runBundle("report-env", {
        server,
        inputs: { environment: "prod", "allow-empty": "true", ...inputs },
        files: { "pods.json": list(pod("web-1", "shop")) },
        env: { ...env, ...login, AWS_ENDPOINT_URL: url, AWS_REGION: "eu-central-1" },
      });
      expect(run.status, run.stdout).toBe(0);
      return (await loaded()).map((path) => path.replace("shared/", ""));
    };
    const clouds = [
      "aws.js",
      "ecs.js",
      "lambda.js",
      "s3.js",
      "sax.js",
      "discovery.js",
      "azure-apps.js",
      "cloud-run.js",
      "clouds.js",
    ];
    const used = (loaded: readonly string[]) => clouds.filter((file) => loaded.includes(file));
    expect(used(await loadedBy({ "pods-file": "pods.json" }))).toEqual([]);
    expect(used(await loadedBy({ type: "lambda" }))).toEqual(["aws.js", "lambda.js", "sax.js", "clouds.js"]);
  });
});

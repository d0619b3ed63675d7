import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fingerprintDirectory } from "../../src/evidence/directory-fingerprint.ts";
import { fingerprintFile } from "../../src/evidence/fingerprint.ts";
import { engine } from "../evidence/docker/engine.ts";
import { CONTAINERS, engineOf, UNKNOWN } from "../evidence/docker/engine-host.ts";
import { startJob } from "./workspace.ts";

let job: Awaited<ReturnType<typeof startJob>>;
beforeAll(async () => {
  job = await startJob();
});
afterAll(() => job[Symbol.asyncDispose]());

/** Reports as a step of a job. */
function report(
  type: string,
  environment: string,
  inputs: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
) {
  const given = { environment, type, "create-environment": "true", ...inputs };
  return job.step("report-env", given, {}, undefined, env);
}

/** The running artifacts of an environment, as the service returns them. */
async function runningIn(envName: string) {
  const { body } = await job.client.getSnapshot({ envName, snapshotExpression: "-1" });
  return { type: body.type, artifacts: body.artifacts.map(({ name, fingerprint }) => [name, fingerprint]) };
}

describe("type: docker", () => {
  test("running containers are in the snapshot, with the digests and names of their registries", async () => {
    const { address } = await engine(engineOf([...CONTAINERS, ...UNKNOWN]));
    const run = await report("docker", "host", {}, { DOCKER_HOST: address });
    expect(run.outputs, run.log).toMatchObject({
      status: "recorded",
      "pod-count": "5",
      "snapshot-created": "true",
    });
    expect(run.annotations.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^Containers not reported, because the image is not in a registry .*: dev \(web:dev\)$/,
      ),
      "Containers not reported, because the engine no longer has the image: left (web:0.9)",
    ]);
    const { type, artifacts } = await runningIn("host");
    expect(type).toBe("docker");
    expect(artifacts.sort()).toEqual([
      ["ghcr.io/acme/web:1.2", "a".repeat(64)],
      ["postgres:17", "c".repeat(64)],
      [`redis@sha256:${"d".repeat(64)}`, "d".repeat(64)],
      [`sha256:${"2".repeat(64)}`, "c".repeat(64)],
    ]);
    const again = await report("docker", "host", {}, { DOCKER_HOST: address });
    expect(again.outputs["snapshot-created"]).toBe("false");
  });

  test("an environment of another type is not changed", async () => {
    await job.client.createEnvironment({ body: { name: "cluster", type: "K8S", description: "" } });
    const { address } = await engine(engineOf(CONTAINERS));
    const inputs = { "create-environment": "false" };
    const run = await report("docker", "cluster", inputs, { DOCKER_HOST: address });
    expect(run.outcome).toBe("failure");
    expect(run.annotations[0]?.message).toContain("'cluster' has the type 'K8S'");
  });
});

describe("type: server", () => {
  test("files and directories are in the snapshot by their names, with the same fingerprints as attest computes", async () => {
    await job.write("srv/app/bin/run", "#!/bin/sh\n");
    await job.write("srv/app/logs/today.log", "noise");
    await job.write("srv/app/.kosli_ignore", "cache\n");
    await job.write("srv/app/cache/x", "noise");
    await job.write("srv/jars/a.jar", "A");
    await job.write("srv/jars/b.jar", "B");
    await job.write("srv/jars/old.jar", "O");
    const at = (path: string) => join(job.workspace, path);
    utimesSync(at("srv/app"), 1_795_000_000, 1_795_000_000);
    symlinkSync("a.jar", at("srv/jars/current"));
    const run = await report("server", "machine", {
      paths: "app=srv/app\n./srv/jars/*.jar\n!srv/jars/old.jar\nnow=srv/jars/current",
      exclude: "logs",
    });
    expect(run.outputs, run.log).toMatchObject({ status: "recorded", "pod-count": "4" });
    const app = await fingerprintDirectory(at("srv/app"), { exclude: ["logs"] });
    const [a, b] = await Promise.all([at("srv/jars/a.jar"), at("srv/jars/b.jar")].map(fingerprintFile));
    const { type, artifacts } = await runningIn("machine");
    expect(type).toBe("server");
    expect(artifacts.sort()).toEqual(
      [
        [at("srv/jars/a.jar"), a],
        [at("srv/jars/b.jar"), b],
        ["app", app],
        ["now", a],
      ].sort(),
    );
    const { body } = await job.client.getSnapshot({ envName: "machine", snapshotExpression: "-1" });
    expect(body.artifacts.find(({ name }) => name === "app")?.creationTimestamp).toEqual([1_795_000_000]);
    expect(run.summary).toContain("| app |");
  });

  test("nothing is reported when a path is missing, and with allow-empty the others are", async () => {
    await job.write("opt/there", "x");
    const paths = "opt/there\nopt/gone\nopt/*.war";
    const refused = await report("server", "partly", { paths });
    expect(refused.outcome).toBe("failure");
    expect(refused.annotations[0]?.message).toContain("paths: 'opt/gone' does not exist");
    expect(refused.annotations[0]?.message).toContain("paths: nothing matches 'opt/*.war'");
    const allowed = await report("server", "partly", { paths, "allow-empty": "true" });
    expect(allowed.outputs["pod-count"], allowed.log).toBe("1");
  });

  test("a directory with unreadable content is not reported", async () => {
    mkdirSync(join(job.workspace, "holed"));
    symlinkSync("nowhere", join(job.workspace, "holed", "broken"));
    const run = await report("server", "holed", { paths: "holed" });
    expect(run.outcome).toBe("failure");
    expect(run.annotations[0]?.message).toMatch(
      /^paths: '.*holed.broken' points to something that does not exist$/,
    );
  });
});

test("one file lists environments of several types", async () => {
  const { address } = await engine(engineOf(CONTAINERS));
  await job.write("lib/a", "x");
  await job.write(
    "environments.yml",
    "- environment: containers\n  type: docker\n- environment: files\n  paths: [a=lib/a]\n",
  );
  const inputs = { config: "environments.yml", type: "server", "create-environment": "true" };
  const run = await job.step("report-env", inputs, {}, undefined, { DOCKER_HOST: address });
  expect(run.outcome, run.log).toBe("success");
  expect((await runningIn("containers")).type).toBe("docker");
  expect((await runningIn("files")).artifacts).toHaveLength(1);
});

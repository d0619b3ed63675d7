import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { actions, root as rootAction } from "../../src/actions/actions.ts";
import { serveProgram } from "../cli/program.ts";
import { gitHubWithoutArtifacts } from "../docs/examples/github.ts";
import { OPA } from "../go-programs.ts";
import { SHA, startJob } from "./workspace.ts";

const PROJECT = join(import.meta.dirname, "../..");
const FINGERPRINT = "a".repeat(64);
const PODS = JSON.stringify({
  kind: "PodList",
  items: [
    {
      metadata: { name: "web-1", namespace: "shop", creationTimestamp: "2026-11-20T09:30:00Z" },
      status: {
        phase: "Running",
        containerStatuses: [{ name: "web", image: "reg/web:1", imageID: `reg/web@sha256:${FINGERPRINT}` }],
      },
    },
  ],
});

const scratch = mkdtempSync(join(tmpdir(), "release-archive-"));
/** GitHub's unpacked archive, which is all that a runner has of an action. */
const unpacked = join(scratch, "toolkit");
let job: Awaited<ReturnType<typeof startJob>>;

beforeAll(async () => {
  await mkdir(unpacked);
  const archive = git(["archive", "--format=tar", treeAsItWouldBeCommitted()]);
  const { status, stderr } = spawnSync("tar", ["-xf", "-", "-C", unpacked], { input: archive });
  expect(stderr.toString()).toBe("");
  expect(status).toBe(0);
  job = await startJob(unpacked);
});
afterAll(async () => {
  await job[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
});

function git(args: readonly string[], env: Readonly<Record<string, string>> = {}): Buffer {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: PROJECT,
    env: { ...process.env, ...env },
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** The tree of the files as they are now, whatever is staged. The index does not change. */
function treeAsItWouldBeCommitted(): string {
  const index = join(scratch, "index");
  copyFileSync(resolve(PROJECT, git(["rev-parse", "--git-path", "index"]).toString().trim()), index);
  const env = { GIT_INDEX_FILE: index };
  git(["add", "--all"], env);
  return git(["write-tree"], env).toString().trim();
}

test("a release archive contains code and docs, without tests, benchmarks and pictures", () => {
  expect(readdirSync(unpacked).filter((name) => !name.startsWith("."))).toEqual([
    ...["LICENSE", "README.md", "action.yml", "actions", "dist", "docs", "integrations"],
    ...["package-lock.json", "package.json", "scripts", "src", "tsconfig.json"],
  ]);
  const files = readdirSync(unpacked, { recursive: true }).map(String);
  expect(files.filter((path) => /\.png$|\.test\.ts$|^scripts\/bench|sbom\.cdx\.json$/.test(path))).toEqual(
    [],
  );
});

test("every action runs from it", async () => {
  await job.write("evidence.yml", "version: 1\ntrail:\n  artifacts: [{name: app}]\n");
  await job.write("pods.json", PODS);
  await job.write("release.rego", "package policy\nallow := count(input.artifact.trails) == 1\n");
  const steps = {
    "begin-trail": { "flow-template-file": "evidence.yml" },
    attest: { kind: "artifact", name: "app", fingerprint: FINGERPRINT },
    "assert-artifact": { fingerprint: FINGERPRINT },
    // A machine without opa skips the tests that are about it.
    ...(OPA !== undefined && {
      evaluate: { policy: "release.rego", fingerprint: FINGERPRINT, "opa-path": OPA },
    }),
    "report-env": { environment: "prod", "pods-file": "pods.json", "create-environment": "true" },
    "running-commit": { environment: "prod" },
    "set-flow-action": { name: "tell", emails: "team@example.com" },
    comment: {},
    replay: {},
  };
  const names = actions.map(({ name }) => name).filter((name) => name !== "evaluate" || OPA !== undefined);
  expect(Object.keys(steps).sort()).toEqual(names.sort());

  const noArtifacts = await gitHubWithoutArtifacts();
  const outputs: Record<string, Readonly<Record<string, string>>> = {};
  for (const [name, inputs] of Object.entries(steps)) {
    const run = await job.step(name, inputs, name === "replay" ? noArtifacts : {});
    expect(run.outcome, `${name}\n${run.log}`).toBe("success");
    outputs[name] = run.outputs;
  }
  expect(outputs).toMatchObject({
    "begin-trail": { trail: SHA },
    attest: { status: "recorded" },
    "assert-artifact": { compliant: "true" },
    "report-env": { "pod-count": "1" },
    "running-commit": { "commit-sha": SHA },
    "set-flow-action": { created: "true" },
    comment: { status: "none" },
    replay: { status: "empty" },
  });
});

test("the root action runs from it, as the runner starts it", async () => {
  const at = (name: string) => join(scratch, name);
  for (const name of ["output", "summary"]) writeFileSync(at(name), "");
  const program = join(unpacked, "dist", rootAction.name, "index.js");
  const child = spawn(process.execPath, [program], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"],
      GITHUB_OUTPUT: at("output"),
      GITHUB_STEP_SUMMARY: at("summary"),
      RUNNER_TEMP: scratch,
      INPUT_OPERATION: "listFlows",
      "INPUT_API-KEY": job.apiKey,
      "INPUT_BASE-URL": job.address,
      INPUT_ORG: "acme",
    },
  });
  const [stdout, [status]] = await Promise.all([text(child.stdout), once(child, "close")]);
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.not.stringContaining("::error") });
  expect(readFileSync(at("output"), "utf8")).toMatch(/^status-code<<.*\n200$/m);
});

test("the service starts from its sources and serves every file that its pages load", async () => {
  symlinkSync(join(PROJECT, "node_modules"), join(unpacked, "node_modules"));
  const service = await serveProgram(["--data", join(scratch, "data"), "--org", "acme"], {
    program: join(unpacked, "src/cli.ts"),
  });
  const page = await fetch(`${service.address}/login`);
  const loaded = [...(await page.text()).matchAll(/<(?:link|script)[^>]*(?:href|src)="([^"]+)"/g)];
  const answers = await Promise.all(loaded.map(([, path = ""]) => fetch(new URL(path, page.url))));
  await service.stop();
  const found = answers.map(({ status, headers }) => `${status} ${headers.get("content-type")}`);
  expect(found.sort()).toEqual([
    "200 image/svg+xml",
    "200 text/css; charset=utf-8",
    "200 text/javascript; charset=utf-8",
  ]);
});

test("it contains everything that a build and the demo need", () => {
  for (const path of ["package-lock.json", ".npmrc", "scripts/demo.ts", "scripts/build.ts"]) {
    expect(existsSync(join(unpacked, path)), path).toBe(true);
  }
});

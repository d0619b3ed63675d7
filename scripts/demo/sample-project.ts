import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { GitHubContext } from "../composite/composite.ts";

/** A project that the demo's workflow would have checked out, tested and built. */
export interface SampleProject {
  readonly workspace: string;
  readonly github: GitHubContext;
  /** sha256 of the built artifact. */
  readonly fingerprint: string;
}

const FILES = {
  "src/greeting.mjs": "export const greeting = (name) => `Hello, ${name}!`;\n",
  "test/greeting.test.mjs": `import assert from "node:assert/strict";
import test from "node:test";
import { greeting } from "../src/greeting.mjs";

test("greets by name", () => assert.equal(greeting("Ada"), "Hello, Ada!"));
test("greets the nameless", () => assert.equal(greeting(""), "Hello, !"));
`,
  "evidence.yml": `version: 1
trail:
  attestations:
    - name: build
      type: generic
  artifacts:
    - name: app
      attestations:
        - name: unit-test
          type: generic
`,
};

/** Writes a small project, runs its tests for a JUnit report and a log, and builds its artifact. */
export async function makeSampleProject(workspace: string): Promise<SampleProject> {
  for (const folder of ["src", "test", "reports", "build"])
    await mkdir(join(workspace, folder), { recursive: true });
  for (const [path, text] of Object.entries(FILES)) await writeFile(join(workspace, path), text);

  const tests = spawnSync(
    process.execPath,
    [
      "--test",
      "--test-reporter=junit",
      "--test-reporter-destination=reports/junit.xml",
      "--test-reporter=spec",
      "--test-reporter-destination=reports/test.log",
      "test/greeting.test.mjs",
    ],
    { cwd: workspace, encoding: "utf8" },
  );
  if (tests.status !== 0)
    throw new Error(`The tests of the sample project failed:\n${tests.stdout}${tests.stderr}`);

  const artifact = gzipSync(FILES["src/greeting.mjs"]);
  await writeFile(join(workspace, "build/app.gz"), artifact);
  const fingerprint = createHash("sha256").update(artifact).digest("hex");
  await writeFile(join(workspace, "pods.json"), JSON.stringify(podList(fingerprint), null, 2));
  return { workspace, fingerprint, github: pushEvent(await readFile(join(workspace, "src/greeting.mjs"))) };
}

/** A push to the main branch, in GitHub's format. */
function pushEvent(content: Buffer): GitHubContext {
  const sha = createHash("sha1").update(content).digest("hex");
  const repository = { id: 4711, full_name: "acme/greeter", html_url: "https://github.com/acme/greeter" };
  return {
    event_name: "push",
    sha,
    ref: "refs/heads/main",
    ref_name: "main",
    repository: "acme/greeter",
    repository_id: "4711",
    repository_owner: "acme",
    run_id: "1001",
    run_attempt: "1",
    workflow: "Deliver",
    actor: "ada",
    server_url: "https://github.com",
    api_url: "https://api.github.com",
    event: {
      ref: "refs/heads/main",
      after: sha,
      repository: { ...repository, description: "Says hello" },
      head_commit: {
        id: sha,
        message: "Greet by name",
        timestamp: "2026-11-20T10:00:00+01:00",
        url: `https://github.com/acme/greeter/commit/${sha}`,
        author: { name: "Ada Example", email: "ada@example.com", username: "ada" },
      },
    },
  };
}

/** The output of `kubectl get pods -o json` for two running instances of the artifact. */
function podList(fingerprint: string): unknown {
  const image = "registry.example.com/acme/greeter:1.0.0";
  const pod = (name: string) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "greeter", creationTimestamp: "2026-11-20T09:30:00Z" },
    spec: { containers: [{ name: "app", image }] },
    status: {
      phase: "Running",
      containerStatuses: [
        { name: "app", image, imageID: `registry.example.com/acme/greeter@sha256:${fingerprint}` },
      ],
    },
  });
  return { apiVersion: "v1", kind: "PodList", items: [pod("greeter-7d9f-a"), pod("greeter-7d9f-b")] };
}

import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BUNDLES } from "../../scripts/bundle.ts";
import { OPA, WITH_OPA } from "../go-programs.ts";
import { type BundleCall, runBundle, SHA } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";
import { archiveOf, gitHubWith } from "./spool-artifacts.ts";
import { trailWith } from "./trail.ts";
import { COMPLIANT, DIGEST } from "./verdict.ts";

const SHARED = join(import.meta.dirname, "../../dist/shared");

/** Removes every global that opens connections, and makes the engine refuse to evaluate code from text. */
const TRAPS = `for (const name of ["fetch", "FormData", "XMLHttpRequest", "WebSocket", "EventSource"]) {
  Object.defineProperty(globalThis, name, {
    get() {
      process._rawDebug("the global " + name + " is used");
      process.exit(99);
    },
  });
}
`;

let folder = "";
let trapped: Record<string, string> = {};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "globals-"));
  writeFileSync(join(folder, "traps.mjs"), TRAPS);
  trapped = {
    NODE_OPTIONS: `--disallow-code-generation-from-strings --import=${join(folder, "traps.mjs")}`,
  };
});
afterAll(() => rm(folder, { recursive: true }));

const pods = {
  kind: "PodList",
  apiVersion: "v1",
  items: [
    {
      metadata: { name: "web-1", namespace: "shop", creationTimestamp: "2026-11-20T09:30:00Z" },
      spec: { containers: [{ name: "app", image: "reg.example/app:1" }] },
      status: {
        phase: "Running",
        containerStatuses: [
          {
            name: "app",
            image: "reg.example/app:1",
            imageID: `reg.example/app@sha256:${DIGEST}`,
          },
        ],
      },
    },
  ],
};

/** Source of each bundle. */
const calls: Readonly<Record<string, BundleCall>> = {
  attest: {
    inputs: {
      flow: "web",
      name: "unit-test",
      compliant: "true",
      attachments: "a.txt\nb.txt",
      "archive-attachments": "true",
      "user-data": "facts.json",
      "github-token": "tok",
    },
    files: { "a.txt": "a", "b.txt": "b", "facts.json": '{"runs": 1}' },
  },
  "begin-trail": {
    inputs: { flow: "web", "template-file": "template.yml", "github-token": "tok" },
    files: { "template.yml": "version: 1\ntrail: {}\n" },
  },
  "report-env": {
    inputs: { environment: "prod", "pods-file": "pods.json" },
    files: { "pods.json": JSON.stringify(pods) },
  },
  "set-flow-action": { inputs: { name: "tell", webhooks: "https://hooks.example/a" } },
  "running-commit": { inputs: { flow: "web", environment: "production", "github-token": "tok" } },
  "assert-artifact": { inputs: { fingerprint: DIGEST } },
  evaluate: {
    inputs: { policy: "policy.rego", trails: "web/v1", "opa-path": OPA ?? "" },
    files: { "policy.rego": "package policy\nallow := true\n" },
  },
  comment: { inputs: { flow: "web", "pull-request": "7", "check-run": "true", "github-token": "tok" } },
  replay: { inputs: { "github-token": "tok" } },
  root: {
    inputs: {
      operation: "attestGeneric",
      params: "{flow_name: web, trail_name: v1, attachment_file: [a.txt, b.txt]}",
      body: "{attestation_name: unit, is_compliant: true}",
    },
    files: { "a.txt": "a", "b.txt": "b" },
  },
};

const EVALUATED = { ...trailWith({}), data: [] };

const answers: Readonly<Record<string, readonly unknown[]>> = {
  "report-env": ["Report processed successfully, snapshot #1 created"],
  "running-commit": [
    { commit_sha: SHA },
    { data: [], pagination: { total: 0, page: 1, per_page: 100, page_count: 0 } },
  ],
  "assert-artifact": [COMPLIANT],
  "set-flow-action": ["OK", []],
  replay: [[], "OK"],
  "begin-trail": ["OK", trailWith({})],
  comment: [trailWith({})],
  // The trail, and the list of its attestations: whichever is requested first.
  evaluate: [EVALUATED, EVALUATED],
};

test.for(BUNDLES)("%s works without globals that open connections", async (name, { skip }) => {
  skip(name === "evaluate" && OPA === undefined, WITH_OPA);
  const call = calls[name] ?? expect.fail("say above what this bundle is asked to do");
  const bodies = answers[name] ?? ["OK"];
  await using server = await recordingServer(bodies.map((body) => ({ status: 201, body })));
  const { github } = await gitHubWith({ archive: await archiveOf("v1", "unit") });

  const run = await runBundle(name, { ...call, server, env: { ...trapped, GITHUB_API_URL: github.url } });

  expect(run.stderr).toBe("");
  expect(run.status, run.stdout).toBe(0);
  expect(server.requests).toHaveLength(answers[name]?.length ?? 1);
});

test("each part that a bundle may load later can be loaded", () => {
  const files = readdirSync(SHARED).filter((name) => name.endsWith(".js"));
  const imports = files.map((name) => `await import(${JSON.stringify(join(SHARED, name))});`);
  const program = `${imports.join("\n")}\nconsole.log("all of them");`;
  const args = ["--input-type=module", "-e", program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { env: trapped, encoding: "utf8" });
  // Some parts load the bundle that they belong to, which finds no inputs.
  expect({ stderr, isLoaded: stdout.endsWith("all of them\n") }, stdout).toEqual({
    stderr: "",
    isLoaded: true,
  });
});

test("the traps stop a program that uses one of these globals", () => {
  const stopped = (code: string) => {
    try {
      return execFileSync(process.execPath, ["-e", code], { env: trapped, stdio: "pipe" }).toString();
    } catch (error) {
      return String(error);
    }
  };
  expect(stopped("fetch('http://127.0.0.1:9')")).toContain("the global fetch is used");
  expect(stopped("new FormData()")).toContain("the global FormData is used");
  expect(stopped("new Function('return 1')")).toContain("Code generation from strings disallowed");
});

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMPILE_CACHE } from "../program-variables.ts";
import { startTestService, type TestService } from "../service/running-service.ts";

const STEP = fileURLToPath(new URL("../../scripts/step.ts", import.meta.url));

let service: TestService;
let checkout: string;
let commit: string;
beforeAll(async () => {
  service = await startTestService();
  checkout = await mkdtemp(join(tmpdir(), "step-"));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: checkout, encoding: "utf8" }).trim();
  git("init", "--quiet", "--initial-branch", "main");
  git("remote", "add", "origin", "git@github.com:acme/web.git");
  await writeFile(join(checkout, "app.tgz"), "app");
  git("add", ".");
  git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message", "Begin");
  commit = git("rev-parse", "HEAD");
});
afterAll(async () => {
  await rm(checkout, { recursive: true });
  await service.dispose();
});

async function step(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [STEP, ...args, "flow=web"], {
    cwd: checkout,
    env: {
      ...COMPILE_CACHE,
      PATH: process.env["PATH"],
      EVIDENCE_BASE_URL: service.address,
      EVIDENCE_API_KEY: service.keys.admin,
      EVIDENCE_ORG: "acme",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  const [output] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = await ended;
  return { status, output };
}

test("a step in a checkout knows its commit, and reads the variables of a job", async () => {
  const begun = await step(["begin-trail", "flow-description=Web"]);
  expect(begun.output).toContain(commit);
  expect(begun.status, begun.output).toBe(0);
  const artifact = ["attest", "kind=artifact", "name=app", "artifact=app.tgz"];
  const shown = await step([...artifact, "dry-run=true"]);
  expect(shown.output).toContain("▼ Dry run: would send reportArtifact\n{\n");
  expect(shown.output).toContain(`"build_url": "https://github.com/acme/web/commit/${commit}"`);
  expect(shown.output).not.toContain("INPUTS");
  const attested = await step([...artifact, "origin-url=https://ci.example.com/1"], {
    GITHUB_REPOSITORY: "acme/fork",
  });
  expect(attested.status, attested.output).toBe(0);
  const answer = await fetch(`${service.address}/api/v2/repos/acme`, {
    headers: { authorization: `Bearer ${service.keys.admin}` },
  });
  const { repos } = (await answer.json()) as { repos: { name: string }[] };
  expect(repos.map((repo) => repo.name).sort()).toEqual(["acme/fork", "acme/web"]);
});

test("an artifact of a commit without a repository is rejected because of the repository", async () => {
  execFileSync("git", ["remote", "remove", "origin"], { cwd: checkout });
  const where = ["artifact=app.tgz", "origin-url=https://ci.example.com/1"];
  const refused = await step(["attest", "kind=artifact", "name=app", ...where]);
  expect(refused.status).toBe(1);
  expect(refused.output).toContain("commit: has no known repository: set GITHUB_REPOSITORY to OWNER/REPO");
});

test.each([
  [["atest", "name=x"], "Unknown action 'atest'. Did you mean attest?"],
  [["attest", "name"], "Inputs must be NAME=VALUE, got 'name'"],
])("%j names the wrong argument", (args, message) => {
  const { status, stderr } = spawnSync(process.execPath, [STEP, ...args], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(message) });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { gitHubComments, JOB } from "../actions/github-comments.ts";
import { closedPort } from "../api/local-server.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { runHere } from "./terminal.ts";

const SHA256_OF_A = "559aead08264d5795d3909718cdd05abd49572e84fe55590eef31a88a08fdffd";
const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const ARTIFACT = ["--flow", "web", "--trail", "v1", "--name", "app", "--kind", "artifact"];

let service: TestService;
let env: Record<string, string>;
let folder = "";
beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), "evidence-commands-"));
  env = {
    EVIDENCE_API_KEY: service.keys.member,
    EVIDENCE_ORG: ORG,
    EVIDENCE_BASE_URL: service.address,
    GITHUB_WORKSPACE: folder,
    RUNNER_TEMP: folder,
    GITHUB_ACTIONS: "true",
    GITHUB_REPOSITORY: "acme/web",
  };
  await writeFile(join(folder, "app.jar"), "A");
  await writeFile(join(folder, "unit.xml"), '<testsuite tests="1"><testcase name="a"/></testsuite>');
});
afterAll(async () => {
  await service.dispose();
  await rm(folder, { recursive: true });
});

function run(args: readonly string[], more: Record<string, string> = {}) {
  return runHere(args, { env: { ...env, ...more } });
}

async function outputsOf(args: readonly string[]) {
  const { status, stdout, stderr } = await run([...args, "--output", "json"]);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

describe("commands that do what actions do", () => {
  it("begin a trail, attest to it, and open the gate once everything is there", async () => {
    await writeFile(
      join(folder, "template.yml"),
      "version: 1\ntrail:\n  artifacts:\n    - name: app\n      attestations:\n        - name: unit\n          type: junit\n",
    );
    const begin = ["begin-trail", "--flow", "web", "--trail", "v1", "--flow-template-file", "template.yml"];
    expect(await outputsOf(begin)).toMatchObject({ trail: "v1", created: "true" });
    const origin = ["--commit", COMMIT, "--origin-url", "https://ci.example.com/1"];
    const artifact = [
      "attest",
      ...ARTIFACT,
      "--artifact",
      join(folder, "app.jar"),
      "--artifact-type",
      "file",
    ];
    expect(await outputsOf([...artifact, ...origin])).toMatchObject({
      status: "recorded",
      fingerprint: SHA256_OF_A,
    });

    const gate = ["gate", "--fingerprint", SHA256_OF_A];
    const closed = await run(gate);
    expect(closed).toEqual({
      status: 1,
      stdout: expect.stringMatching(/^Artifact is not compliant\nFingerprint {2,}559aead0/),
      stderr: expect.stringMatching(/^delivery-evidence: Artifact is not compliant\n.*\n.*unit/m),
    });
    const unit = ["attest", "--flow", "web", "--trail", "v1", "--name", "app.unit", "--kind", "test"];
    const tests = [...unit, "--fingerprint", SHA256_OF_A, "--test-results", "*.xml"];
    expect(await outputsOf(tests)).toMatchObject({ compliant: "true", expected: "true" });
    expect(await run(gate)).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("is compliant"),
    });
  });

  it("compare the commit with the running one, and take a list as repeated options", async () => {
    const report = ["report", "--environment", "prod", "--type", "server", "--create-environment"];
    const paths = ["--paths", `one=${join(folder, "app.jar")}`, "--paths", `two=${join(folder, "unit.xml")}`];
    expect(await outputsOf([...report, ...paths])).toMatchObject({ "pod-count": "2" });
    const running = ["running", "--flow", "web", "--environment", "prod", "--candidate", COMMIT];
    expect(await outputsOf(running)).toMatchObject({ "commit-sha": COMMIT, comparison: "same" });
  });

  it("write a comment on a pull request, with the token of an option", async () => {
    const github = await gitHubComments();
    const place = ["--flow", "web", "--trail", "v1", "--pull-request", "7", "--github-token", JOB];
    const { status, stderr } = await run(["comment", ...place], { GITHUB_API_URL: github.url });
    expect({ status, comments: github.comments.length }, stderr).toEqual({ status: 0, comments: 1 });
    expect(stderr).not.toContain(JOB);
  });

  it("negate a flag that is true without the option", async () => {
    const closed = ["gate", "--fingerprint", SHA256_OF_A, "--policies", "absent"];
    expect((await run(closed)).status).toBe(1);
    const fact = ["attest", "--flow", "web", "--trail", "v1", "--name", "fact", "--compliant", "true"];
    expect((await run(fact)).stderr).toContain(
      "use --name app.unit and --kind test.\nIf that is intended, set --no-",
    );
    expect(await outputsOf(fact)).toMatchObject({ expected: "false" });
    expect(await outputsOf([...fact, "--no-check-template"])).toMatchObject({ expected: "" });
    expect(await outputsOf([...fact, "--check-template=false"])).toMatchObject({ expected: "" });
  });

  it.each([
    [["attest", "--flow", ""], "delivery-evidence: --flow must not be empty"],
    [["gate", "--fingerprint=", "--flow", "web"], "delivery-evidence: --fingerprint must not be empty"],
    [["gate", "--artifact", "a", "--artifact", "b"], "delivery-evidence: --artifact must not be given twice"],
    [["attest", "--flow", "web"], "  --name: is required"],
    [
      ["attest", "--flow", "web", "--name", "x"],
      "--compliant: is required for --kind generic, or set --test-",
    ],
    [["attest", "--flow", "web", "--name", "x", "--kind", "tests"], "--kind must be generic, artifact, test"],
    [["comment", "--flow", "web", "--pull-request", "seven"], "--pull-request: must be the number of a pull"],
  ])("%j is refused by the option's name", async (args, message) => {
    const { status, stderr } = await run(args);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
  });

  it.each([
    ["begin-trail", "--flow", "web", "--trail", "v1"],
    ["attest", "--flow", "web", "--trail", "v1", "--name", "fact", "--compliant", "true"],
    ["gate", "--fingerprint", SHA256_OF_A],
  ])("print one JSON document in a dry run: %s", async (...args) => {
    const { stdout, stderr } = await run([...args, "--dry-run", "--output", "json"]);
    expect(Object.keys(JSON.parse(stdout))).not.toHaveLength(0);
    expect(stderr).toContain("Dry run: would send");
  });

  it("name options in the advice for a refusal by a service", async () => {
    const absent = await run(["gate", "--fingerprint", SHA256_OF_A.replace("5", "6")]);
    expect(absent.stderr).toContain("Set --fingerprint or --artifact to an artifact");
    const flow = ["--flow", "unknown", "--trail", "v1", "--name", "fact", "--compliant", "true"];
    const created = await run(["attest", ...flow]);
    expect(created.stderr).toContain(
      "correct --flow and archive 'unknown'. To fail instead, set --no-create-flow.",
    );
  });

  it("say what to do if a service is away", async () => {
    const away = { EVIDENCE_BASE_URL: "https://evidence.invalid" };
    const { status, stderr } = await run(["gate", "--fingerprint", SHA256_OF_A, "--retries", "0"], away);
    expect({ status, lines: stderr.trim().split("\n") }).toEqual({
      status: 2,
      lines: [expect.stringContaining("evidence.invalid"), expect.stringContaining("--base-url")],
    });
  });

  it("end with 2 if the service is unavailable, and never print a secret", async () => {
    const secret = "jira-secret-0123456789";
    const away = { EVIDENCE_BASE_URL: `http://127.0.0.1:${await closedPort()}`, EVIDENCE_JIRA_TOKEN: secret };
    const gate = await run(["gate", "--fingerprint", SHA256_OF_A, "--retries", "0"], away);
    expect(gate).toEqual({ status: 2, stdout: "", stderr: expect.stringContaining("connection refused") });
    const jira = ["--kind", "jira", "--jira-base-url", `${away.EVIDENCE_BASE_URL}/${secret}`];
    const issue = ["attest", "--flow", "web", "--name", "ticket", "--trail", "v1", ...jira];
    const { stdout, stderr } = await run(issue, away);
    expect(stderr).not.toBe("");
    expect(stdout + stderr).not.toContain(secret);
  });

  it("spool what the service does not take, for replay", async () => {
    vi.stubEnv("TMPDIR", folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const away = { EVIDENCE_BASE_URL: `http://127.0.0.1:${await closedPort()}` };
    const fact = ["attest", "--flow", "web", "--trail", "v2", "--name", "fact", "--compliant", "true"];
    const spooled = await run([...fact, "--on-unavailable", "spool", "--retries", "0", "--output", "json"], {
      ...away,
      RUNNER_TEMP: "",
    });
    expect(spooled.status, spooled.stderr).toBe(0);
    const { status, "spool-folder": place } = JSON.parse(spooled.stdout);
    expect(status).toBe("spooled");
    expect(spooled.stderr).toContain(`Spooled in ${place}, to be uploaded with replay. Keep this folder`);
    expect(await run(["replay", place])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("1 recorded, 0 already recorded, 0 left"),
    });
  });
});

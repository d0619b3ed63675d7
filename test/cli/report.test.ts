import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closedPort } from "../api/local-server.ts";
import { answerOf } from "../clouds/aws/fake-account.ts";
import { fakeAws, KEYS } from "../clouds/aws/fake-aws.ts";
import { DIGEST, web } from "../clouds/aws/fake-ecs.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { runHere } from "./terminal.ts";

let service: TestService;
let env: Record<string, string>;
let folder = "";
beforeAll(async () => {
  service = await startTestService();
  env = { EVIDENCE_API_KEY: service.keys.member, EVIDENCE_ORG: ORG, EVIDENCE_BASE_URL: service.address };
  folder = await mkdtemp(join(tmpdir(), "report-"));
  await writeFile(join(folder, "app.jar"), "A");
});
afterAll(async () => {
  await service.dispose();
  await rm(folder, { recursive: true });
});

const report = (args: readonly string[], more: Record<string, string> = {}) =>
  runHere(["report", ...args], { env: { ...env, ...more } });

const server = (environment: string) => [
  ...["--environment", environment, "--type", "server", "--create-environment"],
  ...["--paths", `app=${folder}/app.jar`],
];

const SHA256_OF_A = "559aead08264d5795d3909718cdd05abd49572e84fe55590eef31a88a08fdffd";

async function runningIn(environment: string) {
  const { stdout } = await runHere(
    ["call", "getSnapshot", `env_name=${environment}`, "snapshot_expression=-1"],
    { env },
  );
  return JSON.parse(stdout).artifacts.map(({ name, fingerprint }: Record<string, string>) => [
    name,
    fingerprint,
  ]);
}

describe("delivery-evidence report", () => {
  it("records what runs, with the outcome alone on the standard output", async () => {
    const { status, stdout, stderr } = await report(server("vm"));
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Environment vm: recorded\n/),
      stderr: expect.stringMatching(/^Reported 1 path to 'vm': .*snapshot #1/m),
    });
    expect(await runningIn("vm")).toEqual([["app", SHA256_OF_A]]);
    const again = await report([...server("vm"), "--output", "json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ status: "recorded", "snapshot-created": "false" });
  });

  it("reads a cloud, and discovers an account, with the login of its variables", async () => {
    const account = { tasks: [web("1")], functions: ["api"], content: {}, tags: {}, broken: [] };
    const { url } = await fakeAws((request) => answerOf(account, request));
    const login = {
      ...{ AWS_ENDPOINT_URL: url, AWS_REGION: "eu-central-1" },
      ...{ AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey },
    };
    const lambda = ["--environment", "functions", "--type", "lambda"];
    const one = await report([...lambda, "--create-environment", "--include", "api"], login);
    expect(one).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Environment functions: recorded/),
    });
    expect(await runningIn("functions")).toEqual([["api", DIGEST]]);
    const all = await report(["--discover", "aws", "--environment-template", "{type}-{name}"], login);
    expect(all).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ecs-shop +recorded +1/m) });
    expect(await runningIn("lambda-eu-central-1")).toEqual([["api", DIGEST]]);
    const wrong = await report([...lambda, "--aws-role", "evidence"], login);
    expect(wrong).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("--aws-role: 'evidence' is not"),
    });
    const elsewhere = await report([...lambda, "--aws-role", "arn:aws:iam::1:role/r"], login);
    expect(elsewhere.stderr).toContain(
      "Outside of GitHub Actions, leave --aws-role out and log in by variables.",
    );
    const none = await report(lambda, { AWS_REGION: "eu-central-1" });
    expect(none.stderr).toMatch(
      /--aws-role: is missing, and there is no other login to AWS(?:.*\n)*.*Set --aws-role.*, set AWS_ACCESS_KEY_ID/,
    );
  });

  it("prints no command of the runner, whatever the name of a file is", async () => {
    const hostile = join(folder, "hostile");
    await mkdir(hostile);
    await symlink("nowhere", join(hostile, "a\n::error::b\n##[group]c"));
    const { status, stderr } = await report([...server("named").slice(0, -1), `app=${hostile}`]);
    expect(status).toBe(1);
    expect(stderr).toContain("points to something that does not exist");
    expect(stderr).not.toMatch(/^\s*::|##\[/m);
  });

  it("takes each option from its variable, and several environments from a file", async () => {
    const file = join(folder, "environments.yml");
    await writeFile(
      file,
      JSON.stringify([
        { environment: "one", type: "server", paths: [`${folder}/app.jar`] },
        { environment: "two", type: "server", paths: [`${folder}/absent.jar`] },
      ]),
    );
    const { status, stdout, stderr } = await runHere(["report"], {
      env: {
        ...env,
        EVIDENCE_CONFIG: "environments.yml",
        EVIDENCE_CREATE_ENVIRONMENT: "true",
        GITHUB_WORKSPACE: folder,
      },
    });
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: expect.stringMatching(
        /^1 of 2 environments: 1 failed\nEnvironment .*\none +recorded +1 .*\ntwo +failed/,
      ),
    });
    expect(stderr).toContain("absent.jar");
  });

  it("sends nothing in a dry run, and shows what it would send", async () => {
    const { status, stdout } = await report([...server("nowhere"), "--dry-run"]);
    expect(status).toBe(0);
    expect(stdout).toContain(SHA256_OF_A);
    const listed = await runHere(["call", "listEnvironments"], { env });
    expect(listed.stdout).not.toContain("nowhere");
  });

  it.each([
    [["--environment", "vm", "--type", "vm"], /--type: must be K8S, docker, .* or cloud-run, not 'vm'/],
    [["--environment", "vm", "--type", "server"], /--paths: is required for --type server/],
    [["--type", "server", "--paths", "x"], /--environment: is required, unless config or discover is set/],
  ])("%j is refused by the option's name", async (args, message) => {
    const { status, stderr } = await report(args);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(message) });
  });

  it("ends with 2 if the service is unavailable, since nothing is then known", async () => {
    const { status, stdout, stderr } = await report([...server("vm"), "--retries", "0"], {
      EVIDENCE_BASE_URL: `http://127.0.0.1:${await closedPort()}`,
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("connection refused"),
    });
  });

  it("shows failures and passes outputs in the form of Azure Pipelines", async () => {
    const job = { TF_BUILD: "True" };
    const { status, stdout, stderr } = await report([...server("azure"), "--output", "json"], job);
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringMatching(
        /^##vso\[task\.setvariable variable=snapshot_created;isOutput=true\]true$/m,
      ),
    });
    expect(stdout).not.toContain("##vso");
    const failed = await report(["--environment", "azure", "--type", "##vso[task.complete]"], job);
    expect({ status: failed.status, stderr: failed.stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(
        /^##vso\[task\.logissue type=error\]--type: .*##vso\\u005btask\.complete\]'\n$/,
      ),
    });
  });

  it("names the option that accepts an environment without anything", async () => {
    const pods = join(folder, "pods.json");
    await writeFile(pods, JSON.stringify({ kind: "PodList", apiVersion: "v1", items: [] }));
    const { status, stderr } = await report(["--environment", "vm", "--pods-file", pods]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/--allow-empty: is false(?:.*\n)*.*set --allow-empty\./),
    });
  });
});

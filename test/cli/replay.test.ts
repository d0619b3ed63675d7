import { spawn } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { readSpool } from "../../src/spool/read.ts";
import { spool } from "../../src/spool/spool.ts";
import { archiveOf, gitHubWith, OUTSIDE } from "../actions/spool-artifacts.ts";
import { COMPILE_CACHE } from "../program-variables.ts";
import { startTestService, type TestService } from "../service/running-service.ts";
import { faultsAt, faultyConnection, seeded } from "../spool/faulty-connection.ts";
import { connectTo, fileOf, ORG, sampleSubmission, temporaryFolder } from "../spool/fixtures.ts";
import { CLI } from "./command.ts";
import { runHere } from "./terminal.ts";

const SEED = 7;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [CLI, "replay", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...COMPILE_CACHE, ...environment(), ...env },
  });
  const ended = Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on("close", resolve)),
  ]).then(([stdout, stderr, status]) => ({ status, stdout, stderr }));
  return { child, ended };
}

const run = (args: readonly string[]) => runHere(["replay", ...args], { env: environment() });

function environment() {
  return { EVIDENCE_API_KEY: service.keys.member, EVIDENCE_BASE_URL: service.address };
}

/** A spool of attestations on a trail. */
async function spooled(trail: string, count: number) {
  const folder = await temporaryFolder();
  const connection = connectTo(service.address, service.keys.member);
  for (let number = 0; number < count; number++) {
    const body = { attestationName: `step-${number}`, isCompliant: true };
    const files = number % 4 === 0 ? [fileOf("log.txt", `${number}`)] : [];
    await spool(folder.path, await sampleSubmission(connection, { trail, body, files }));
  }
  await connection.close();
  return folder;
}

async function recorded(trail: string): Promise<string[]> {
  return (await recordsOf(trail)).map(({ attestationName }) => attestationName).reverse();
}

async function recordsOf(trail: string) {
  const client = new EvidenceClient({ apiKey: service.keys.reader, org: ORG, baseUrl: service.address });
  const { body } = await client.listFlowAttestations({ flowName: "web", perPage: 100 });
  await client.close();
  return body.data.filter((record) => record.trailName === trail);
}

const steps = (count: number) => Array.from({ length: count }, (_, number) => `step-${number}`);

describe("delivery-evidence replay", () => {
  test("records a spool, whose organization it knows, and prints a summary; a second run has nothing to do", async () => {
    await using folder = await spooled("cli", 2);
    const [first, second] = (await readSpool(folder.path)).map(({ name }) => name);
    expect(await run([folder.path])).toEqual({
      status: 0,
      stdout: [
        `recorded: ${first} (attestGeneric 'step-0' on web/cli)`,
        `recorded: ${second} (attestGeneric 'step-1' on web/cli)`,
        "2 recorded, 0 already recorded, 0 left\n",
      ].join("\n"),
      stderr: "",
    });
    expect(await run([folder.path])).toMatchObject({
      status: 0,
      stdout: "0 recorded, 0 already recorded, 0 left\n",
    });
    expect(await recorded("cli")).toEqual(steps(2));
  });

  test("prints no control character of a spool", async () => {
    await using folder = await temporaryFolder();
    const connection = connectTo(service.address, service.keys.member);
    const body = { attestationName: "unit", isCompliant: true };
    await spool(folder.path, await sampleSubmission(connection, { trail: "cli-controls", body }));
    await connection.close();
    const [spooledItem] = await readSpool(folder.path);
    const file = join(spooledItem?.path ?? "", "submission.json");
    const hostile = "\u001b[2J\u0007\r\u009b\u202e";
    const submission = JSON.parse(await readFile(file, "utf8"));
    const spooledBody = JSON.stringify({ attestation_name: `unit${hostile}`, is_compliant: true });
    await writeFile(file, JSON.stringify({ ...submission, body: spooledBody }));
    const { status, stdout, stderr } = await run([folder.path]);
    expect(status).toBe(1);
    expect(`${stdout}${stderr}`).toContain("unit\\u001b[2J\\u0007\\u000d\\u009b\\u202e");
    expect(`${stdout}${stderr}`).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  });

  test("names damaged files, records the others and fails", async () => {
    await using folder = await spooled("cli-damaged", 2);
    const [first] = await readSpool(folder.path);
    await rm(join(first?.path ?? "", "files", "0"));
    const { status, stdout, stderr } = await run([folder.path]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `left: ${first?.name} (attestGeneric 'step-0' on web/cli-damaged): it is damaged: its file 'log.txt' is missing\n`,
    });
    expect(stdout).toContain("1 recorded, 0 already recorded, 1 left");
  });

  test("prints how many are left when the service is down", async () => {
    await using folder = await spooled("cli-down", 3);
    const { status, stdout, stderr } = await run([
      folder.path,
      "--base-url",
      "http://127.0.0.1:9",
      "--retries",
      "0",
    ]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "0 recorded, 0 already recorded, 3 left\n" });
    expect(stderr).toContain("connection refused");
  });

  test("downloads the spools of a repository's own runs, and nothing from a fork or a tag", async () => {
    const { github } = await gitHubWith(
      { archive: await archiveOf("cli-download", "own") },
      { archive: await archiveOf("cli-download", "of-a-fork"), head: 666 },
      { archive: await archiveOf("cli-download", "of-a-tag"), sha: OUTSIDE },
    );
    await using folder = await temporaryFolder();
    const spoolFolder = join(folder.path, "spool");
    const env = { ...environment(), GITHUB_API_URL: github.url, GITHUB_TOKEN: "ghs_token" };
    const download = () =>
      runHere(["replay", spoolFolder, "--from-github", "acme/web", "--branch", "main"], { env });
    const { status, stdout, stderr } = await download();
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr:
        "Artifact 'delivery-evidence-spool-72-1-0123abcd' is skipped: commit 3333333 of its run is not in the branch 'main'.\n",
    });
    expect(stdout).toContain("1 recorded, 0 already recorded, 0 left");
    expect(await recorded("cli-download")).toEqual(["own"]);
    const [record] = await recordsOf("cli-download");
    expect(record?.spooledBy).toBe("repository acme/web, run_id 77");
    const downloads = () => github.requests.filter(({ url }) => url?.endsWith("/zip")).length;
    expect(downloads()).toBe(1);
    expect((await download()).stdout).toBe("0 recorded, 0 already recorded, 0 left\n");
    expect(downloads()).toBe(1);
  });

  test.each([
    [["spool", "--branch", "main"], "--branch needs --from-github OWNER/REPO"],
    [["spool", "--from-github", "web"], "--from-github must be OWNER/REPO, got 'web'"],
    [["spool", "--from-github", "acme/web"], "--from-github needs a token in GITHUB_TOKEN"],
    [
      ["spool", "--from-github", "acme/web", "--max-age-days", "0"],
      "--max-age-days must be a whole number from 1 to 400, not '0'",
    ],
    [[], "DIR is missing. Usage: delivery-evidence replay DIR"],
    [["/nowhere"], "The folder '/nowhere' does not exist"],
    [["a", "b"], "Unexpected argument 'b'"],
  ])("%j is explained, with status 1", async (args, message) => {
    expect(await run(args)).toEqual({ status: 1, stdout: "", stderr: `delivery-evidence: ${message}\n` });
  });

  test("killed again and again at any point, and twice at once, records each once and in order", async () => {
    const count = 40;
    await using folder = await spooled("killed", count);
    const random = seeded(SEED);
    await using way = await faultyConnection(service.address, faultsAt(0.05, random));
    const env = { EVIDENCE_BASE_URL: way.address };
    let kills = 0;
    let status: number | null = 1;
    for (let round = 0; status !== 0 && round < 60; round++) {
      const mortal = start([folder.path, "--retries", "1"], env);
      let countdown = 1 + Math.floor(random() * 30);
      way.onRequest = () => {
        if (--countdown === 0) kills += Number(mortal.child.kill("SIGKILL"));
      };
      const others = round % 4 === 3 ? [start([folder.path, "--retries", "1"], env).ended] : [];
      const ended = await Promise.all([mortal.ended, ...others]);
      if (ended.some((one) => one.status === 0)) status = 0;
    }
    expect(kills, `seed ${SEED}`).toBeGreaterThan(3);
    expect(status, `seed ${SEED}`).toBe(0);
    expect(await recorded("killed"), `seed ${SEED}`).toEqual(steps(count));
  }, 120_000);
});

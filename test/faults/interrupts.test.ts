import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { httpServer, json } from "../api/local-server.ts";
import { tokenRegistry } from "../evidence/oci/registry-server.ts";
import { COMPILE_CACHE } from "../program-variables.ts";
import { type RunningCommand, startCommand, startReplayCommand } from "./replays.ts";
import { contentService, sampleOf, startSample } from "./samples.ts";
import { notReading, STAGES } from "./slow-servers.ts";
import { annotations, type EndedStep, type RunningStep } from "./step.ts";

const attest = sampleOf("attest");

/** Interrupts the step and checks its message and that no process remains. */
async function interrupted(step: RunningStep, signal: NodeJS.Signals = "SIGINT"): Promise<EndedStep> {
  step.child.kill(signal);
  const ended = await step.ended;
  expect(ended).toMatchObject({ status: 130, signal: null, stderr: "" });
  expect(annotations(ended.stdout)).toEqual([
    "Interrupted: the request in progress may or may not have been recorded.",
  ]);
  expect(Object.keys(ended.outputs).length).toBeGreaterThan(0);
  return ended;
}

describe("an interrupted step ends with 130 and says what is uncertain", () => {
  test.each(Object.entries(STAGES))("when the service stalls %s", async (_, stall) => {
    const server = await stall();
    const step = startSample(attest, { baseUrl: server.url });
    await server.stalled;
    await interrupted(step);
    expect(server.open()).toBe(0);
  });

  test("when it waits for the next attempt", async () => {
    const server = await httpServer((response) =>
      json(response, 503, { message: "busy" }, { "retry-after": "60" }),
    );
    const step = startSample(attest, { baseUrl: server.url });
    await printed(step, "Retrying in 60.0 s");
    await interrupted(step, "SIGTERM");
    expect(server.received).toHaveLength(1);
  });

  test("when it uploads to a service that does not read, though a background process keeps running", async () => {
    const server = await notReading();
    const files = { "report.txt": Buffer.alloc(10_000_000, "x") };
    const env = { NODE_OPTIONS: "--import=data:text/javascript,setInterval(()=>{},1e6)" };
    const step = startSample(attest, { baseUrl: server.url, files, env });
    await server.stalled;
    await interrupted(step, "SIGTERM");
  });

  test.each<[string, string, NodeJS.Signals]>([
    ["kubectl does not respond", "hang", "SIGINT"],
    ["kubectl proxy does not begin to serve", "proxy start hangs", "SIGTERM"],
    ["kubectl proxy does not respond", "proxy hangs", "SIGINT"],
  ])("when %s, and stops it", async (_, fault, signal) => {
    const sample = sampleOf("report-env");
    const server = await contentService(sample);
    const { env, state, pids } = kubectl(fault);
    const step = startSample(sample, { baseUrl: server.url, env, inputs: { "pods-file": "" } });
    await exists(join(state, "hanging"));
    const folders = () => readdirSync(step.temp).filter((name) => name.startsWith("kubectl-"));
    const modes = folders().map((name) => statSync(join(step.temp, name)).mode & 0o777);
    // The folder of the proxy's socket, which no other user may read.
    expect(modes).toEqual(fault === "hang" ? [] : [0o700]);
    await interrupted(step, signal);
    await expect.poll(() => pids().filter(isAlive)).toEqual([]);
    expect(folders()).toEqual([]);
    expect(server.received).toEqual([]);
  });

  test("when git does not respond, and stops it", async () => {
    const server = await contentService(attest);
    const { env, pids } = hanging("git");
    const step = startSample(attest, { baseUrl: server.url, env, files: { ".git/HEAD": "" } });
    await expect.poll(() => pids().length, { timeout: 10_000 }).toBeGreaterThan(0);
    await interrupted(step);
    await expect.poll(() => pids().filter(isAlive)).toEqual([]);
    expect(server.received).toEqual([]);
  });

  test("when a credential helper does not respond, and stops it", async () => {
    const images = await tokenRegistry(() => true);
    const { env, pids, folder } = hanging("docker-credential-store");
    writeFileSync(join(folder, "config.json"), JSON.stringify({ credHelpers: { [images.host]: "store" } }));
    const step = startSample(attest, {
      inputs: { artifact: images.image, "artifact-type": "oci", region: "eu" },
      env: { ...env, DOCKER_CONFIG: folder },
    });
    await expect.poll(() => pids().length, { timeout: 10_000 }).toBeGreaterThan(0);
    await interrupted(step);
    await expect.poll(() => pids().filter(isAlive)).toEqual([]);
  });
});

describe("an interrupted command ends with 130 and says what is uncertain:", () => {
  async function interruptedCommand({ child, ended }: RunningCommand, signal: NodeJS.Signals) {
    child.kill(signal);
    expect(await ended).toMatchObject({
      status: 130,
      signal: null,
      stderr: "delivery-evidence: Interrupted: what was being sent may or may not have been recorded.\n",
    });
  }

  test("replay, when the service stalls in the middle of its response", async () => {
    const server = await (STAGES["in the middle of its body"] ?? expect.fail("no such stage"))();
    const command = await startReplayCommand({ baseUrl: server.url });
    await server.stalled;
    await interruptedCommand(command, "SIGINT");
    await expect.poll(server.open).toBe(0);
  });

  test("attest, when the service does not read", async () => {
    const server = await notReading();
    const names = ["--flow", "web", "--trail", "v1", "--name", "lint", "--compliant", "true"];
    const command = startCommand(["attest", ...names, "--org", "acme", "--base-url", server.url]);
    await server.stalled;
    await interruptedCommand(command, "SIGINT");
  });

  test("call, when the service does not read", async () => {
    const server = await notReading();
    const command = startCommand(["call", "listRepos", "--org", "acme", "--base-url", server.url]);
    await server.stalled;
    await interruptedCommand(command, "SIGTERM");
  });
});

/** Waits for the step to print this. */
async function printed({ child }: RunningStep, text: string): Promise<void> {
  let printed = "";
  await new Promise<void>((resolve) => {
    child.stdout?.on("data", (chunk: string) => {
      printed += chunk;
      if (printed.includes(text)) resolve();
    });
  });
}

async function exists(path: string): Promise<void> {
  while (!existsSync(path)) await delay(5);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function folderOfPrograms(programs: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "programs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), script);
    chmodSync(join(folder, name), 0o755);
  }
  const pids = () => {
    const path = join(folder, "pids");
    return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").map(Number) : [];
  };
  onTestFinished(() => {
    for (const pid of pids()) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  return { folder, pids };
}

/** A program that records its process id and never exits. */
function hanging(name: string) {
  const script = `#!/bin/sh\necho $$ >>"$PROGRAMS/pids"\nexec sleep 600\n`;
  const { folder, pids } = folderOfPrograms({ [name]: script });
  return { folder, pids, env: { PROGRAMS: folder, PATH: `${folder}:/usr/bin:/bin` } };
}

function kubectl(fault: string) {
  const fake = fileURLToPath(new URL("../kubernetes/fake-kubectl.ts", import.meta.url));
  const { folder } = folderOfPrograms({ kubectl: `#!/bin/sh\nexec '${process.execPath}' '${fake}' "$@"\n` });
  const state = join(folder, "state");
  mkdirSync(state);
  const pids = () =>
    existsSync(join(state, "pids"))
      ? readFileSync(join(state, "pids"), "utf8").trim().split("\n").map(Number)
      : [];
  return {
    state,
    pids,
    env: {
      ...COMPILE_CACHE,
      PATH: `${folder}:/usr/bin:/bin`,
      FAKE_STATE: state,
      FAKE_PODS: "40",
      FAKE_FAULT: fault,
    },
  };
}

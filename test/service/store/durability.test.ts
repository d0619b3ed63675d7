import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Agent } from "undici";
import { afterAll, beforeEach, expect, it } from "vitest";
import type { RunningService } from "../../../src/service/service.ts";
import { CLI } from "../../cli/command.ts";
import { ONE_WORKER } from "../../cli/program.ts";
import { serveHere } from "../../cli/served-here.ts";
import { COMPILE_CACHE } from "../../program-variables.ts";
import { hold } from "../held-request.ts";
import { FP, pipeline, send } from "../requests.ts";
import type { TestService } from "../running-service.ts";

const KEY = `de_${"k".repeat(43)}`;

let dataFolder = "";
let child: ChildProcess | undefined;
let next: RunningService | undefined;
const dispatcher = new Agent();
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), "evidence-durability-"));
  return async () => {
    child?.kill("SIGKILL");
    await next?.close();
    next = undefined;
    await rm(dataFolder, { recursive: true });
  };
});
afterAll(() => dispatcher.destroy());

/** A real service in a separate process. */
async function serve(...options: string[]) {
  const started = spawn(
    process.execPath,
    [CLI, "serve", "--port", "0", "--data", dataFolder, "--org", "acme", ...options],
    {
      env: { ...COMPILE_CACHE, ...ONE_WORKER, EVIDENCE_ADMIN_KEY: KEY },
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  child = started;
  const [line] = await once(createInterface({ input: started.stdout }), "line");
  return { service: at(/http:\/\/\S+/.exec(line)?.[0] ?? ""), process: started };
}

/** The next service with the same records, which starts in this process. */
async function serveAgain(): Promise<TestService> {
  next = await serveHere(dataFolder, { org: "acme", adminKey: KEY });
  return at(next.address);
}

function at(address: string): TestService {
  const keys = { member: KEY } as TestService["keys"];
  return { address, keys, dispatcher } as TestService;
}

/** The files of uploads in progress, or left by a killed service. */
async function received(): Promise<string[]> {
  const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.parentPath.startsWith(join(dataFolder, "incoming")))
    .map(({ name }) => name);
}

async function kill(running: ChildProcess): Promise<void> {
  running.kill("SIGKILL");
  await once(running, "exit");
}

it("a record answered with 201 survives a kill of the process, attachments included", async () => {
  const first = await serve();
  const { artifact, attest } = pipeline(first.service, KEY);
  expect((await artifact("web", "t1")).status).toBe(201);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      attest("web", "t1", { artifact_fingerprint: FP, user_data: { i } }, [
        { name: "log.txt", content: `evidence ${i}` },
      ]),
    ),
  );
  await kill(first.process);
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));

  const second = await serveAgain();
  const { body } = await pipeline(second, KEY).attestations("web");
  expect(body).toHaveLength(10);
  for (const record of body) {
    const sha256 = record.evidence_archive_fingerprint;
    const file = join(dataFolder, "files", sha256.slice(0, 2), sha256.slice(2));
    expect(await readFile(file, "utf8")).toBe(`evidence ${record.user_data.i}`);
  }
});

it("a service killed under load has every record that it confirmed, and no partial file", async () => {
  const first = await serve();
  const { artifact, attest } = pipeline(first.service, KEY);
  await artifact("web", "t1");
  const confirmed: number[] = [];
  const senders = Array.from({ length: 8 }, async (_, sender) => {
    for (let i = 0; ; i++) {
      const id = sender * 1_000 + i;
      const answer = await attest("web", "t1", { artifact_fingerprint: FP, user_data: { id } }, [
        { name: "big.bin", content: Buffer.alloc(200_000, id) },
      ]);
      if (answer.status === 201) confirmed.push(id);
    }
  });
  const stopped = Promise.allSettled(senders);
  await expect.poll(() => confirmed.length).toBeGreaterThan(20);
  await kill(first.process);
  await stopped;

  const second = await serveAgain();
  const { body } = await pipeline(second, KEY).attestations("web");
  const stored = new Set(body.map((record: { user_data: { id: number } }) => record.user_data.id));
  expect(confirmed.filter((id) => !stored.has(id))).toEqual([]);
  expect(await received()).toEqual([]);
});

it("a service killed during a large upload removes the partial body at its next start", async () => {
  const first = await serve("--workers", "2");
  using _ = await hold({
    address: first.service.address,
    method: "PUT",
    target: "/api/v2/environments/acme/prod/report/K8S",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    body: Buffer.alloc(2 * 1024 * 1024, " "),
  });
  await expect.poll(received).toHaveLength(1);
  await kill(first.process);
  expect(await received()).toHaveLength(1);
  // Also with fewer workers than before.
  await serve("--workers", "1");
  expect(await received()).toEqual([]);
});

it("a stopped service answers open requests and exits with 0", async () => {
  const { service, process: running } = await serve();
  const exited = once(running, "exit");
  const answers = Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      pipeline(service, KEY).attest("web", "t1", { attestation_name: `check-${i}` }),
    ),
  );
  await expect.poll(async () => (await send(service, { path: "/repos/acme" })).status).toBe(200);
  running.kill("SIGTERM");
  expect((await answers).map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect(await exited).toEqual([0, null]);
});

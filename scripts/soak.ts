/*
 * Puts a steady load on three instances of the service behind HAProxy, on one PostgreSQL server, and prints the memory
 * and the open file descriptors of each instance every 30 seconds:
 *
 *   npm run soak -- [--minutes 10]
 *
 * Exits with 1 if a client got an error, or if an instance was larger in the second half than in the first: its memory
 * by more than 15 %, or its descriptors by more than 5, by the medians. Needs Linux and HAProxy.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort, startPostgres } from "../test/postgres/server.ts";
import { type LocalService, startLocalService } from "./bench/local-service.ts";
import { median, quantile } from "./bench/measure.ts";
import { halves, type ProcessSize, sizeOfProcess } from "./bench/process-size.ts";
import { startHaproxy } from "./servers/haproxy.ts";
import { missingPrograms } from "./servers/programs.ts";

const INSTANCES = 3;
const CLIENTS = 8;
/** Between two rounds of a client, so that the load does not follow the speed of the service. */
const PAUSE_MS = 100;
const SAMPLE_SECONDS = 30;
/** Attestations per trail, because a single trail for all would be unrealistic. */
const PER_TRAIL = 100;
const FINGERPRINT = "a".repeat(64);

const { values } = parseArgs({ options: { minutes: { type: "string", default: "10" } } });
const rounds = Math.round((Number(values.minutes) * 60) / SAMPLE_SECONDS);
if (!(rounds >= 2)) throw new Error("--minutes must be a number of 1 or more");
if (missingPrograms(["haproxy"]).length > 0) {
  process.stderr.write("This program is missing: haproxy\n");
  process.exit(2);
}

await using open = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), "evidence-soak-"));
open.defer(() => rm(folder, { recursive: true, force: true }));
const server = await startPostgres();
open.defer(server.dispose);
const records = { database: await server.create("soak"), attachments: join(folder, "attachments") };
const instances: LocalService[] = [];
for (let count = 0; count < INSTANCES; count++) instances.push(open.use(await startLocalService(records)));
const port = await freePort();
const servers = instances.map(({ address }) => ({ port: Number(new URL(address).port) }));
const haproxy = await startHaproxy(folder, { mode: "http", port, check: "/ready", servers });
open.defer(haproxy.kill);

const { org, apiKey = "" } = instances[0] ?? {};
const errors: string[] = [];
const times = { attestation: [] as number[], list: [] as number[], gate: [] as number[] };
let isOver = false;

/** Sends a request: a GET without a body. */
async function send(kind: keyof typeof times | "setup", path: string, body?: FormData | string) {
  const start = performance.now();
  const type = typeof body === "string" ? { "content-type": "application/json" } : {};
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v2${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${apiKey}`, ...type },
      body: body ?? null,
    });
    const text = await answer.text();
    if (!answer.ok) errors.push(`${kind}: ${answer.status} ${text}`);
  } catch (error) {
    errors.push(`${kind}: ${error instanceof Error ? (error.cause ?? error) : error}`);
  }
  if (kind !== "setup") times[kind].push(performance.now() - start);
}

async function work(client: number): Promise<void> {
  for (let count = 0; !isOver; count++) {
    const id = `${client}-${count}`;
    const trail = `trail-${client}-${Math.floor(count / PER_TRAIL)}`;
    const form = new FormData();
    form.set(
      "data_json",
      JSON.stringify({ attestation_name: "unit", is_compliant: true, user_data: { id } }),
    );
    form.append("attachment_file", new Blob([`evidence ${id}\n`.repeat(1_000)]), "log.txt");
    await send("attestation", `/attestations/${org}/load/trail/${trail}/generic`, form);
    await send("list", `/attestations/${org}?flow=load&per_page=20`);
    await send("gate", `/asserts/${org}/fingerprint/${FINGERPRINT}?flow_name=load`);
    await delay(PAUSE_MS);
  }
}

const artifact = {
  ...{ fingerprint: FINGERPRINT, filename: "web", git_commit: "b".repeat(40), trail_name: "first" },
  ...{ commit_url: "https://example.com/c", build_url: "https://example.com/b" },
};
await send("setup", `/artifacts/${org}/load`, JSON.stringify(artifact));
const clients = Array.from({ length: CLIENTS }, (_, client) => work(client));
const sizes = instances.map((): ProcessSize[] => []);
for (let round = 1; round <= rounds; round++) {
  await delay(SAMPLE_SECONDS * 1_000);
  for (const [index, { pid }] of instances.entries()) sizes[index]?.push(await sizeOfProcess(pid));
  const figures = sizes.map((own) => textOf(own.at(-1)));
  const load = loadavg()[0]?.toFixed(1);
  process.stdout.write(`${round * SAMPLE_SECONDS} s: ${figures.join(" · ")} (load average ${load})\n`);
}
isOver = true;
await Promise.all(clients);

const compared = sizes.map(halves);
for (const [index, { first, second, isLevel }] of compared.entries()) {
  const verdict = isLevel ? "level" : "GREW";
  process.stdout.write(`Instance ${index + 1}: from ${textOf(first)} to ${textOf(second)}: ${verdict}\n`);
}
for (const [kind, own] of Object.entries(times)) {
  const [middle, p99] = [median(own), quantile(own, 0.99)].map((time) => `${time.toFixed(0)} ms`);
  process.stdout.write(`${kind}: ${own.length} requests, median ${middle}, p99 ${p99}\n`);
}
process.stdout.write(`Errors: ${errors.length}\n`);
for (const error of new Set(errors)) process.stdout.write(`${error}\n`);
if (errors.length > 0 || !compared.every(({ isLevel }) => isLevel)) process.exitCode = 1;

function textOf(size: ProcessSize | undefined): string {
  return `${size?.memory.toFixed(0)} MB ${size?.descriptors} descriptors`;
}

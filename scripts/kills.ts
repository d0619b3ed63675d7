/*
 * Kills a service under load repeatedly, and checks that every confirmed record exists exactly once:
 *
 *   npm run kills -- [--kills 50] [--engine sqlite|postgresql]
 *
 * Or stops a PostgreSQL server at once, without a checkpoint, under two instances of the service, and then also
 * verifies all records:
 *
 *   npm run kills -- --victim database [--kills 6]
 *
 * Or replaces the leader of a Patroni cluster with a synchronous standby, behind HAProxy, under two instances: kills it
 * with its Patroni and switches over by turns, and prints how long it takes until each instance records again:
 *
 *   npm run kills -- --victim cluster [--kills 10] [--copies]
 *
 * With `--copies`, both servers of the cluster answer reads.
 *
 * Senders attest continuously, and repeat each request with its `Idempotency-Key` until it is answered. A witness reads
 * the checkpoints of the evidence log: the last one must continue each of them.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { pages } from "../src/api/client/all-pages.ts";
import { EvidenceClient } from "../src/api/client/client.ts";
import { isConsistent } from "../src/evidence/log/merkle.ts";
import { checkpointText, parseCheckpoint } from "../src/evidence/log/note.ts";
import { startPostgres } from "../test/postgres/server.ts";
import { median } from "./bench/measure.ts";
import { startSlowPostgres } from "./bench/slow-postgres.ts";
import { missingForPatroni, startPatroniCluster } from "./servers/patroni.ts";
import { waitUntil } from "./servers/programs.ts";

const CLI = fileURLToPath(new URL("../src/cli.ts", import.meta.url));
const KEY = `de_${"k".repeat(43)}`;
/** The log is signed only with one. */
const SECRET_KEY = Buffer.alloc(32, 1).toString("base64");
const FINGERPRINT = "a".repeat(64);
const ARTIFACT = {
  ...{ fingerprint: FINGERPRINT, filename: "web", git_commit: "b".repeat(40), trail_name: "t0" },
  ...{ commit_url: "https://example.com/c", build_url: "https://example.com/b" },
};
/** Each trail has two senders, so that attestations of equal and of different trails meet. */
const SENDERS_PER_TRAIL = 2;
/** Before a kill, a number of attestations are confirmed, and then some time passes. */
const VICTIMS = {
  service: { instances: 1, senders: 8, readers: 0, confirmedBefore: 1, longestWaitMs: 400, kills: "50" },
  database: { instances: 2, senders: 16, readers: 0, confirmedBefore: 400, longestWaitMs: 1_000, kills: "6" },
  cluster: { instances: 2, senders: 8, readers: 2, confirmedBefore: 400, longestWaitMs: 1_000, kills: "10" },
};
/** While a flush is slow, later commits are only in the memory of the server: an early answer would be lost. */
const FLUSH_MS = 20;

const { values } = parseArgs({
  options: {
    victim: { type: "string", default: "service" },
    kills: { type: "string" },
    engine: { type: "string", default: "sqlite" },
    copies: { type: "boolean", default: false },
  },
});
const isCluster = values.victim === "cluster";
const isDatabase = values.victim === "database";
const { instances, senders, readers, confirmedBefore, longestWaitMs, ...usual } =
  VICTIMS[isCluster ? "cluster" : isDatabase ? "database" : "service"];
const missing = isCluster ? missingForPatroni() : [];
if (missing.length > 0) {
  process.stderr.write(`These programs are missing: ${missing.join(", ")}\n`);
  process.exit(2);
}
const kills = Number(values.kills ?? usual.kills);
const folder = await mkdtemp(join(tmpdir(), "evidence-kills-"));
const slow = isDatabase ? await startSlowPostgres(FLUSH_MS) : undefined;
const postgres = slow ?? (isDatabase || values.engine === "postgresql" ? await startPostgres() : undefined);
const cluster = isCluster ? await startPatroniCluster() : undefined;
const databaseUrl = await (cluster ?? postgres)?.create("kills");
const records =
  databaseUrl === undefined
    ? ["--data", join(folder, "0")]
    : ["--database-url", databaseUrl, "--attachments", join(folder, "attachments")];
const copies =
  cluster !== undefined && values.copies ? ["--database-read-url", cluster.readUrl("kills")] : [];
const addresses: string[] = [];
let isOver = false;
const confirmed: string[] = [];
/** Responses that no client should get. */
const wrong: string[] = [];
/** Texts of checkpoints. */
const witnessed = new Set<string>();
const reads = { answered: 0, refused: 0 };
/** Seconds until each instance recorded again. */
const recoveries: Record<"kill" | "switchover", number[]> = { kill: [], switchover: [] };

function runCli(args: readonly string[]) {
  return spawn(process.execPath, [CLI, ...args, ...records], {
    env: { ...process.env, EVIDENCE_ADMIN_KEY: KEY, EVIDENCE_SECRET_KEY: SECRET_KEY },
    stdio: ["ignore", "pipe", "ignore"],
  });
}

async function serve(instance: number) {
  const own = databaseUrl === undefined ? [] : ["--data", join(folder, String(instance))];
  const unlimited = ["--key-rate", "0", "--address-rate", "0"];
  const child = runCli([
    "serve",
    "--port",
    "0",
    "--org",
    "acme",
    "--workers",
    "2",
    ...unlimited,
    ...own,
    ...copies,
  ]);
  const ended = once(child, "exit").then(([status]) => {
    throw new Error(`The service ended with ${status}`);
  });
  ended.catch(() => {});
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended]);
  addresses[instance] = /http:\/\/\S+/.exec(String(line))?.[0] ?? "";
  return child;
}

/** Sends a request to an instance: a GET without a body. @returns whether it succeeded */
async function send(at: number, path: string, body?: object | FormData, headers = {}): Promise<boolean> {
  const isJson = body !== undefined && !(body instanceof FormData);
  const answer = await fetch(`${addresses[at % addresses.length]}/api/v2${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${KEY}`,
      ...(isJson && { "content-type": "application/json" }),
      ...headers,
    },
    body: isJson ? JSON.stringify(body) : (body ?? null),
  });
  const text = await answer.text();
  if (answer.status >= 300 && answer.status !== 503) wrong.push(`${path}: ${answer.status} ${text}`);
  return answer.status < 300;
}

/** Attests once to an instance. @returns whether it was answered with success */
function attest(id: string, { at, trail, hasFile }: { at: number; trail: string; hasFile: boolean }) {
  const data = {
    ...{ attestation_name: "unit", is_compliant: true, user_data: { id } },
    ...(trail === ARTIFACT.trail_name && { artifact_fingerprint: FINGERPRINT }),
  };
  const form = new FormData();
  form.set("data_json", JSON.stringify(data));
  if (hasFile) form.append("attachment_file", new Blob([`evidence ${id}`]), "log.txt");
  const path = `/attestations/acme/web/trail/${trail}/generic`;
  return send(at, path, form, { "idempotency-key": id }).catch(() => false);
}

async function attestWithoutEnd(sender: number): Promise<void> {
  const trail = `t${Math.floor(sender / SENDERS_PER_TRAIL)}`;
  for (let count = 0; !isOver; count++) {
    const id = `${sender}-${count}`;
    const hasFile = count % 2 === 0;
    // An unanswered request may have been recorded, so it is sent again, to the next instance.
    for (let at = sender; !(await attest(id, { at, trail, hasFile })); at++) {
      if (isOver) return;
      await delay(20);
    }
    confirmed.push(id);
  }
}

async function readWithoutEnd(reader: number): Promise<void> {
  for (let at = reader; !isOver; at++) {
    const isAnswered = await send(at, "/attestations/acme?flow=web&per_page=20").catch(() => false);
    reads[isAnswered ? "answered" : "refused"]++;
    await delay(50);
  }
}

/** Reads each checkpoint of each instance. */
async function witnessWithoutEnd(): Promise<void> {
  for (let at = 0; !isOver; at++) {
    const text = await fetch(`${addresses[at % addresses.length]}/api/v2/log/acme/checkpoint`, {
      headers: { authorization: `Bearer ${KEY}` },
    }).then(
      (answer) => (answer.ok ? answer.text() : undefined),
      () => undefined,
    );
    if (text !== undefined) witnessed.add(checkpointText(parseCheckpoint(text)));
    await delay(20);
  }
}

/** @returns witnessed checkpoints that the last one, which has all records, does not continue */
async function forks(client: EvidenceClient): Promise<string[]> {
  const { body } = await client.listAttestations({ flow: ["web"], perPage: 1 });
  // A proof is against a checkpoint that has all events.
  const { body: latest } = await client.getLogProof({ attestationId: body.data[0]?.attestationId ?? "" });
  const latter = parseCheckpoint(latest.proof.slice(latest.proof.indexOf("\n\n") + 2));
  const found: string[] = [];
  for (const text of witnessed) {
    const former = parseCheckpoint(text);
    const range = { from: former.size, to: latter.size };
    const { body: answer } = await client.getLogConsistency(range);
    const proof = answer.proof.map((hash) => Buffer.from(hash, "base64"));
    if (!isConsistent({ former, latter, proof })) found.push(text);
  }
  return found;
}

/** Replaces the leader, and measures the seconds until each instance records again. */
async function failOver(count: number): Promise<void> {
  const how = count % 2 === 1 ? "kill" : "switchover";
  const start = performance.now();
  await cluster?.failOver(how);
  const again = addresses.map(async (address, at) => {
    const id = `after-${count}-${at}`;
    const message = { at, trail: "t1", hasFile: false };
    await waitUntil(`${address} records again`, () => attest(id, message));
    confirmed.push(id);
  });
  await Promise.all(again);
  const seconds = (performance.now() - start) / 1_000;
  recoveries[how].push(seconds);
  process.stdout.write(`${how}: ${seconds.toFixed(1)} s, load average ${loadavg()[0]?.toFixed(1)}\n`);
  await cluster?.recover();
}

/** The recorded attestations, with the number of times each was recorded. */
async function recorded(client: EvidenceClient): Promise<ReadonlyMap<unknown, number>> {
  const found = new Map<unknown, number>();
  for await (const { body } of pages(client, "listAttestations", { flow: ["web"], perPage: 100 })) {
    for (const { userData } of body.data) {
      const { id } = userData as { id: string };
      found.set(id, (found.get(id) ?? 0) + 1);
    }
  }
  return found;
}

/** Compares all records with each other. @returns the exit status */
async function verify(): Promise<number> {
  const child = runCli(["verify"]);
  child.stdout.pipe(process.stdout, { end: false });
  const [status] = await once(child, "close");
  return status;
}

let services: ChildProcess[] = [];
try {
  services = await Promise.all(Array.from({ length: instances }, (_, instance) => serve(instance)));
  await send(0, "/artifacts/acme/web", ARTIFACT);
  const sending = [
    witnessWithoutEnd(),
    ...Array.from({ length: senders }, (_, sender) => attestWithoutEnd(sender)),
    ...Array.from({ length: readers }, (_, reader) => readWithoutEnd(reader)),
  ];
  for (let kill = 1; kill <= kills; kill++) {
    const enough = confirmed.length + confirmedBefore;
    while (confirmed.length < enough) await delay(10);
    await delay(Math.random() * longestWaitMs);
    if (isCluster) {
      await failOver(kill);
    } else if (isDatabase) {
      await postgres?.stop("immediate");
      await postgres?.start();
    } else {
      const exited = once(services[0] ?? process, "exit");
      services[0]?.kill("SIGKILL");
      await exited;
      services[0] = await serve(0);
    }
    process.stdout.write(`${kill} of ${kills} kills, ${confirmed.length} attestations confirmed\n`);
  }
  isOver = true;
  await Promise.all(sending);
  const client = new EvidenceClient({
    baseUrl: addresses[0] ?? "",
    org: "acme",
    apiKey: KEY,
    allowHttp: true,
  });
  const found = await recorded(client);
  const forked = await forks(client);
  await client.close();
  const lost = confirmed.filter((id) => !found.has(id));
  const doubled = [...found].filter(([, times]) => times > 1);
  for (const [how, seconds] of Object.entries(recoveries)) {
    if (seconds.length === 0) continue;
    const [least, middle, most] = [Math.min(...seconds), median(seconds), Math.max(...seconds)];
    const figures = [least, middle, most].map((figure) => figure.toFixed(1)).join(" / ");
    process.stdout.write(
      `Seconds until each instance records again after a ${how}: ${figures} (min/median/max)\n`,
    );
  }
  if (readers > 0) process.stdout.write(`Reads: ${reads.answered} answered, ${reads.refused} refused\n`);
  process.stdout.write(
    `${confirmed.length} answered, ${found.size} on record, lost: ${lost.length}, twice: ${doubled.length}\n`,
  );
  process.stdout.write(`${witnessed.size} checkpoints witnessed, not continued: ${forked.length}\n`);
  for (const answer of new Set(wrong)) process.stdout.write(`Wrong: ${answer}\n`);
  const isDifferent = (isDatabase || isCluster) && (await verify()) !== 0;
  process.exitCode =
    lost.length + doubled.length + wrong.length + forked.length === 0 && !isDifferent ? 0 : 1;
} finally {
  isOver = true;
  for (const service of services) service.kill("SIGKILL");
  await postgres?.dispose();
  await cluster?.dispose();
  await rm(folder, { recursive: true, force: true });
}

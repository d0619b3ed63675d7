import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { eventRow } from "../../src/service/events/digest.ts";
import { type Edge, tilesWith } from "../../src/service/events/log/leaves.ts";
import { databaseFile, openDataFolder } from "../../src/service/store/sqlite/open-store.ts";
import { bindable, openSqlite } from "../../src/service/store/sqlite/sqlite.ts";
import { startPostgres } from "../../test/postgres/server.ts";
import { loadOn } from "./durable.ts";
import { adminKeyOf, inserter } from "./large-data.ts";
import { type ServiceRecords, startLocalService } from "./local-service.ts";
import { quantile, timed } from "./measure.ts";
import type { Measured, Measurements } from "./rows.ts";
import { startServiceProcess } from "./service-process.ts";

const CLI = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const WITHOUT_LOG = new URL("without-log.ts", import.meta.url).href;
const ORG = "bench";
const ORG_ID = "00000000-0000-0000-0000-00000001";
const ROUNDS = 4;
const SECONDS = 4;
const MILLION = 1_000_000;
const PROOFS = 300;
const RECORDS = 10_000;

/** The cost of the evidence log for writes, and the time that its proofs and checks take. */
export async function log(): Promise<Measurements<"log">> {
  const server = await startPostgres();
  try {
    let database = 0;
    return {
      sqlite: await withAndWithout(async () => ({})),
      postgres: await withAndWithout(async () => ({ database: await server.create(`log${database++}`) })),
      ...(await inFolder(proofs)),
      ...(await inFolder(check)),
      ...(await inFolder(verification)),
    };
  } finally {
    await server.dispose();
  }
}

/** Both take turns, each as often first as second, because the speed of disks changes within seconds. */
async function withAndWithout(records: () => Promise<ServiceRecords>): Promise<Measured> {
  const perSecond = { with: 0, without: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    for (const log of round % 2 === 0 ? (["with", "without"] as const) : (["without", "with"] as const)) {
      const nodeOptions = log === "with" ? [] : ["--import", WITHOUT_LOG];
      await using service = await startLocalService({ ...(await records()), nodeOptions });
      perSecond[log] += (await loadOn([service], { seconds: SECONDS })).perSecond / ROUNDS;
    }
  }
  const note = `${perSecond.with.toFixed(0)}/s with, ${perSecond.without.toFixed(0)}/s without`;
  return { value: perSecond.with / perSecond.without, note };
}

async function inFolder<Rows>(measure: (folder: string) => Promise<Rows>): Promise<Rows> {
  const folder = await mkdtemp(join(tmpdir(), "bench-log-"));
  try {
    return await measure(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Proofs of events that are far from each other in a long log. */
async function proofs(folder: string) {
  const size = 10 * MILLION;
  const { events, bytes } = await writeLog(folder, { size, eventEvery: Math.floor(size / PROOFS) });
  const store = await openDataFolder(folder);
  const apiKey = await adminKeyOf(store, ORG_ID);
  await store.close();
  await using service = await startServiceProcess(folder, []);
  const client = new EvidenceClient({ apiKey, org: ORG, baseUrl: service.address });
  const times: number[] = [];
  try {
    for (const eventId of events) {
      const start = performance.now();
      await client.getLogProof({ eventId });
      times.push(performance.now() - start);
    }
  } finally {
    await client.close();
  }
  // The first one signs the checkpoint.
  times.shift();
  const note = `median ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`;
  return { proof: { value: quantile(times, 0.5), note }, bytes: { value: bytes } };
}

async function check(folder: string) {
  await writeLog(folder, { size: MILLION, eventEvery: 1 });
  return { fsck: { value: (await timed([process.execPath, CLI, "log", "fsck", "--data", folder])) / 1000 } };
}

/** Writes a log, and an event for each of some leaves. */
async function writeLog(folder: string, { size, eventEvery }: { size: number; eventEvery: number }) {
  await (await openDataFolder(folder)).close();
  const { database } = openSqlite(databaseFile(folder), { lockTimeout: 1000 });
  database.exec("PRAGMA synchronous = OFF; BEGIN");
  const insert = inserter(database);
  insert("organizations", { id: ORG_ID, name: ORG, created_at: 0 });
  const events: string[] = [];
  const edges: Edge[] = [];
  for (let from = 0; from < size; from += 65_536) {
    const leaves: { sequence: number; digest: string }[] = [];
    for (let sequence = from + 1; sequence <= Math.min(size, from + 65_536); sequence++) {
      if (sequence % eventEvery !== 0) {
        leaves.push({ sequence, digest: randomBytes(32).toString("hex") });
        continue;
      }
      const event = { sequence, ...eventRow(unsalted(sequence), { is_compliant: true }) };
      insert("events", event);
      events.push(event.id);
      leaves.push(event);
    }
    for (const tile of tilesWith(leaves, ORG_ID, from, edges)) {
      database
        .prepare("insert or replace into log_tiles values (?, ?, ?, ?, ?, ?)")
        .run(
          ...[tile.org_id, tile.level, tile.tile, tile.first_sequence, tile.hashes, tile.halfway].map(
            bindable,
          ),
        );
    }
  }
  insert("logs", {
    org_id: ORG_ID,
    origin: `log.example/${ORG}`,
    size,
    last_sequence: size,
    checkpoint: null,
    signed_size: 0,
  });
  database.exec("COMMIT");
  const row = database
    .prepare("select sum(length(hashes) + length(halfway) + 32) as bytes from log_tiles")
    .get();
  database.close();
  return { events, bytes: Number(row?.["bytes"]) / size };
}

function unsalted(sequence: number) {
  return {
    org_id: ORG_ID,
    type: "attestation.recorded",
    at: 1_790_000_000 + sequence / 1000,
    by: "ci",
    by_id: null,
    subject_id: `subject-${sequence}`,
    subject_name: "lint",
    trail_id: null,
  } as const;
}

/** A package of a trail with many records, verified as a user does. */
async function verification(folder: string) {
  await using service = await startLocalService({});
  const { apiKey, org, address: baseUrl } = service;
  const client = new EvidenceClient({ apiKey, org, baseUrl });
  try {
    const trail = { flowName: "load", trailName: "long" };
    const left = Array.from({ length: RECORDS }, (_, number) => `check-${number}`);
    const attest = async () => {
      for (let name = left.pop(); name !== undefined; name = left.pop())
        await client.attestGeneric({
          ...trail,
          files: {},
          body: { attestationName: name, isCompliant: true },
        });
    };
    await Promise.all(Array.from({ length: 16 }, attest));
    const file = join(folder, "long.tgz");
    const policy = join(folder, "policy.txt");
    await writeFile(file, (await client.getTrailAuditPackage(trail)).body.content);
    await writeFile(policy, (await client.getLogPolicy({})).body.content);
    const milliseconds = await timed([process.execPath, CLI, "verify", file, "--policy", policy]);
    return { verify: { value: milliseconds / 1000 } };
  } finally {
    await client.close();
  }
}

import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { Agent } from "undici";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { OperationShape } from "../../src/api/operation.ts";
import { operations } from "../../src/api/resources/operations.ts";
import { readSealingKey } from "../../src/service/delivery/outgoing/sealed.ts";
import { type ServiceOptions, startService } from "../../src/service/service.ts";
import { forgetInstance, noteInstance } from "../../src/service/store/instances.ts";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import { serveProgram, startProgram } from "../cli/program.ts";
import { runHere } from "../cli/terminal.ts";
import { OPA } from "../go-programs.ts";
import { newDatabase } from "../records.ts";
import { attestingClients } from "../service/attesting-clients.ts";
import { type RequestToSend, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { BUCKET, s3Server } from "../service/store/blobs/bucket/s3-server.ts";
import { environmentOf } from "../service/store/blobs/bucket/stores.ts";
import { succeedingRequests } from "../service/succeeding-requests.ts";

const every: readonly OperationShape[] = Object.values(operations);
const REMOVES = /archive|rename|delete|revoke|detach/i;
const writes = every.filter(({ method, name }) => !/GET|DELETE/.test(method) && !REMOVES.test(name));
const reads = every.filter(({ method }) => method === "GET");

let folder = "";
let dispatcher: Agent;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-copies-"));
  dispatcher = new Agent();
});
afterEach(async () => {
  await dispatcher.destroy();
  await rm(folder, { recursive: true });
});

const at = (name: string) => join(folder, name);

/** The response of each read operation. */
async function answers(service: TestService, requestOf: (operation: OperationShape) => RequestToSend) {
  const found: Record<string, unknown> = {};
  for (const operation of reads) {
    const { status, text } = await send(service, requestOf(operation));
    expect(status, `${operation.name}: ${text}`).toBe(200);
    found[operation.name] = text;
  }
  return found;
}

it("a service that is moved to PostgreSQL and back answers every read as before", async () => {
  const original = await startTestService({}, { opa: OPA });
  const { dataFolder, clock } = original;
  const requestOf = await succeedingRequests(original);
  for (const operation of writes) {
    const { status, text } = await send(original, requestOf(operation));
    expect([200, 201], `${operation.name}: ${text}`).toContain(status);
  }
  const requests: Record<string, RequestToSend> = Object.fromEntries(
    reads.map((operation) => [operation.name, requestOf(operation)]),
  );
  const requestAgain = ({ name }: OperationShape) => requests[name] ?? { path: "" };
  // Adds every event to the log, which otherwise happens within a second.
  await send(original, requestOf(operations.getLogProof));
  const before = await answers(original, requestAgain);
  await original.close();

  const answersOf = async (where: Pick<ServiceOptions, "dataFolder" | "database" | "attachmentsAt">) => {
    const port = Number(new URL(original.address).port);
    // Without the key of the original, the addresses of rules could not be shown.
    const secretKey = readSealingKey(await readFile(join(dataFolder, "secret.key"), "utf8"), "secret.key");
    const same = {
      host: "127.0.0.1",
      org: ORG,
      version: "1.2.3",
      log: () => {},
      now: () => clock.time,
      secretKey,
    };
    const service = await startService({ ...same, port, ...where });
    try {
      return await answers({ ...original, ...service, dispatcher }, requestAgain);
    } finally {
      await service.close();
    }
  };
  const url = await newDatabase();
  const there = ["--from", dataFolder, "--to", url, "--attachments", at("files")];
  const moved = await startProgram(["move", ...there]).ended;
  const keyIsMissing = expect.stringMatching(
    /^The copy does not include the key of notification secrets\. .*\n$/,
  );
  expect([moved.status, moved.stderr, moved.stdout]).toEqual([
    0,
    keyIsMissing,
    expect.stringMatching(
      /^Moved \d+ rows in \d+ tables and \d attachments? \(.*\. Start the service there\. /,
    ),
  ]);
  expect(reads.length).toBeGreaterThan(50);
  const attachmentsAt = { folder: at("files") };
  expect(await answersOf({ dataFolder: at("work"), database: { url }, attachmentsAt })).toEqual(before);
  const back = ["--from", url, "--attachments-from", at("files"), "--to", at("back")];
  expect(await startProgram(["move", ...back]).ended).toMatchObject({ status: 0, stderr: keyIsMissing });
  expect(await answersOf({ dataFolder: at("back") })).toEqual(before);
  for (const where of [
    ["--data", dataFolder],
    ["--database-url", url, "--attachments", at("files")],
    ["--data", at("back")],
  ]) {
    expect(await runHere(["verify", ...where])).toMatchObject({
      ...{ status: 0, stderr: "" },
      stdout: expect.stringContaining(": no difference\n"),
    });
  }
  await rm(dataFolder, { recursive: true });
});

const KEY = `de_${"k".repeat(43)}`;

async function serve(url: string, args: readonly string[], env: Record<string, string> = {}) {
  await mkdir(at("work"), { recursive: true });
  const where = ["--database-url", url, "--data", at("work"), "--org", "acme", "--log", "text", ...args];
  return serveProgram(where, { env: { EVIDENCE_ADMIN_KEY: KEY, ...env } });
}

async function attest(address: string, trail: string): Promise<number> {
  const answer = await send(
    { address, dispatcher, keys: { member: KEY } },
    {
      ...{ method: "POST", path: `/attestations/acme/web/trail/${trail}/generic` },
      form: { attestation_name: "unit", is_compliant: true },
      files: [{ name: "report.txt", content: `the report of ${trail}` }],
    },
  );
  return answer.status;
}

/** The whole schema of a database, by name. */
async function schemaOf(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  const indexes = await client.query("select indexname as name, indexdef as definition from pg_indexes");
  const constraints = await client.query(
    "select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint",
  );
  await client.end();
  const all: { name: string; definition: string }[] = [...indexes.rows, ...constraints.rows];
  return all.map(({ name, definition }) => `${name}: ${definition}`).sort();
}

it("a backup of PostgreSQL during many writes restores to another database, indexes and all", async () => {
  const url = await newDatabase();
  const service = await serve(url, ["--attachments", at("files")]);
  const { answered, stop } = attestingClients((trail) => attest(service.address, trail));
  await expect.poll(() => answered.length).toBeGreaterThan(40);
  const before = [...answered];
  const from = ["--database-url", url, "--attachments", at("files")];
  const created = await startProgram(["backup", ...from, "--to", at("backup")]).ended;
  expect([created.status, created.stderr]).toEqual([0, ""]);
  expect(answered.length).toBeGreaterThan(before.length);
  await stop();
  await service.stop();

  const other = await newDatabase();
  const to = ["--database-url", other, "--attachments", at("restored")];
  expect(await startProgram(["restore", "--from", at("backup"), ...to]).ended).toMatchObject({
    ...{ status: 0, stderr: "" },
    stdout: expect.stringContaining(`to ${other}. Start the service there`),
  });
  expect(await schemaOf(other)).toEqual(await schemaOf(url));
  expect((await runHere(["verify", ...to])).stdout).toContain(": no difference\n");
  const restored = await serve(other, ["--attachments", at("restored")]);
  const reachable = { address: restored.address, dispatcher, keys: { member: KEY } };
  for (const trail of before) {
    const path = `/attestations/acme/web/trail/${trail}`;
    const [attestation] = (await send(reachable, { path: `${path}/unit` })).body;
    const evidence = await send(reachable, {
      path: `${path}/attestation/${attestation.attestation_id}/evidence`,
    });
    expect(evidence.text).toBe(`the report of ${trail}`);
  }
  // Sequences of the database continue after the copied numbers.
  expect(await attest(restored.address, "later")).toBe(201);

  const records = ["--database-url", other];
  expect((await runHere(["orgs", "list", ...records])).stdout).toMatch(/^acme +\S+ +1 +1 +0$/m);
  const key = (
    await runHere(["keys", "create", "--account", "ci", "--role", "member", ...records])
  ).stdout.trim();
  expect((await send(reachable, { path: "/flows/acme", key })).status).toBe(200);
  const [, id = ""] = /^(\S+) +acme +ci /m.exec((await runHere(["keys", "list", ...records])).stdout) ?? [];
  expect((await runHere(["keys", "revoke", id, ...records])).stdout).toBe(`Revoked API key ${id}\n`);
  expect((await send(reachable, { path: "/flows/acme", key })).status).toBe(401);
  await restored.stop();
});

it("a move is refused while a service runs, and an incomplete one is not served", async () => {
  const store = await s3Server();
  const env = environmentOf(store.url);
  const attachments = `s3://${BUCKET}/team`;
  const url = await newDatabase();
  const service = await serve(url, ["--attachments", attachments], env);
  expect(await attest(service.address, "t1")).toBe(201);
  await service.stop();
  const from = ["--from", url, "--attachments-from", attachments];
  const other = await newDatabase();
  const move = ["move", ...from, "--to", other, "--attachments", at("files")];

  const source = await openPostgres({ url });
  await source.write((db) => noteInstance(db, { id: "1", version: "1", host: "web-1" }));
  expect(await runHere(move, { env })).toEqual({
    ...{ status: 1, stdout: "" },
    stderr: `delivery-evidence: A service on web-1 uses ${url}: stop the service first. If it was killed, wait 15 seconds\n`,
  });
  await source.write((db) => forgetInstance(db, "1"));
  await source.close();

  store.fail("GET", { kind: "none" }, { kind: "silence" });
  const requests = store.requests.length;
  const killed = startProgram(move, { env });
  const isReading = () =>
    store.requests.slice(requests).some((line) => line.startsWith("GET /evidence/team/sha256/"));
  await expect.poll(isReading).toBe(true);
  killed.child.kill("SIGKILL");
  await killed.ended;
  const served = ["serve", "--port", "0", "--data", at("work"), "--database-url", other];
  expect(await runHere([...served, "--attachments", at("files")])).toMatchObject({
    ...{ status: 1, stdout: "" },
    stderr:
      `delivery-evidence: The records in ${other} are an incomplete copy: ` +
      "copy again to an empty place, and remove this incomplete copy\n",
  });
  expect(await runHere(move, { env })).toMatchObject({
    ...{ status: 1, stdout: "" },
    stderr: `delivery-evidence: The database ${other} is not empty: create a new one, or drop its tables\n`,
  });
  // The files that the first one copied do not matter.
  const again = await runHere([...move.slice(0, 6), await newDatabase(), ...move.slice(7)], { env });
  expect([again.status, again.stderr]).toEqual([0, ""]);
  await store.close();
});

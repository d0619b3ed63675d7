import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, FormData, request } from "undici";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { locationFrom } from "../../src/cli/operator/record-location.ts";
import type { RunningService } from "../../src/service/service.ts";
import { serveHere } from "../cli/served-here.ts";
import { copyData, type PostgresServer, startCopy, startPostgres } from "../postgres/server.ts";
import { askPostgres } from "../records.ts";
import { BUCKET, type S3Server, s3Server } from "../service/store/blobs/bucket/s3-server.ts";
import { environmentOf } from "../service/store/blobs/bucket/stores.ts";
import { blocksOf } from "./pages.ts";
import { blockIn, pageNamed, sectionOf } from "./reference-pages.ts";
import { runCommandsIn } from "./shell-commands.ts";

const page = pageNamed("docs/runbook.md");
const KEY = `de_${"k".repeat(43)}`;
const headers = { authorization: `Bearer ${KEY}` };
/** Location of the archive of PostgreSQL on the page. */
const ARCHIVE = "/archive";

const commandsIn = (heading: string, at = 0) =>
  blocksOf(sectionOf(page, heading)).filter(({ language }) => language === "sh")[at]?.text ??
  expect.fail(`no command ${at} below '${heading}'`);
const settingsIn = (heading: string, archive: string) =>
  blockIn(page, heading, "ini").text.replaceAll(ARCHIVE, archive).trim().split("\n");

let postgres: PostgresServer;
let archive = "";
let folder = "";
let dispatcher: Agent;
let bucket: S3Server;
let tools: { url: string; close(): Promise<void> };
let count = 0;
const running: RunningService[] = [];

beforeAll(async () => {
  archive = await mkdtemp(join(tmpdir(), "evidence-archive-"));
  await chmod(archive, 0o777);
  // Shorter than the page's, so that the test need not wait for it.
  postgres = await startPostgres({ settings: settingsIn("Prepare", archive) });
});
afterAll(async () => {
  await postgres.dispose();
  await rm(archive, { recursive: true });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-runbook-"));
  dispatcher = new Agent();
  bucket = await s3Server();
  tools = await objectTools(bucket);
});
afterEach(async () => {
  await dispatcher.destroy();
  await stopAll();
  await tools.close();
  await bucket.close();
  await rm(folder, { recursive: true });
});

/** Does in our bucket what the page asks of `aws s3`. */
async function objectTools({ objects }: S3Server) {
  const keyOf = (place: string | null) => (place ?? "").replace(`s3://${BUCKET}/`, "");
  const server = createServer(async (incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? "", "http://tools");
    const [from, to] = [keyOf(searchParams.get("from")), keyOf(searchParams.get("to"))];
    const found = [...objects].filter(([key]) => key.startsWith(from));
    if (pathname === "/sync") for (const [key, body] of found) objects.set(to + key.slice(from.length), body);
    if (pathname === "/put") objects.set(to, await buffer(incoming));
    outgoing.end(found.map(([key]) => key.slice(from.length)).join("\n"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Replaces the three commands of `aws s3` on the page. */
const aws = () => `aws() {
  case "$2" in
    sync) curl -sSf --request POST "${tools.url}/sync?from=$3&to=$4" ;;
    cp) curl -sSf --data-binary @"$3" "${tools.url}/put?to=$4" ;;
    ls) curl -sSf "${tools.url}/ls?from=$3" ;;
  esac
}
`;

/** A production with its records in a new database. */
async function production() {
  const name = `evidence_${++count}`;
  const env = {
    ...environmentOf(bucket.url),
    EVIDENCE_ADMIN_KEY: KEY,
    EVIDENCE_DATABASE_URL: await postgres.create(name, "template0"),
    EVIDENCE_ATTACHMENTS: `s3://${BUCKET}/attachments`,
    BACKUPS: `s3://${BUCKET}/backups`,
    NEW_DATABASE_URL: postgres.url(`${name}_2`),
    NEW_ATTACHMENTS: `s3://${BUCKET}/attachments-2`,
  };
  return {
    name,
    env,
    /** Runs commands of the page. Our bucket has no TLS. */
    run: (commands: string, more: Record<string, string> = {}) =>
      runCommandsIn(
        folder,
        aws() + commands.replaceAll(/(?<=npx delivery-evidence \w+)(?= )/g, " --allow-http"),
        { ...env, ...more },
      ),
    /** Creates the new database with the statement of the page. */
    create: () =>
      askPostgres(
        postgres.url("postgres"),
        blockIn(page, "Database lost", "sql").text.replace("evidence_2", `${name}_2`),
      ),
    serve: (more: Record<string, string> = {}) => serve({ ...env, ...more }),
  };
}

/** A production that has a backup with the attestation of trail t1. */
async function backedUp() {
  const original = await production();
  const service = await original.serve();
  expect(await attest(service, "t1")).toBe(201);
  await original.run(commandsIn("Prepare", 1));
  return { original, service };
}

/** Starts an instance here with a data folder of its own, where the variables of the page name its records. */
async function serve(env: Record<string, string>): Promise<RunningService> {
  const data = join(folder, `data-${++count}`);
  await mkdir(data);
  const { database, attachmentsAt } = await locationFrom({ data, "allow-http": true }, env);
  const service = await serveHere(data, { org: "acme", adminKey: KEY, database, attachmentsAt });
  running.push(service);
  return service;
}

async function attest({ address }: RunningService, trail: string): Promise<number> {
  const body = new FormData();
  body.append("data_json", JSON.stringify({ attestation_name: "unit", is_compliant: true }));
  body.append("attachment_file", new Blob([`the report of ${trail}`]), "report.txt");
  const path = `${address}/api/v2/attestations/acme/web/trail/${trail}/generic`;
  const answer = await request(path, { method: "POST", body, dispatcher, headers });
  await answer.body.dump();
  return answer.statusCode;
}

/** The report of a trail, or the status of the response without it. */
async function reportOf({ address }: RunningService, trail: string): Promise<string | number> {
  const get = (path: string) =>
    request(`${address}/api/v2/attestations/acme/web/trail/${trail}${path}`, { dispatcher, headers });
  const listed = await get("/unit");
  const found = Object(await listed.body.json());
  if (listed.statusCode !== 200 || found[0] === undefined) return listed.statusCode;
  const evidence = await get(`/attestation/${found[0].attestation_id}/evidence`);
  const text = await evidence.body.text();
  return evidence.statusCode === 200 ? text : evidence.statusCode;
}

/** Stops all instances. */
async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map((service) => service.close()));
}

const renewed = ({ env }: Awaited<ReturnType<typeof production>>) => ({
  EVIDENCE_DATABASE_URL: env.NEW_DATABASE_URL,
  EVIDENCE_ATTACHMENTS: env.NEW_ATTACHMENTS,
});

/** Drops a database with all its connections. */
const lose = (name: string) => askPostgres(postgres.url("postgres"), `drop database ${name} with (force)`);

function loseObjects(prefix: string): void {
  for (const key of bucket.objects.keys()) if (key.startsWith(prefix)) bucket.objects.delete(key);
}

test("the database is lost", async () => {
  const { original, service } = await backedUp();
  expect(await original.run(commandsIn("Prepare", 2))).toContain("no difference");
  expect(await attest(service, "t2")).toBe(201);
  await stopAll();
  await lose(original.name);

  await original.create();
  expect(await original.run(commandsIn("Database lost"))).toContain("no difference");
  const recovered = await original.serve(renewed(original));
  expect(await reportOf(recovered, "t1")).toBe("the report of t1");
  expect(await reportOf(recovered, "t2")).toBe(404);
  expect(await attest(recovered, "t2")).toBe(201);
});

test("the bucket is lost", async () => {
  const { original, service } = await backedUp();
  expect(await attest(service, "t2")).toBe(201);
  await stopAll();
  loseObjects("attachments/");

  await original.run(commandsIn("Bucket lost", 0));
  expect(await original.run(commandsIn("Bucket lost", 1))).toContain("Adopted");
  const recovered = await original.serve({ EVIDENCE_ATTACHMENTS: original.env.NEW_ATTACHMENTS });
  expect(await reportOf(recovered, "t1")).toBe("the report of t1");
  expect(await reportOf(recovered, "t2")).toBeTypeOf("number");
  const printed = await original.run(`${commandsIn("Bucket lost", 2).trim()} || echo "exit status $?"`);
  expect(printed).toMatch(/is missing: .*, named by attestation/);
  expect(printed).toContain("differences: 1");
  expect(printed).toContain("exit status 1");
  expect(await attest(recovered, "t3")).toBe(201);
});

test("both are lost, and an earlier backup is restored", async () => {
  const { original, service } = await backedUp();
  expect(await attest(service, "t2")).toBe(201);
  await original.run(commandsIn("Prepare", 1));
  await stopAll();
  await lose(original.name);
  loseObjects("attachments/");

  const names = (await original.run(commandsIn("Both lost", 0)))
    .split("\n")
    .map((key) => key.split("/")[0] ?? "");
  const [BACKUP = ""] = [...new Set(names)].sort();
  await original.create();
  expect(await original.run(commandsIn("Both lost", 1), { BACKUP })).toContain("Restored");
  const recovered = await original.serve(renewed(original));
  expect(await reportOf(recovered, "t1")).toBe("the report of t1");
  expect(await reportOf(recovered, "t2")).toBe(404);
});

test("the records are recovered as of a point in time", async () => {
  const original = await production();
  const service = await original.serve();
  const base = await copyData(postgres);
  expect(await attest(service, "t1")).toBe(201);
  const [moment] = await askPostgres(
    original.env.EVIDENCE_DATABASE_URL,
    "select clock_timestamp()::text as at",
  );
  await delay(50);
  expect(await attest(service, "t2")).toBe(201);
  await stopAll();
  const [closed] = await askPostgres(
    postgres.url("postgres"),
    "select pg_walfile_name(pg_switch_wal()) as name",
  );
  const archived = async () =>
    (
      await askPostgres(
        postgres.url("postgres"),
        "select last_archived_wal >= $1 as done from pg_stat_archiver",
        [closed?.["name"]],
      )
    )[0]?.["done"];
  await expect.poll(archived).toBe(true);

  const settings = settingsIn("A point in time", archive).map((line) =>
    line.replace(/(recovery_target_time = ').*'/, `$1${moment?.["at"]}'`),
  );
  const recoveredServer = await startCopy(base, "recovery.signal", ["archive_mode = off", ...settings]);
  try {
    const promoted = async () =>
      (await askPostgres(recoveredServer.url("postgres"), "select pg_is_in_recovery() as is"))[0]?.["is"];
    await expect.poll(promoted).toBe(false);
    const where = { NEW_DATABASE_URL: recoveredServer.url(original.name) };
    const command = commandsIn("A point in time", 0).replace(
      /(?<=export NEW_DATABASE_URL=)\S+/,
      where.NEW_DATABASE_URL,
    );
    const verified = await original.run(command);
    expect(verified).toContain("no difference");
    expect(verified).toContain("files that no record names: 1");
    expect(await original.run(commandsIn("A point in time", 1), where)).toContain("Adopted");
    const recovered = await original.serve({ EVIDENCE_DATABASE_URL: where.NEW_DATABASE_URL });
    expect(await reportOf(recovered, "t1")).toBe("the report of t1");
    expect(await reportOf(recovered, "t2")).toBe(404);
    expect(await attest(recovered, "t2")).toBe(201);
    await stopAll();
  } finally {
    await recoveredServer.dispose();
  }
});

test("staging gets a copy, which serves beside production", async () => {
  const { original, service } = await backedUp();
  await original.create();
  await original.run(commandsIn("A copy for staging"));
  const staging = await original.serve(renewed(original));
  expect(await reportOf(staging, "t1")).toBe("the report of t1");
  expect(await attest(staging, "only-here")).toBe(201);
  expect(await reportOf(service, "only-here")).toBe(404);
  expect(await original.run("npx delivery-evidence verify ")).toContain("no difference");
});

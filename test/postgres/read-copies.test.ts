import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { writeNothing } from "../../src/service/store/dialect.ts";
import { NoCopy } from "../../src/service/store/postgres/faults.ts";
import { newLastWrite, noteWrite, positionIn } from "../../src/service/store/postgres/log-position.ts";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import { CLIENT_TIMEOUTS } from "../../src/service/store/postgres/pool.ts";
import type { Reading } from "../../src/service/store/store.ts";
import { runProgram, serveProgram } from "../cli/program.ts";
import { unique } from "../conformance/unique.ts";
import { askPostgres } from "../records.ts";
import { signedIn } from "../service/pages/visitor.ts";
import { pipeline, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import { recordStatements } from "./recorded-statements.ts";
import { freePort, type PostgresServer, startPostgres, startStandby } from "./server.ts";
import { expectUnavailable } from "./service-behind-faults.ts";

const SETTINGS = ["wal_keep_size = 512MB", "hot_standby = on"];

let primary: PostgresServer;
let copy: PostgresServer;
/** Reads the copy. */
let service: TestService;
/** Another instance, which does not. */
let other: TestService;
let readUrl: string;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-read-"));
  primary = await startPostgres({ settings: SETTINGS });
  const url = await primary.create("evidence");
  other = await startTestService({}, { database: { url } });
  copy = await startStandby(primary, "copy");
  // The first host refuses connections.
  readUrl = copy.url("evidence").replace("@", `@127.0.0.1:${await freePort()},`);
  const attachmentsAt = { folder: join(other.dataFolder, "files") };
  service = await startTestService({}, { database: { url, readUrl }, keys: other.keys, attachmentsAt });
  await pipeline(service).flow("web");
  await pipeline(service).trail("web", "t1");
  await pipeline(service).artifact("web", "t1");
});
afterEach(async () => {
  await askPostgres(copy.url("evidence"), "select pg_wal_replay_resume()");
});
afterAll(async () => {
  for (const each of [service, other]) await each.dispose();
  for (const server of [copy, primary]) await server.dispose();
  await rm(folder, { recursive: true });
});

const flows = () => send(service, { path: `/flows/${ORG}` });
const flowNames = async (): Promise<string[]> =>
  (await flows()).body.map(({ name }: { name: string }) => name);
const watch = async (path: "ready" | "health") => {
  const { statusCode, body } = await request(`${service.address}/${path}`, {
    dispatcher: service.dispatcher,
  });
  return { status: statusCode, text: await body.text() };
};

/** The servers that received queries of a table during some work, by port. */
async function askedFor(table: string, work: () => Promise<unknown>): Promise<number[]> {
  const { recorded, stop } = recordStatements();
  await work().finally(stop);
  const queries = recorded.filter(({ text }) => text.includes(`from "${table}"`));
  return [...new Set(queries.map(({ port }) => port))];
}

/** Waits until the copy has all writes, and is not away. */
const copyUsed = () => expect.poll(() => askedFor("flows", flows)).toEqual([copy.port]);

async function pauseReplay(): Promise<void> {
  await askPostgres(copy.url("evidence"), "select pg_wal_replay_pause()");
  const state = () => askPostgres(copy.url("evidence"), "select pg_get_wal_replay_pause_state() as state");
  await expect.poll(state).toEqual([{ state: "paused" }]);
}

describe("with a copy", () => {
  it("lists, pages and exports read it; keys, sessions and the gate read the primary", async () => {
    const person = await signedIn(service, service.keys.member);
    // A write of the instance itself, just before, may have to arrive first.
    const fromCopy = (table: string, work: () => Promise<unknown>) =>
      expect.poll(() => askedFor(table, work)).toEqual([copy.port]);
    const trail = `/trails/${ORG}/web/t1`;
    await fromCopy("flows", flows);
    await fromCopy("trails", () => send(service, { path: trail }));
    await fromCopy("trails", () => send(service, { path: `${trail}/audit_package` }));
    await fromCopy("flows", () => person.get(`/${ORG}/flows`));
    expect(await askedFor("api_keys", flows)).toEqual([primary.port]);
    expect(await askedFor("sessions", () => person.get(`/${ORG}/flows`))).toEqual([primary.port]);
    expect(await askedFor("artifacts", () => pipeline(service).assert())).toEqual([primary.port]);
    expect(await askedFor("flows", () => pipeline(service).trail("web", "t2"))).toEqual([primary.port]);
  });

  it("an instance reads its own writes while the copy lags", async () => {
    await copyUsed();
    await pauseReplay();
    for (let round = 0; round < 5; round++) {
      const name = unique("own");
      expect((await pipeline(service).flow(name)).status).toBe(201);
      expect(await flowNames()).toContain(name);
    }
    expect(await askedFor("flows", flows)).toContain(primary.port);
    await askPostgres(copy.url("evidence"), "select pg_wal_replay_resume()");
    await copyUsed();
  });

  it("a record that the copy lacks is found on the primary", async () => {
    await copyUsed();
    await pauseReplay();
    const name = unique("late");
    expect((await pipeline(other).flow(name)).status).toBe(201);
    expect((await send(service, { path: `/flows/${ORG}/${name}` })).status).toBe(200);
  });

  it("the gate knows a failure that another instance has just recorded", async () => {
    await copyUsed();
    await pauseReplay();
    const verdict = async () => (await pipeline(service).assert()).body.compliant;
    expect(await verdict()).toBe(true);
    const failure = { attestation_name: "scan", is_compliant: false, artifact_fingerprint: "a".repeat(64) };
    expect((await pipeline(other).attest("web", "t1", failure)).status).toBe(201);
    expect(await verdict()).toBe(false);
  });
});

it("while the primary is away, lists and pages are answered from the copy, gates and writes are refused", async () => {
  const person = await signedIn(service, service.keys.member);
  await copyUsed();
  // The copy lacks the last write, as after a crash.
  await pauseReplay();
  expect((await pipeline(service).flow(unique("last"))).status).toBe(201);
  await primary.stop("immediate");
  try {
    expect((await flows()).status).toBe(200);
    expect((await send(service, { path: `/trails/${ORG}/web/t1/audit_package` })).status).toBe(200);
    // A visit after a minute would be recorded.
    service.clock.time += 61;
    expect((await person.get(`/${ORG}/flows`)).status).toBe(200);
    expectUnavailable(await pipeline(service).assert());
    expectUnavailable(await pipeline(service).flow(unique("new")));
    expect((await send(service, { path: `/flows/${ORG}`, key: service.keys.revoked })).status).toBe(401);
    const reason = "The records cannot be read: the database cannot be reached";
    expect(await watch("ready")).toEqual({
      status: 200,
      text: expect.stringMatching(`^OK\n${reason}. A copy is read`),
    });
    const health = await watch("health");
    expect([health.status, JSON.parse(health.text)]).toEqual([
      503,
      expect.objectContaining({
        status: reason,
        records: expect.objectContaining({ readable: false, copy: "OK" }),
      }),
    ]);
    // An instance without a copy.
    expectUnavailable(await send(other, { path: `/flows/${ORG}` }));
  } finally {
    await primary.start();
  }
  await expect.poll(async () => (await pipeline(service).assert()).status).toBe(200);
});

it("while the primary does not respond, lists and pages need not wait for it", async () => {
  const proxy = await startFaultProxy(primary.port);
  const own = await startTestService(
    {},
    {
      database: {
        ...{ url: proxy.through(primary.url("evidence")), readUrl },
        timeouts: { ...CLIENT_TIMEOUTS, read: 5_000 },
      },
      keys: service.keys,
      attachmentsAt: { folder: join(other.dataFolder, "files") },
    },
  );
  onTestFinished(async () => {
    proxy.heal();
    await own.dispose();
    await proxy.close();
  });
  const listed = () => send(own, { path: `/flows/${ORG}` });
  await expect.poll(() => askedFor("flows", listed)).toEqual([copy.port]);
  proxy.silence();
  const gate = pipeline(own).assert();
  expect((await listed()).status).toBe(200);
  expect((await request(`${own.address}/ready`, { dispatcher: own.dispatcher })).statusCode).toBe(200);
  // Only now does the gate get its refusal.
  expect(await Promise.race([gate, Promise.resolve("waiting")])).toBe("waiting");
  expectUnavailable(await gate);
});

it("while the copy is away, the primary answers everything", async () => {
  const person = await signedIn(service, service.keys.member);
  await copyUsed();
  await copy.stop("fast");
  try {
    expect((await flows()).status).toBe(200);
    expect((await send(service, { path: `/trails/${ORG}/web/t1/audit_package` })).status).toBe(200);
    expect((await person.get(`/${ORG}/flows`)).status).toBe(200);
    expect((await pipeline(service).assert()).status).toBe(200);
    expect((await pipeline(service).flow(unique("new"))).status).toBe(201);
    expect(await askedFor("flows", flows)).toEqual([primary.port]);
    await expect.poll(() => watch("ready")).toEqual({ status: 200, text: "OK" });
    const health = async () => {
      const { status, text } = await watch("health");
      return [status, JSON.parse(text).records.copy];
    };
    const trouble = "No copy of the records can be read: no copy can be reached, or all are behind";
    await expect.poll(health).toEqual([200, trouble]);
  } finally {
    await copy.start();
  }
  await copyUsed();
});

describe("a store with copies", () => {
  const rows = ({ read }: Reading) => read.selectFrom("flows").select("name").execute();
  const opened = async (url: string) => {
    const lastWrite = newLastWrite();
    const store = await openPostgres({ url, readUrl, lastWrite });
    onTestFinished(() => store.close());
    const copyOf = store.copy ?? expect.fail("no copy");
    return { store, lastWrite, copyOf };
  };

  it("does not use them before its first write, nor those more than seconds behind the last one", async () => {
    const { store, lastWrite, copyOf } = await opened(primary.url("evidence"));
    const unusable = (kind: "own" | "recent") => expect(rows(copyOf(kind))).rejects.toThrow(NoCopy);
    await unusable("own");
    await unusable("recent");
    await store.write(writeNothing);
    await expect.poll(() => rows(copyOf("own")).catch(String)).toContainEqual({ name: "web" });
    const { position, time } = positionIn(lastWrite);
    noteWrite(lastWrite, { position: position + 1_000_000_000n, time: time + 5_000n });
    await unusable("own");
    expect(await rows(copyOf("recent"))).toContainEqual({ name: "web" });
    noteWrite(lastWrite, { position, time: time + 3_600_000n });
    await unusable("recent");
  });

  it("knows the position of its writes also behind a pooler", async () => {
    const { store, lastWrite, copyOf } = await opened(`${primary.url("evidence")}?pgbouncer=true`);
    await store.write(writeNothing);
    expect(positionIn(lastWrite).position).toBeGreaterThan(0n);
    await expect.poll(() => rows(copyOf("own")).catch(String)).toContainEqual({ name: "web" });
  });
});

it("worker threads read copies too, with the writes of the main thread", async () => {
  const files = { primary: join(folder, "primary"), copies: join(folder, "copies") };
  await writeFile(files.primary, `${primary.url("evidence")}\n`);
  await writeFile(files.copies, `${readUrl}\n`);
  const program = await serveProgram(
    [
      ...["--data", join(folder, "data"), "--attachments", join(other.dataFolder, "files")],
      ...["--database-url-file", files.primary, "--database-read-url-file", files.copies],
    ],
    { env: { EVIDENCE_WORKERS: "2" } },
  );
  onTestFinished(async () => void (await program.stop()));
  const { dispatcher, keys } = service;
  const own = { address: program.address, dispatcher, keys };
  const trails = async (): Promise<string[]> => {
    const { body } = await send(own, { path: `/trails/${ORG}/web` });
    return body.map(({ name }: { name: string }) => name);
  };
  const queries = async () => {
    await trails();
    return askPostgres(
      copy.url("evidence"),
      `select 1 from pg_stat_activity where application_name like 'delivery-evidence%' and backend_start > '${since}'`,
    );
  };
  const [{ now: since } = {}] = await askPostgres(copy.url("evidence"), "select now()::text");
  await expect.poll(queries).not.toEqual([]);
  await pauseReplay();
  for (let round = 0; round < 3; round++) {
    const name = unique("own");
    expect((await pipeline(own).trail("web", name)).status).toBe(201);
    expect(await trails()).toContain(name);
  }
});

it("--database-read-url needs --database-url, and must be an address", () => {
  const started = (...args: string[]) => runProgram(["serve", "--data", join(folder, "none"), ...args]);
  expect(started("--database-read-url", "postgres://e@127.0.0.1/evidence")).toMatchObject({
    status: 1,
    stderr: "delivery-evidence: --database-read-url needs --database-url\n",
  });
  const wrong = ["--database-read-url", "postgres://e@127.0.0.1,other:port/evidence"];
  expect(started("--database-url", "postgres://e@127.0.0.1/evidence", ...wrong)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("delivery-evidence: --database-read-url must be an address such as"),
  });
});

it("with both servers in both addresses, a failover needs no change: writes find the new primary", async () => {
  const own = await startPostgres({ settings: SETTINGS });
  const url = await own.create("evidence");
  const standby = await startStandby(own, "standby");
  const both = `postgres://evidence@127.0.0.1:${standby.port},127.0.0.1:${own.port}/evidence`;
  const instance = await startTestService({}, { database: { url: both, readUrl: both }, preparedBy: url });
  onTestFinished(async () => {
    await instance.dispose();
    for (const server of [own, standby]) await server.dispose();
  });
  const listed = () => send(instance, { path: `/flows/${ORG}` });
  expect((await pipeline(instance).flow("web")).status).toBe(201);
  await expect.poll(() => askedFor("flows", listed)).toEqual([standby.port]);
  // A server that stops in order first sends what it has written.
  await own.stop("fast");
  expect((await listed()).status).toBe(200);
  await standby.promote();
  await expect.poll(async () => (await pipeline(instance).flow(unique("new"))).status).toBe(201);
  expect((await pipeline(instance).trail("web", unique("t"))).status).toBe(201);
  expect((await listed()).status).toBe(200);
});

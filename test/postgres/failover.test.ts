import { join } from "node:path";
import { request } from "undici";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { unique } from "../conformance/unique.ts";
import { askPostgres } from "../records.ts";
import { pipeline, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { type PostgresServer, startPostgres, startStandby } from "./server.ts";
import { expectEachOnce, startSubmitters } from "./submissions.ts";

/** Every other one of these promotes the standby. */
const STOPS = Number(process.env["TEST_DATABASE_STOPS"] ?? 2);
const SETTINGS = [
  "synchronous_commit = on",
  "wal_keep_size = 512MB",
  "wal_sender_timeout = 5s",
  "hot_standby = on",
];
const STANDBY = "standby";

let primary: PostgresServer;
let standby: PostgresServer;
let proxy: FaultProxy;
let services: readonly [TestService, TestService];
const retired: PostgresServer[] = [];

beforeAll(async () => {
  primary = await startPostgres({ settings: SETTINGS });
  const url = await primary.create("evidence");
  proxy = await startFaultProxy(primary.port);
  const database = { url: proxy.through(url), pool: 4 };
  const first = await startTestService({}, { database });
  services = [
    first,
    await startTestService(
      {},
      { database, keys: first.keys, attachmentsAt: { folder: join(first.dataFolder, "files") } },
    ),
  ];
  await pipeline(first).flow("web");
  await pipeline(first).trail("web", "t1");
  standby = await startStandby(primary, STANDBY);
  await commitWithStandby();
});
afterAll(async () => {
  for (const service of services) await service.dispose();
  await proxy.close();
  for (const server of [primary, standby, ...retired]) await server.dispose();
});

/** Makes the primary confirm only what the standby has. */
async function commitWithStandby(): Promise<void> {
  const url = primary.url("postgres");
  await askPostgres(url, `alter system set synchronous_standby_names = '${STANDBY}'`);
  await askPostgres(url, "select pg_reload_conf()");
  const isSync = async () =>
    expect(await askPostgres(url, "select sync_state from pg_stat_replication")).toEqual([
      { sync_state: "sync" },
    ]);
  await vi.waitFor(isSync, { timeout: 30_000 });
}

/** Replaces the primary, which is gone permanently, by the standby, which gets a standby. */
async function failOver(): Promise<void> {
  retired.push(primary);
  await standby.promote();
  primary = standby;
  const url = primary.url("postgres");
  await askPostgres(url, "alter system reset synchronous_standby_names");
  await askPostgres(url, "select pg_reload_conf()");
  proxy.leadTo(primary.port);
  standby = await startStandby(primary, STANDBY);
  await commitWithStandby();
}

it(`${STOPS} immediate stops of the database, with its standby promoted in every other one: nothing confirmed is lost or stored twice`, {
  timeout: 60_000 + STOPS * 20_000,
}, async () => {
  const submitters = startSubmitters(() => services, 8);
  for (let stop = 0; stop < STOPS; stop++) {
    await submitters.progress(50);
    await primary.stop("immediate");
    proxy.reset();
    await (stop % 2 === 0 ? primary.start() : failOver());
  }
  await submitters.progress(50);
  await submitters.finish();
  await expectEachOnce(services[0], submitters);
});

it("a database that is still a standby answers reads, and the service is ready and says that it cannot write", async () => {
  const [{ address, dispatcher }] = services;
  const ready = async () => {
    const { statusCode, body } = await request(`${address}/ready`, { dispatcher });
    return { status: statusCode, text: await body.text() };
  };
  proxy.leadTo(standby.port);
  proxy.reset();
  const text = "OK\nThe records cannot be written: the database takes no changes";
  await expect.poll(ready).toEqual({ status: 200, text });
  expect((await send(services[0], { path: `/flows/${ORG}` })).status).toBe(200);
  proxy.leadTo(primary.port);
  proxy.reset();
  await expect.poll(ready).toEqual({ status: 200, text: "OK" });
});

it("a commit that the standby has not confirmed is not answered with success, and its repeat records nothing twice", async () => {
  await standby.stop("fast");
  const name = unique("alone");
  const attest = () =>
    send(services[0], {
      method: "POST",
      path: `/attestations/${ORG}/web/trail/t1/generic`,
      form: { attestation_name: name, is_compliant: true },
      headers: { "idempotency-key": name },
    });
  const answer = attest();
  const url = primary.url("postgres");
  const waits = () =>
    askPostgres(
      url,
      "select pg_cancel_backend(pid) as cancelled from pg_stat_activity where wait_event = 'SyncRep' and query like '%commit'",
    );
  await expect.poll(waits, { interval: 50 }).toContainEqual({ cancelled: true });
  // Other pending work, such as the leases of the jobs, is not waited for either.
  const cancelling = setInterval(() => void waits(), 100);
  expect((await answer).status).toBe(503);
  clearInterval(cancelling);
  await standby.start();
  await expect.poll(async () => (await attest()).status).toBe(201);
  const { body } = await send(services[0], { path: `/attestations/${ORG}/web/trail/t1/${name}` });
  expect(body).toHaveLength(1);
});

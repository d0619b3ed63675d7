import pg from "pg";
import { request } from "undici";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { verify } from "../../src/service/ops/verification/verify.ts";
import { openOwnFolder } from "../../src/service/store/blobs/open-place.ts";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import { LOCK_ALL } from "../../src/service/store/postgres/write-queue.ts";
import { askPostgres, newDatabase } from "../records.ts";
import { type Receiver, startReceiver } from "../service/delivery/attempts/receiver.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../service/running-service.ts";
import { ask } from "./crowded-trails.ts";

let url: string;
let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  url = await newDatabase();
  receiver = await startReceiver();
  const outgoing = { allowTargets: ["127.0.0.1"], allowHttpTargets: true };
  service = await startTestService({}, { database: { url }, outgoing });
  for (const org of [ORG, OTHER_ORG]) {
    const targets = [{ type: "WEBHOOK", webhook: `${receiver.address}/${org}` }];
    const json = { name: "all", targets, triggers: ["ON_ATTESTATION"] };
    const rule = await ask(service, org, { method: "PUT", path: `/actions/${org}/flows`, json });
    expect(rule.status).toBe(201);
    expect(await attest(org, "first")).toBe(201);
  }
});
afterAll(async () => {
  await service.dispose();
  await receiver[Symbol.asyncDispose]();
});

async function attest(org: string, name: string): Promise<number> {
  const form = { attestation_name: name, is_compliant: true };
  const path = `/attestations/${org}/web/trail/t1/generic`;
  return (await ask(service, org, { method: "POST", path, form })).status;
}

/** Another transaction, which locks until the returned function ends it. */
async function lock(statement: string): Promise<() => Promise<void>> {
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`begin; ${statement}`);
  return async () => void (await client.query("rollback"));
}

const ofOrg = (org: string) => `(select id from organizations where name = '${org}')`;
/** Number of the service's transactions that wait for a lock. */
const waiting = async () => {
  const rows = await askPostgres(
    url,
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.["n"];
};
const isSent = (org: string, name: string) =>
  receiver.received.some(({ path, body }) => path === `/${org}` && body.includes(`"${name}"`));

test("writes and deliveries of an organization do not wait for those of another", async () => {
  const release = await lock(`select from organizations where name = '${ORG}' for no key update`);
  const delayed = attest(ORG, "delayed");
  await expect.poll(waiting).toBeGreaterThan(0);
  expect(await attest(OTHER_ORG, "free")).toBe(201);
  await expect.poll(() => isSent(OTHER_ORG, "free")).toBe(true);
  expect(await waiting()).toBeGreaterThan(0);
  await release();
  await delayed;
  expect(await attest(ORG, "after")).toBe(201);
});

test("the lock of all organizations holds up each of them", async () => {
  const release = await lock(LOCK_ALL);
  const both = Promise.all([attest(ORG, "both"), attest(OTHER_ORG, "both")]);
  await expect.poll(waiting).toBeGreaterThan(1);
  await release();
  expect(await both).toEqual([201, 201]);
});

test("an unknown token to revoke waits for no organization", async () => {
  const release = await lock(LOCK_ALL);
  const form = { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" } } as const;
  const revoked = await request(`${service.address}/login/device/revoke`, {
    ...form,
    body: "token=dep_unknown",
  });
  expect(revoked.statusCode).toBe(200);
  await revoked.body.dump();
  await release();
});

test("a record committed after a higher number of another organization is missed by nothing", async () => {
  // The write has its numbers, and cannot change its trail before the other organization has committed.
  const release = await lock(`select from trails where org_id = ${ofOrg(ORG)} for update`);
  const late = attest(ORG, "late");
  await expect.poll(waiting).toBeGreaterThan(0);
  expect(await attest(OTHER_ORG, "early")).toBe(201);
  await release();
  expect(await late).toBe(201);
  const order = await askPostgres(
    url,
    "select name from attestations where name in ('late', 'early') order by sequence",
  );
  expect(order.map(({ name }) => name)).toEqual(["late", "early"]);

  for (const org of [ORG, OTHER_ORG]) {
    const name = org === ORG ? "late" : "early";
    await expect.poll(() => isSent(org, name)).toBe(true);
    for (const path of [`/attestations/${org}?flow_name=web`, `/trails/${org}/web/t1`]) {
      const { status, text } = await ask(service, org, { path });
      expect([path, status]).toEqual([path, 200]);
      expect(text, path).toContain(`"${name}"`);
    }
  }
  const store = await openPostgres({ url });
  const place = await openOwnFolder(service.dataFolder, false);
  const found: string[] = [];
  await verify({ records: store, place }, { onProgress() {}, differs: (line) => found.push(line) });
  await Promise.all([store.close(), place.close()]);
  expect(found).toEqual([]);
});

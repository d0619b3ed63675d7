import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { Unreachable } from "../../src/service/store/postgres/faults.ts";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import { unique } from "../conformance/unique.ts";
import { askPostgres, newDatabase } from "../records.ts";
import { pipeline } from "../service/requests.ts";
import { startTestService } from "../service/running-service.ts";

/** A database whose owner may open a number of connections. */
async function limitedDatabase() {
  const role = unique("limited").replaceAll("-", "_");
  const server = new URL(await newDatabase());
  await askPostgres(server.href, `create role ${role} login`);
  const url = new URL(await newDatabase(`owner ${role}`));
  url.username = role;
  const limit = (connections: number) =>
    askPostgres(server.href, `alter role ${role} connection limit ${connections}`);
  return { url: url.href, limit };
}

it("a service that the server refuses more connections answers each request over the open ones", async () => {
  const { url, limit } = await limitedDatabase();
  const service = await startTestService({}, { database: { url, pool: 10 } });
  onTestFinished(() => service.dispose());
  const { attest, flow, trail, repos } = pipeline(service);
  await flow("web");
  await trail("web", "t1");
  await limit(3);
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        index % 5 === 0 ? attest("web", "t1", { attestation_name: unique("check") }) : repos(),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 200 && status !== 201);
    expect(refused.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
  }
});

it("a read waits for the open connection until the connection timeout, and more are opened when they may be", async () => {
  const { url, limit } = await limitedDatabase();
  const store = await openPostgres({ url });
  onTestFinished(() => store.close());
  await limit(1);
  const read = () => sql`select 1 as one`.execute(store.read);
  const hold = async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: began, resolve: begin } = Promise.withResolvers<void>();
    const held = store.readTogether(async (db) => {
      await sql`select 1 as one`.execute(db);
      begin();
      await released;
    });
    await began;
    return { release, held };
  };
  const brief = await hold();
  const waiting = read();
  await delay(300);
  brief.release();
  await waiting;
  await brief.held;

  const long = await hold();
  await expect(read()).rejects.toThrow(Unreachable);
  await limit(2);
  await expect.poll(() => read().then(() => "read")).toBe("read");
  long.release();
  await long.held;
});

it("a read fails at once when no connection is open to wait for", async () => {
  const { url, limit } = await limitedDatabase();
  const store = await openPostgres({ url });
  onTestFinished(() => store.close());
  const other = new pg.Client(url);
  await other.connect();
  onTestFinished(() => other.end());
  await limit(1);
  const startedAt = performance.now();
  await expect(sql`select 1 as one`.execute(store.read)).rejects.toThrow(Unreachable);
  expect(performance.now() - startedAt).toBeLessThan(4_000);
});

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startService } from "../../src/service/service.ts";
import { ERROR_CLASSES } from "../../src/service/store/postgres/faults.ts";
import { openPostgres, type PostgresOptions } from "../../src/service/store/postgres/open-store.ts";
import { LOCK_ALL } from "../../src/service/store/postgres/write-queue.ts";
import { type CommittedBatch, UNOBSERVED } from "../../src/service/store/store.ts";
import type { Database } from "../../src/service/store/tables.ts";
import { askPostgres, newDatabase, recordsOfTest } from "../records.ts";
import { startFaultProxy } from "./fault-proxy.ts";

/** Longer than anything else in a batch takes, in milliseconds. */
const LONG_MS = 600;
const LONG = LONG_MS / 1000;

let url: string;
beforeEach(async () => {
  url = (await recordsOfTest()).database?.url ?? "";
});

async function observedStore(options: Partial<PostgresOptions> = {}) {
  const committed: CommittedBatch[] = [];
  const waited: { pool: string; seconds: number }[] = [];
  const faults: string[] = [];
  const store = await openPostgres({
    url,
    ...options,
    skipUpgrade: true,
    observer: {
      ...UNOBSERVED,
      committed: (batch) => committed.push(batch),
      connected: (connection) => waited.push(connection),
      faulted: (errorClass) => faults.push(errorClass),
    },
  });
  onTestFinished(() => store.close());
  // The connection exists, so that opening it is not measured.
  await store.write(async () => {});
  committed.length = 0;
  waited.length = 0;
  return { ...store, committed, waited, faults };
}

const insert = (id: string) => (db: Database) =>
  db.insertInto("organizations").values({ id, name: id, created_at: 0 }).execute();

async function client(): Promise<pg.Client> {
  const opened = new pg.Client(url);
  opened.on("error", () => {});
  await opened.connect();
  onTestFinished(() => opened.end().catch(() => {}));
  return opened;
}

describe("the times of a batch distinguish", () => {
  test("the wait for the lock of another instance", async () => {
    const { write, committed } = await observedStore();
    const other = await client();
    await other.query(`begin; ${LOCK_ALL}`);
    const written = write(insert("a"));
    await delay(LONG_MS);
    await other.query("rollback");
    await written;
    const [batch] = committed;
    expect(batch).toMatchObject({ writes: 1, wait: expect.closeTo(LONG, 0) });
    expect(batch?.wait).toBeGreaterThan(LONG / 2);
    expect(batch?.flush).toBeLessThan(LONG / 2);
    expect(batch?.server?.roundTrip).toBeLessThan(LONG / 2);
  });

  test("the commit statement", async () => {
    const { write, committed } = await observedStore();
    await askPostgres(
      url,
      `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(${LONG}); return null; end $$;
      create constraint trigger slow after insert on organizations deferrable initially deferred
        for each row execute function slow()`,
    );
    await write(insert("a"));
    const [batch] = committed;
    expect(batch?.flush).toBeGreaterThan(LONG * 0.9);
    expect(batch?.wait).toBeLessThan(LONG / 2);
    expect(batch?.server?.roundTrip).toBeLessThan(LONG / 2);
  });

  test("the round trips, with their number and that of statements", async () => {
    const proxy = await startFaultProxy(Number(new URL(url).port));
    onTestFinished(() => proxy.close());
    const { write, committed } = await observedStore({ url: proxy.through(url) });
    proxy.delay(LONG_MS / 4);
    await write(async (db) => {
      await insert("a")(db);
      await Promise.all([insert("b")(db), insert("c")(db)]);
    });
    const [batch] = committed;
    // The proxy delays both directions. The lock comes with the response before it.
    expect(batch?.server).toEqual({
      // Three inserts, `begin`, the lock and the commit.
      statements: 6,
      roundTrips: 3,
      roundTrip: expect.closeTo(LONG / 2, 0),
    });
    expect(batch?.server?.roundTrip).toBeGreaterThan(LONG / 2 - 0.01);
    expect(batch?.wait).toBeLessThan(LONG / 4);
  });

  test("the time in the queue", async () => {
    const { write, committed } = await observedStore();
    const first = write(async (db) => {
      await insert("a")(db);
      await delay(LONG_MS);
    });
    await delay(50);
    await Promise.all([first, write(insert("b")), write(insert("c"))]);
    expect(committed.map(({ queued }) => queued.map((seconds) => seconds > LONG / 2))).toEqual([
      [false],
      [true, true],
    ]);
  });
});

test("the time until a query receives a connection is measured by pool", async () => {
  const { read, waited } = await observedStore({ pool: 1 });
  await Promise.all([sql`select pg_sleep(${LONG})`.execute(read), sql`select 1`.execute(read)]);
  expect(waited.map(({ pool, seconds }) => [pool, seconds > LONG / 2])).toEqual([
    ["read", false],
    ["read", true],
  ]);
});

describe("errors are counted by class:", () => {
  test("constraints, unknown tables and timeouts", async () => {
    const { write, read, faults } = await observedStore();
    await write(insert("a"));
    await expect(write(insert("a"))).rejects.toThrow("duplicate key");
    await expect(sql`select * from nowhere`.execute(read)).rejects.toThrow();
    await expect(
      write(async (db) => {
        await sql`set local statement_timeout = 10`.execute(db);
        await sql`select pg_sleep(1)`.execute(db);
      }),
    ).rejects.toThrow("statement timeout");
    // A refused write runs again with a savepoint.
    expect([...new Set(faults)]).toEqual(["sqlstate_23", "sqlstate_42", "statement_timeout"]);
  });

  test("an ended connection, and a database that cannot be reached", async () => {
    const proxy = await startFaultProxy(Number(new URL(url).port));
    onTestFinished(() => proxy.close());
    const { read, faults } = await observedStore({ url: proxy.through(url), pool: 1 });
    await expect(sql`select pg_terminate_backend(pg_backend_pid())`.execute(read)).rejects.toThrow();
    expect(faults).toEqual(["connection_lost"]);
    proxy.cut();
    await expect(sql`select 1`.execute(read)).rejects.toThrow();
    expect(faults).toEqual(["connection_lost", "unreachable"]);
  });

  test("too many connections", async () => {
    await askPostgres(url, "create role few login connection limit 2");
    const { pathname, port } = new URL(url);
    await askPostgres(url, `grant all on all tables in schema public to few`);
    const { read, faults } = await observedStore({
      url: `postgres://few@127.0.0.1:${port}${pathname}`,
      pool: 2,
    });
    await expect(sql`select 1`.execute(read)).rejects.toThrow();
    expect(faults).toEqual(["too_many_connections"]);
  });
});

test("all are metrics of the service", async () => {
  const folder = await mkdtemp(join(tmpdir(), "evidence-observed-"));
  const service = await startService({
    database: { url: await newDatabase() },
    ...{ host: "127.0.0.1", port: 0, version: "1", log: () => {}, org: "acme" },
    attachmentsAt: { folder },
  });
  onTestFinished(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });
  const text = await (await fetch(`${service.address}/metrics`)).text();
  const page = await readFile(new URL("../../docs/monitoring.md", import.meta.url), "utf8");
  for (const errorClass of ERROR_CLASSES) {
    expect(text).toContain(`evidence_database_errors_total{class="${errorClass}"} 0`);
    expect(page).toContain(`\`${errorClass}\``);
  }
  const counted = [...text.matchAll(/^(evidence_\w+)_count(?:\{pool="(\w+)"\})? [1-9]/gm)].map(
    ([, name, pool]) => (pool === undefined ? name : `${name} ${pool}`),
  );
  expect(counted).toEqual(
    expect.arrayContaining([
      "evidence_write_queue_seconds",
      "evidence_write_lock_wait_seconds",
      "evidence_commit_flush_seconds",
      "evidence_write_batch_statements",
      "evidence_write_batch_round_trips",
      "evidence_database_round_trip_seconds",
      "evidence_database_connection_wait_seconds read",
      "evidence_database_connection_wait_seconds write",
    ]),
  );
});

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Log } from "../../src/service/kernel/log.ts";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import type { Store } from "../../src/service/store/store.ts";
import type { Database } from "../../src/service/store/tables.ts";
import { OPA } from "../go-programs.ts";
import { newDatabase } from "../records.ts";
import { pipeline, send } from "../service/requests.ts";
import { startTestService } from "../service/running-service.ts";
import { IN_ORDER, succeedingRequests } from "../service/succeeding-requests.ts";
import { freePort, OWNER } from "./server.ts";

/** Fewer than the service has: connections are shared between transactions. */
const SERVER_CONNECTIONS = 3;

/** PgBouncer in front of a server on this port, which assigns a connection for one transaction at a time. */
async function startPgBouncer(serverPort: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "evidence-pgbouncer-"));
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  const users = join(folder, "users.txt");
  await writeFile(users, '"evidence" ""\n');
  await writeFile(
    file,
    `[databases]
* = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
`,
  );
  const { uid, gid } = OWNER;
  if (uid !== undefined) for (const path of [folder, users, file]) await chown(path, uid, gid);
  const pooler = spawn("pgbouncer", [file], { ...OWNER, stdio: "ignore" });
  onTestFinished(async () => {
    const ended = once(pooler, "exit");
    pooler.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true });
  });
  return port;
}

const isHere = spawnSync("pgbouncer", ["--version"]).status === 0;

const ADVICE = "add pgbouncer=true to the options of its address";

it.skipIf(!isHere).each([
  { how: "with pgbouncer=true", option: "true", advised: 0 },
  { how: "without the option, which the log names once", option: undefined, advised: 1 },
])(
  `every operation succeeds through PgBouncer, which shares connections between transactions, $how${isHere ? "" : " (it is not installed here)"}`,
  async ({ option, advised }) => {
    const direct = await newDatabase();
    const url = new URL(direct);
    url.port = String(await startPgBouncer(url.port));
    await vi.waitFor(async () => {
      const client = new pg.Client(url.href);
      await client.connect();
      await client.end();
    });
    if (option !== undefined) url.searchParams.set("pgbouncer", option);
    const service = await startTestService({}, { database: { url: url.href }, opa: OPA });
    onTestFinished(() => service.dispose());

    const requestOf = await succeedingRequests(service);
    for (const operation of IN_ORDER) {
      const { status, text } = await send(service, requestOf(operation));
      expect({ operation: operation.name, status, text }).toMatchObject({
        status: expect.toSatisfy((it: number) => it === 200 || it === 201),
      });
    }
    // Many at a time, so that each connection of the service is served by several of the server.
    const { attest, flow, trail, repos } = pipeline(service);
    await flow("pooled");
    await trail("pooled", "t1");
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        index % 2 === 0 ? attest("pooled", "t1", { attestation_name: `many-${index}` }) : repos(),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
    expect(service.logged.filter((line) => line.includes(ADVICE))).toHaveLength(advised);
  },
);

describe("a lost prepared statement", () => {
  const run = async (db: Database) => (await sql`select 1 as one`.execute(db)).rows;
  const lose = async (db: Database) => {
    const { rows } = await sql<{ name: string }>`
      select name from pg_prepared_statements where statement = 'select 1 as one'`.execute(db);
    for (const { name } of rows) await sql`deallocate ${sql.id(name)}`.execute(db);
  };
  const open = async (watch: Pick<Parameters<typeof openPostgres>[0], "log">) => {
    const store = await openPostgres({ url: await newDatabase(), pool: 1, ...watch });
    onTestFinished(() => store.close());
    return store;
  };

  it.each<{ by: string; ask: <T>(store: Store, work: (db: Database) => Promise<T>) => Promise<T> }>([
    { by: "a query", ask: (store, work) => work(store.read) },
    { by: "several queries", ask: (store, work) => store.readTogether(work) },
    { by: "a write", ask: (store, work) => store.write(work) },
  ])("is replaced in $by, and the log names the option once", async ({ ask }) => {
    const log = vi.fn<Log>();
    const store = await open({ log });
    await ask(store, run);
    await ask(store, lose);
    expect([await ask(store, run), await ask(store, run)]).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    expect(log.mock.calls).toEqual([[{ level: "warn", message: expect.stringContaining(ADVICE) }]]);
  });

  it("ends a command that copies records while it reads, with the option", async () => {
    const store = await open({});
    await store.readTogether(run);
    await lose(store.read);
    const copied: unknown[] = [];
    const copy = store.readTogether(async (db) => {
      copied.push(await sql`select 2 as two`.execute(db));
      copied.push(await run(db));
    });
    await expect(copy).rejects.toThrow(ADVICE);
    expect(copied).toHaveLength(1);
  });
});

it("the name of a prepared statement depends on its text: another instance may have prepared some of its own", async () => {
  const client = new pg.Client(await newDatabase());
  await client.connect();
  onTestFinished(() => client.end());
  for (const instance of ["one", "another"]) {
    const path = `../../src/service/store/postgres/connections.ts?${instance}`;
    const { queriesOn }: typeof import("../../src/service/store/postgres/connections.ts") = await import(
      path
    );
    const { rows } = await sql`select ${sql.lit(instance)} as name`.execute(
      queriesOn(client, { prepare: true }),
    );
    expect(rows).toEqual([{ name: instance }]);
  }
});

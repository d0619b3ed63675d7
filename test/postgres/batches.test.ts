import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { Conflict } from "../../src/service/kernel/errors.ts";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import { type Given, prepared, together } from "../../src/service/store/prepared.ts";
import { requireAlone } from "../../src/service/store/store.ts";
import type { Database } from "../../src/service/store/tables.ts";
import { recordsOfTest } from "../records.ts";
import { recordStatements } from "./recorded-statements.ts";

const insert = prepared((db, given: Given<{ id: string }>) =>
  db.insertInto("organizations").values({ id: given("id"), name: given("id"), created_at: 0 }),
);

async function newAddress(): Promise<string> {
  const { database } = await recordsOfTest();
  if (database === undefined) throw new Error("These tests are about PostgreSQL");
  return database.url;
}

async function newStore() {
  const database = { url: await newAddress() };
  const store = await openPostgres(database);
  onTestFinished(() => store.close());
  const kept = async () => {
    const rows = await store.read.selectFrom("organizations").select("id").orderBy("id").execute();
    return rows.map(({ id }) => id);
  };
  return { ...store, kept };
}

/** The results of writes that are committed together. */
async function outcomes(writes: readonly Promise<unknown>[]): Promise<string[]> {
  return (await Promise.allSettled(writes)).map(({ status }) => status);
}

test("a write that fails after it has changed something undoes only itself", async () => {
  const { write, kept } = await newStore();
  let runs = 0;
  const failing = (fail: (db: Database) => Promise<unknown>) => async (db: Database) => {
    runs++;
    await insert(db, { id: "undone" });
    await fail(db);
  };
  const ended = await outcomes([
    write((db) => insert(db, { id: "a" })),
    write(failing(() => Promise.reject(new Conflict("resource.exists", "refused")))),
    write(failing((db) => insert(db, { id: "a" }))),
    write((db) => together([insert(db, { id: "b" }), insert(db, { id: "b" }), insert(db, { id: "c" })])),
    write((db) => together([insert(db, { id: "d" }), insert(db, { id: "e" })])),
  ]);
  expect(ended).toEqual(["fulfilled", "rejected", "rejected", "rejected", "fulfilled"]);
  expect(await kept()).toEqual(["a", "d", "e"]);
  // All were repeated separately, after the first of them had failed.
  expect(runs).toBe(3);
});

test("a write that is refused before it has changed anything costs the others nothing", async () => {
  const { write, kept } = await newStore();
  let runs = 0;
  const ended = await outcomes([
    write((db) => {
      runs++;
      return insert(db, { id: "a" });
    }),
    write(async (db) => {
      await db.selectFrom("organizations").selectAll().execute();
      throw new Conflict("resource.exists", "refused");
    }),
    write((db) => insert(db, { id: "b" })),
  ]);
  expect(ended).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await kept()).toEqual(["a", "b"]);
  expect(runs).toBe(1);
});

test("writes without a common key take the round trips of one, and a later write of a key sees the earlier one", async () => {
  const { write } = await newStore();
  const order: string[] = [];
  const readThenInsert = (id: string) => async (db: Database) => {
    order.push(`${id} reads`);
    const before = await db.selectFrom("organizations").select("id").orderBy("id").execute();
    order.push(`${id} inserts`);
    await insert(db, { id });
    return before.map((each) => each.id);
  };
  const seen = await Promise.all([
    write(readThenInsert("a"), { keys: ["one"] }),
    write(readThenInsert("b"), { keys: ["two"] }),
    write(readThenInsert("c"), { keys: ["two", "three"] }),
    write(readThenInsert("d")),
    write(readThenInsert("e"), { keys: ["one"] }),
  ]);
  expect(order.slice(0, 4)).toEqual(["a reads", "b reads", "a inserts", "b inserts"]);
  expect(order.slice(4)).toEqual(["c", "d", "e"].flatMap((id) => [`${id} reads`, `${id} inserts`]));
  expect(seen).toEqual([[], [], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]]);
});

test("equal inserts of writes without a common key are one insert of several rows, and each write gets its row", async () => {
  const { write, kept } = await newStore();
  const insertAndRead = prepared((db, given: Given<{ id: string }>) =>
    db
      .insertInto("organizations")
      .values({ id: given("id"), name: given("id"), created_at: 0 })
      .returning("id"),
  );
  const { recorded, stop } = recordStatements();
  onTestFinished(stop);
  const ids = ["a", "b", "c", "d", "e", "f", "g"];
  const rows = await Promise.all(
    ids.map((id) =>
      write((db) => together([insert(db, { id: `${id}1` }), insertAndRead(db, { id })]), { keys: [id] }),
    ),
  );
  expect(rows).toEqual(ids.map((id) => [[], [{ id }]]));
  expect(await kept()).toEqual(ids.flatMap((id) => [id, `${id}1`]));
  const inserts = recorded.filter(({ text }) => text.startsWith('insert into "organizations"'));
  // Each value is a parameter, and so are the name and the time.
  expect(inserts.map(({ values }) => values.length / 3)).toEqual([4, 2, 1, 4, 2, 1]);
});

test("inserts wait for the reads of the other writes, whose responses arrive one by one", async () => {
  const { write } = await newStore();
  const { recorded, stop } = recordStatements();
  onTestFinished(stop);
  const readThenInsert = (id: string) => async (db: Database) => {
    await sql`select pg_sleep(0.02)`.execute(db);
    await insert(db, { id });
  };
  await Promise.all(["a", "b", "c", "d"].map((id) => write(readThenInsert(id), { keys: [id] })));
  const inserts = recorded.filter(({ text }) => text.startsWith('insert into "organizations"'));
  expect(inserts.map(({ values }) => values.length / 3)).toEqual([4]);
});

test("an insert that fails among equal ones fails only its own write", async () => {
  const { write, kept } = await newStore();
  const ended = await outcomes(
    ["a", "b", "b", "c"].map((id, index) => write((db) => insert(db, { id }), { keys: [String(index)] })),
  );
  expect(ended).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(await kept()).toEqual(["a", "b", "c"]);
});

test("a write that must be alone makes the batch run again, one by one", async () => {
  const { write, kept } = await newStore();
  const alone: string[] = [];
  const ended = await outcomes([
    write((db) => insert(db, { id: "a" }), { keys: ["one"] }),
    write(
      async (db) => {
        requireAlone(db);
        alone.push(...(await db.selectFrom("organizations").select("id").execute()).map(({ id }) => id));
        await insert(db, { id: "b" });
      },
      { keys: ["two"] },
    ),
  ]);
  expect(ended).toEqual(["fulfilled", "fulfilled"]);
  expect(alone).toEqual(["a"]);
  expect(await kept()).toEqual(["a", "b"]);
});

test("after a failed statement, no prepared statement of the batch counts as lost", async () => {
  const logged: string[] = [];
  const store = await openPostgres({
    url: await newAddress(),
    log: (entry) => logged.push(JSON.stringify(entry)),
  });
  onTestFinished(() => store.close());
  const ended = await outcomes([
    store.write((db) => sql`select 1 / 0`.execute(db), { keys: ["one"] }),
    store.write((db) => together([insert(db, { id: "a" }), insert(db, { id: "b" })]), { keys: ["two"] }),
  ]);
  expect(ended).toEqual(["rejected", "fulfilled"]);
  expect(logged).toEqual([]);
});

// A pooler gives each transaction another connection: settings of one are missing on the next.
test.each([
  ["", "off"],
  ["?pgbouncer=true", "on"],
])(
  "with the options '%s', a write scans no table, compiles no statement, and its flush at commit is %s",
  async (options, flushed) => {
    const store = await openPostgres({ url: `${await newAddress()}${options}` });
    onTestFinished(() => store.close());
    const settings = await store.write(async (db) => {
      const { rows } = await sql`
        select current_setting('enable_seqscan') as scans, current_setting('jit') as compiles,
          current_setting('synchronous_commit') as flushed`.execute(db);
      return rows;
    });
    expect(settings).toEqual([{ scans: "off", compiles: "off", flushed }]);
  },
);

import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createOrganization, listOrganizations } from "../../../src/service/people/accounts/organizations.ts";
import { openStore } from "../../../src/service/store/sqlite/open-store.ts";
import { openSqlite } from "../../../src/service/store/sqlite/sqlite.ts";
import type { Store } from "../../../src/service/store/store.ts";

let folder = "";
let file = "";
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-store-"));
  file = join(folder, "evidence.sqlite");
  store = await openStore(file);
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const names = async () => (await listOrganizations(store.read)).map(({ name }) => name).sort();
const add = (name: string) => store.write((db) => createOrganization(db, name, 1));

describe("writing", () => {
  it("is durable when it returns", async () => {
    await add("a");
    expect(await names()).toEqual(["a"]);
  });

  it("undoes a failing write, and only that one, among those committed together", async () => {
    const writes = await Promise.allSettled([
      add("a"),
      store.write(async (db) => {
        await createOrganization(db, "half", 1);
        throw new Error("changed my mind");
      }),
      add("a"),
      add("b"),
    ]);
    expect(writes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(await names()).toEqual(["a", "b"]);
  });

  it("lets a write see those before it", async () => {
    const counts = await Promise.all(
      ["a", "b", "c"].map((name) =>
        store.write(async (db) => {
          await createOrganization(db, name, 1);
          return (await listOrganizations(db)).length;
        }),
      ),
    );
    expect(counts).toEqual([1, 2, 3]);
  });

  it("fails every write of a batch that could not be committed, and recovers", async () => {
    await store.close();
    store = await openStore(file, { lockTimeout: 10 });
    const locker = openSqlite(file, { lockTimeout: 0 });
    locker.database.exec("BEGIN IMMEDIATE");
    // The other writer releases its lock only after these have failed.
    const outcome = (await Promise.allSettled([add("a"), add("b")])).map(({ status }) => status);
    locker.database.exec("ROLLBACK");
    locker.database.close();
    expect(outcome).toEqual(["rejected", "rejected"]);
    await add("c");
    expect(await names()).toEqual(["c"]);
  });

  it("fails every write of a batch whose transaction SQLite ended, and stores none, not even a later one", async () => {
    await add("there");
    const outcome = await Promise.allSettled([
      add("before"),
      store.write((db) =>
        // As on a full disk, the whole transaction is undone.
        sql`INSERT OR ROLLBACK INTO organizations SELECT * FROM organizations`.execute(db),
      ),
      add("after"),
    ]);
    expect(outcome.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await add("next");
    expect(await names()).toEqual(["next", "there"]);
  });

  it("is finished before the store is closed", async () => {
    const written = add("late");
    await store.close();
    await written;
    store = await openStore(file);
    expect(await names()).toEqual(["late"]);
  });
});

it("a store is created once by several that open it at the same time", async () => {
  const opened = await Promise.all([1, 2, 3].map(() => openStore(join(folder, "new.sqlite"))));
  await Promise.all(opened.map((each) => each.close()));
});

describe("reading", () => {
  it("does not see a write before it is committed", async () => {
    let seen: string[] = ["not read"];
    await store.write(async (db) => {
      await createOrganization(db, "a", 1);
      seen = await names();
    });
    expect(seen).toEqual([]);
  });

  it("sees one moment across several queries, whatever is committed in between", async () => {
    const [before, after] = await store.readTogether(async (db) => {
      const first = await listOrganizations(db);
      await add("a");
      return [first, await listOrganizations(db)];
    });
    expect([before, after]).toEqual([[], []]);
    expect(await names()).toEqual(["a"]);
  });

  it("cannot write", async () => {
    await expect(createOrganization(store.read, "a", 1)).rejects.toThrow(/readonly/);
  });
});

describe("opening", () => {
  it("finds existing records", async () => {
    await add("a");
    await store.close();
    store = await openStore(file);
    expect(await names()).toEqual(["a"]);
  });

  it("refuses incompatible records of a newer version, and works with compatible ones", async () => {
    const future = { name: "9999-future", is_breaking: 0 };
    await store.write((db) => db.insertInto("schema_migrations").values(future).execute());
    await (await openStore(file)).close();
    await store.write((db) =>
      db.updateTable("schema_migrations").set({ is_breaking: 1 }).where("name", "=", future.name).execute(),
    );
    await expect(openStore(file)).rejects.toThrow("were written by a version newer than");
  });

  it("checks references between records", async () => {
    await expect(
      store.write((db) =>
        db
          .insertInto("service_accounts")
          .values({ id: "x", org_id: "nowhere", name: "x", role: "admin", created_at: 1 })
          .execute(),
      ),
    ).rejects.toThrow(/FOREIGN KEY/);
  });

  it("prints no warning, and holds back no other", () => {
    const script = `
      import { loadSqlite } from ${JSON.stringify(join(import.meta.dirname, "../../../src/service/store/sqlite/node-sqlite.ts"))};
      loadSqlite();
      process.emitWarning("SQLite of another kind");
    `;
    const { stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
      encoding: "utf8",
    });
    expect(stderr).toContain("Warning: SQLite of another kind");
    expect(stderr).not.toContain("experimental");
  });
});

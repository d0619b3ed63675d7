import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { insertRows } from "../../../src/service/store/dialect.ts";
import { type Given, prepared, together } from "../../../src/service/store/prepared.ts";
import { openStore } from "../../../src/service/store/sqlite/open-store.ts";

async function newStore(...names: string[]) {
  const folder = await mkdtemp(join(tmpdir(), "prepared-"));
  const store = await openStore(join(folder, "evidence.sqlite"));
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  const rows = names.map((name, index) => ({ id: `org-${index}`, name, created_at: index }));
  await store.write((db) => insertRows(db, "organizations", rows));
  return store;
}

test("a prepared query uses the values of each call, in any database and in a transaction", async () => {
  let built = 0;
  const since = prepared((db, given: Given<{ name: string; from: number }>) => {
    built++;
    return db
      .selectFrom("organizations")
      .select("id")
      .where("created_at", ">=", given("from"))
      .where("name", "=", given("name"));
  });
  const [one, other] = [await newStore("a", "b"), await newStore("b")];

  expect(await since(one.read, { name: "b", from: 0 })).toEqual([{ id: "org-1" }]);
  expect(await since(one.read, { name: "b", from: 2 })).toEqual([]);
  expect(await since(one.read, { name: "' or 1=1", from: 0 })).toEqual([]);
  expect(await since(other.read, { name: "b", from: 0 })).toEqual([{ id: "org-0" }]);
  await one.write(async (db) => {
    await insertRows(db, "organizations", [{ id: "new", name: "c", created_at: 9 }]);
    expect(await since(db, { name: "c", from: 0 })).toEqual([{ id: "new" }]);
  });
  expect(built).toBe(1);
});

test("statements sent together run in order, and a failing one undoes the others", async () => {
  const { read, write } = await newStore();
  const insert = prepared((db, given: Given<{ id: string; name: string }>) =>
    db.insertInto("organizations").values({ id: given("id"), name: given("name"), created_at: 0 }),
  );
  const rename = prepared((db, given: Given<{ id: string; name: string }>) =>
    db
      .updateTable("organizations")
      .set({ name: given("name") })
      .where("id", "=", given("id")),
  );
  const names = () => read.selectFrom("organizations").select("name").orderBy("name").execute();

  await write((db) =>
    together([
      insert(db, { id: "1", name: "a" }),
      rename(db, { id: "1", name: "b" }),
      insert(db, { id: "2", name: "a" }),
    ]),
  );
  expect(await names()).toEqual([{ name: "a" }, { name: "b" }]);

  const failed = write((db) =>
    together([
      insert(db, { id: "3", name: "c" }),
      insert(db, { id: "3", name: "d" }),
      insert(db, { id: "4", name: "e" }),
      rename(db, { id: "4", name: "f" }),
    ]),
  );
  const beside = write((db) => insert(db, { id: "5", name: "g" }));
  await expect(failed).rejects.toThrow(/organizations/);
  await beside;
  expect(await names()).toEqual([{ name: "a" }, { name: "b" }, { name: "g" }]);
});

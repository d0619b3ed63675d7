import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { insertRows } from "../../../src/service/store/dialect.ts";
import { prepared } from "../../../src/service/store/prepared.ts";
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

test("a query that is made once is asked with the values of each time, in any database and in a transaction", async () => {
  let built = 0;
  const since = prepared<{ name: string; from: number }, { id: string }>((db, value) => {
    built++;
    return db
      .selectFrom("organizations")
      .select("id")
      .where("created_at", ">=", value("from"))
      .where("name", "=", value("name"));
  });
  const [one, other] = [await newStore("a", "b"), await newStore("b")];

  expect(await since(one.read, { name: "b", from: 0 })).toEqual([{ id: "org-1" }]);
  expect(await since(one.read, { name: "b", from: 2 })).toEqual([]);
  expect(await since(one.read, { name: "' or 1=1", from: 0 })).toEqual([]);
  expect(await since(other.read, { name: "b", from: 0 })).toEqual([{ id: "org-0" }]);
  expect(built).toBe(2);
  await one.write(async (db) => {
    await insertRows(db, "organizations", [{ id: "new", name: "c", created_at: 9 }]);
    expect(await since(db, { name: "c", from: 0 })).toEqual([{ id: "new" }]);
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createOrganization, listOrganizations } from "../../../src/service/people/accounts/organizations.ts";
import { changeTables } from "../../../src/service/store/dialect.ts";
import { openPostgres } from "../../../src/service/store/postgres/open-store.ts";
import { openStore } from "../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { newDatabase } from "../../records.ts";
import { NEXT, upgradeProgram } from "./next-migration.ts";

let folder = "";
let file = "";
let url = "";
let store: Store;
const isPostgres = process.env["TEST_ENGINE"] === "postgres";
const opened: Store[] = [];
async function open(): Promise<Store> {
  const created = await (isPostgres ? openPostgres({ url }) : openStore(file));
  opened.push(created);
  return created;
}
/** Closes the records and opens them again. */
async function reopen(): Promise<void> {
  await closeAll();
  store = await open();
}
async function closeAll(): Promise<void> {
  for (const each of opened.splice(0)) await each.close();
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-migrations-"));
  file = join(folder, "evidence.sqlite");
  if (isPostgres) url = await newDatabase();
  store = await open();
  await store.write((db) => createOrganization(db, "acme", 1));
  await closeAll();
});
afterEach(async () => {
  await closeAll();
  await rm(folder, { recursive: true });
});

const applied = async () => {
  const rows = await store.read.selectFrom("schema_migrations").selectAll().orderBy("name").execute();
  return rows.map(({ name, is_breaking }) => [name, is_breaking]);
};
const addColumn = () => {
  const calls: string[] = [];
  upgradeProgram({
    async up(db) {
      calls.push(NEXT);
      await changeTables(db, "alter table organizations add column region text not null default 'eu'");
    },
  });
  return calls;
};

describe("the next migration", () => {
  it("is applied once to existing records", async () => {
    const calls = addColumn();
    store = await open();
    await reopen();
    expect(calls).toEqual([NEXT]);
    expect(await applied()).toEqual([
      ["0001-baseline", 1],
      [NEXT, 1],
    ]);
    expect(await store.read.selectFrom("organizations").selectAll().execute()).toMatchObject([
      { name: "acme", region: "eu" },
    ]);
  });

  it("is recorded as compatible if an older version still works", async () => {
    upgradeProgram({ isCompatible: true });
    store = await open();
    expect(await applied()).toContainEqual([NEXT, 0]);
  });

  it("changes nothing when it fails", async () => {
    upgradeProgram({
      async up(db) {
        await changeTables(db, "alter table organizations add column region text");
        throw new Error("broken");
      },
    });
    await expect(open()).rejects.toThrow("could not be upgraded to this version: nothing was changed");
    const calls = addColumn();
    store = await open();
    expect(calls).toEqual([NEXT]);
    expect(await listOrganizations(store.read)).toMatchObject([{ name: "acme" }]);
  });
});

it("new records have the schema of all migrations", async () => {
  const calls = addColumn();
  file = join(folder, "new.sqlite");
  if (isPostgres) url = await newDatabase();
  store = await open();
  expect(calls).toEqual([]);
  expect(await applied()).toHaveLength(2);
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tableScans } from "../../scripts/bench/statements.ts";
import { databaseFile, openDataFolder } from "../../src/service/store/sqlite/open-store.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-scans-"));
  await (await openDataFolder(folder)).close();
});
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ["a growing table", "select * from attestations", true],
  ["all attestations of a flow", 'select * from "trails" where "flow_id" = ?', true],
  ["all accounts of an organization", "select * from service_accounts where org_id = ?", false],
  ["its own list", "with given (id) as (select value from json_each(?)) select id from given", false],
  ["the migrations of a version", "select name from schema_migrations", false],
  ["one row by its key", "select * from attestations where id = ?", false],
])("the bench reports whether a statement that reads %s scans a whole table", (_, sql, isReported) => {
  expect(tableScans(databaseFile(folder), [sql])).toHaveLength(isReported ? 1 : 0);
});

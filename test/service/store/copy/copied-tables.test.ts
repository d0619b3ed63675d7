import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COPIED_TABLES, NOT_COPIED } from "../../../../src/service/store/copy/copied-tables.ts";
import { openStore } from "../../../../src/service/store/sqlite/open-store.ts";

test("every table is copied after those that it refers to, or is excluded from copies", async () => {
  const folder = await mkdtemp(join(tmpdir(), "copied-"));
  const store = await openStore(join(folder, "evidence.sqlite"));
  const found = await store.read.introspection.getTables();
  await store.close();
  await rm(folder, { recursive: true });
  // The index of the search is filled again in a copy.
  const tables = found.filter(({ name }) => !name.startsWith("search_index"));
  const copied = COPIED_TABLES.map(({ name }) => name);
  expect([...copied, ...NOT_COPIED].sort()).toEqual(tables.map(({ name }) => name).sort());
});

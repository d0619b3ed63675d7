import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newestAttestations } from "../../../src/service/attestations/list.ts";
import { initial } from "../../../src/service/store/migrations/0001-initial.ts";
import { openStore } from "../../../src/service/store/store.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-migration-"));
});
afterEach(() => rm(folder, { recursive: true }));

it("attestations that were recorded by the first version are found by every filter", async () => {
  const file = join(folder, "records.db");
  const old = new DatabaseSync(file);
  old.exec(initial);
  old.exec(`
    create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);
    insert into kysely_migration values ('0001-initial', '2026-01-01T00:00:00.000Z');
    insert into organizations values ('o', 'acme', 1);
    insert into flows values ('f', 'o', 'web', '', 'private', null, '{}', null, 1, 1);
    insert into trails values ('t', 'f', 't1', '', null, null, null, '{}', '{}', null, 'me', 1, 1);
    insert into attestations values
      (1, 'a1', 't', 'unit', 'generic', 1, null, null, null, '{}', 'me', 1),
      (2, 'a2', 't', 'unit', 'generic', 0, null, null, null, '{}', 'me', 2),
      (3, 'a3', 't', 'unit', 'generic', 1, null, null, null, '{}', 'me', 3);
  `);
  old.close();
  const store = await openStore(file);
  const found = async (filter: Parameters<typeof newestAttestations>[2]) =>
    (await newestAttestations(store.read, "o", filter, 10)).map(({ row }) => row.id);
  expect(await found({})).toEqual(["a3", "a2", "a1"]);
  expect(await found({ isCompliant: true })).toEqual(["a3", "a1"]);
  expect(await found({ name: "unit", types: ["generic"], flows: ["web"] })).toEqual(["a3", "a2", "a1"]);
  await store.close();
});

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listOrganizations } from "../../../src/service/people/accounts/organizations.ts";
import { findShare } from "../../../src/service/people/share-links.ts";
import { hashOfToken } from "../../../src/service/sessions/tokens.ts";
import { migrations } from "../../../src/service/store/migrations.ts";
import { openServedStore, openStore } from "../../../src/service/store/sqlite/open-store.ts";
import { openSqlite } from "../../../src/service/store/sqlite/sqlite.ts";

let folder = "";
let file = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-migrations-"));
  file = join(folder, "evidence.sqlite");
});
afterEach(() => rm(folder, { recursive: true }));

/** The records of a version that was never released, which had eight steps for what is one today. */
async function makeFormerRecords(): Promise<void> {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  database.exec(await readFile(new URL("older-folder/records.sql", import.meta.url), "utf8"));
  database.close();
}

/** Those records as they were when the next step had run on them. */
async function makeFormerRecordsWithIntervals(): Promise<void> {
  await makeFormerRecords();
  const { database, queries } = openSqlite(file, { lockTimeout: 0 });
  await migrations["0009-running-intervals"]?.up(queries);
  database.exec("insert into kysely_migration values ('0009-running-intervals', '2026-11-22T12:00:00.000Z')");
  database.close();
}

async function open(): Promise<void> {
  const store = await openStore(file);
  expect((await listOrganizations(store.read)).length).toBeLessThanOrEqual(1);
  await store.close();
}

function ask(path: string, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(sql).all();
  database.close();
  return rows;
}

const applied = () => ask(file, "select name from kysely_migration order by name").map(({ name }) => name);

/** All that an engine would tell of the tables, whatever the order in which their columns were added. */
function schemaOf(path: string) {
  return {
    columns: ask(
      path,
      `select t.name as "table", c.name, c.type, c."notnull", c.dflt_value, c.pk from pragma_table_list t
        join pragma_table_info(t.name) c where t.schema = 'main' and t.name not like 'sqlite%' order by 1, 2`,
    ),
    references: ask(
      path,
      `select t.name as "table", r."from", r."table" as target, r."to" from pragma_table_list t
        join pragma_foreign_key_list(t.name) r where t.schema = 'main' order by 1, 2`,
    ),
    indexes: ask(
      path,
      `select t.name as "table", i."unique", i.origin, iif(i.origin = 'c', i.name, '') as name,
        (select group_concat(name order by seqno) from pragma_index_info(i.name)) as columns,
        (select substr(sql, instr(sql, 'where')) from sqlite_master where name = i.name and i.partial) as part
        from pragma_table_list t join pragma_index_list(t.name) i where t.schema = 'main' order by 1, 4, 5`,
    ),
  };
}

describe("records of the version that had eight steps for the baseline", () => {
  it.each([
    { of: "as it left them", make: makeFormerRecords },
    { of: "that had intervals already", make: makeFormerRecordsWithIntervals },
  ])("are opened, $of, with tables like those of a new folder", async ({ make }) => {
    await make();
    expect(() => openServedStore(file)).toThrow("are of an older version");
    await open();
    expect(applied()).toEqual(Object.keys(migrations));
    const fresh = join(folder, "fresh.sqlite");
    await (await openStore(fresh)).close();
    expect(schemaOf(file)).toEqual(schemaOf(fresh));
    await open();
    await openServedStore(file).close();
  });

  it("go on with the numbers that approvals, events and versions had", async () => {
    await makeFormerRecordsWithIntervals();
    const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
    database.exec(`
      insert into approvals select 'a', id, 7, '', '', '', null, '', '[]', '[]', 'PENDING', null, 'me', 1, 1 from flows limit 1;
      insert into custom_attestation_types values ('t', 'o', 'type', null, null, 'me', 1, 1);
      insert into custom_attestation_type_versions values ('t', 4, null, '{}', null, 'me', 1);
    `);
    database.close();
    await open();
    expect(ask(file, "select last_approval_number as last from flows order by 1 desc limit 1")).toEqual([
      { last: 7 },
    ]);
    expect(ask(file, "select last_version as last from custom_attestation_types")).toEqual([{ last: 4 }]);
    expect(ask(file, "select last_event_number as last from policies")).toEqual([{ last: 1 }]);
  });

  it("are refused when some of the steps are missing, and left alone", async () => {
    await makeFormerRecords();
    const database = new DatabaseSync(file);
    database.exec("delete from kysely_migration where name >= '0007'");
    database.close();
    const before = await readFile(file);
    await expect(openStore(file)).rejects.toThrow(
      /were written by an unfinished version, from before the first release, .* serve them once with the version of commit d8247ab/,
    );
    expect((await readFile(file)).equals(before)).toBe(true);
  });
});

it("gives share links ids where their names are unambiguous, and ends the others", async () => {
  await (await openStore(file)).close();
  const { database, queries } = openSqlite(file, { lockTimeout: 0 });
  const environment = (id: string, name: string, at: number) =>
    database.exec(`insert into environments (id, org_id, name, type, description, include_scaling,
      require_provenance, created_at, last_modified_at) values ('${id}', 'o', '${name}', 'K8S', '', 0, 0, ${at}, ${at})`);
  const link = (place: string) =>
    database.exec(`insert into share_links (id, org_id, token_hash, kind, place, description, created_by, created_at,
      expires_at) values ('${place}', 'o', '${hashOfToken(place)}', 'environment', '${place}', '', 'ada', 10, 99)`);
  const renaming = (id: string, from: string, to: string) =>
    database.exec(`insert into audit_log (id, org_id, created_at, act, account, resource_type, resource_name,
      resource_id, details, changes) values ('${from}', 'o', 20, 'environment.renamed', 'ada', 'environment',
      '${from}', '${id}', '{}', '${JSON.stringify({ name: { from, to } })}')`);
  try {
    database.exec("alter table share_links drop column flow_id");
    database.exec("alter table share_links drop column trail_id");
    database.exec("alter table share_links drop column environment_id");
    database.exec("insert into organizations (id, name, created_at) values ('o', 'acme', 1)");
    for (const place of ["kept", "moved", "replaced", "taken"]) link(place);
    environment("1", "kept", 1);
    environment("2", "moved-on", 1);
    renaming("2", "moved", "moved-on");
    environment("3", "moved", 30);
    environment("4", "replaced", 30);
    environment("5", "taken", 1);
    renaming("5", "other", "taken");
    await migrations["0038-share-link-ids"]?.up(queries);
    const shown = async (token: string) => (await findShare(queries, token, 50))?.place;
    expect(await Promise.all(["kept", "moved", "replaced", "taken"].map(shown))).toEqual([
      "kept",
      "moved-on",
      undefined,
      undefined,
    ]);
  } finally {
    database.close();
  }
});

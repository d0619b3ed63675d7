import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LoggedEvent } from "../../src/service/kernel/log.ts";
import { startService } from "../../src/service/service.ts";
import { MIGRATE } from "../../src/service/store/postgres/migrate-modes.ts";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import { databaseFile, openDataFolder } from "../../src/service/store/sqlite/open-store.ts";
import { runHere } from "../cli/terminal.ts";
import { unique } from "../conformance/unique.ts";
import { askPostgres, newDatabase } from "../records.ts";
import { NEXT, upgradeProgram } from "../service/store/next-migration.ts";

/** The schema of a table, in terms that both engines share. */
interface TableShape {
  columns: Record<string, { type: string; isRequired: boolean; byDefault: string | null }>;
  primaryKey: string[];
  indexes: { columns: string[]; isUnique: boolean; where: string | null }[];
  references: string[];
}

let folder: string;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-schema-"));
  await (await openDataFolder(folder)).close();
  url = await newDatabase();
  await (await openPostgres({ url })).close();
});
afterAll(() => rm(folder, { recursive: true }));

function shapesInSqlite(): Record<string, TableShape> {
  const database = new DatabaseSync(databaseFile(folder), { readOnly: true });
  const ask = (statement: string, ...values: string[]) => database.prepare(statement).all(...values);
  // A key that must be one value does not count.
  const isChecked = (table: string) =>
    /\bprimary key check\b/.test(
      String(ask("select sql from sqlite_master where name = ?", table)[0]?.["sql"]),
    );
  const shapeOf = (table: string): TableShape => {
    const columns = ask("select * from pragma_table_info(?)", table);
    const key = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a["pk"]) - Number(b["pk"]));
    const counts =
      key.length === 1 && key[0]?.["type"]?.toString().toLowerCase() === "integer" && !isChecked(table);
    return {
      columns: Object.fromEntries(
        columns.map(({ name, type, notnull, dflt_value, pk }) => [
          String(name),
          {
            type: String(type).toLowerCase(),
            isRequired: notnull === 1 || (counts && Number(pk) > 0),
            byDefault: counts && Number(pk) > 0 ? "counts up" : defaultOf(dflt_value),
          },
        ]),
      ),
      primaryKey: key.map(({ name }) => String(name)),
      indexes: sorted(
        ask("select * from pragma_index_list(?)", table)
          .filter(({ origin }) => origin !== "pk")
          .map(({ name, unique }) => ({
            columns: ask("select * from pragma_index_xinfo(?) where key = 1", String(name)).map(
              (column) => `${column["name"]}${column["desc"] === 1 ? " desc" : ""}`,
            ),
            isUnique: unique === 1,
            where: conditionOf(ask("select sql from sqlite_master where name = ?", String(name))[0]?.["sql"]),
          })),
      ),
      references: ask("select * from pragma_foreign_key_list(?)", table)
        .map((each) => `${each["from"]} -> ${each["table"]} (${each["to"]})`)
        .sort(),
    };
  };
  const tables = ask("select name from sqlite_master where type = 'table'").map(({ name }) => String(name));
  // Each engine has its own index for the search.
  const isOwn = (name: string) => name.startsWith("sqlite_") || name.startsWith("search_index");
  const shapes = tables.filter((name) => !isOwn(name)).map((name) => [name, shapeOf(name)]);
  database.close();
  return Object.fromEntries(shapes);
}

const COLUMNS = `
  select table_name, column_name, data_type, is_nullable, column_default, is_identity, collation_name
  from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`;

const INDEXES = `
  select owner.relname as table_name, indisprimary, indisunique, pg_get_expr(indpred, indrelid) as condition,
    array(select pg_get_indexdef(indexrelid, position, true) || case when indoption[position - 1] & 1 = 1 then ' desc' else '' end
      from generate_series(1, indnkeyatts) as position order by position) as columns
  from pg_index join pg_class as owner on owner.oid = indrelid
  where owner.relnamespace = 'public'::regnamespace and indexrelid::regclass::text <> 'search_documents_words'`;

const REFERENCES = `
  select owner.relname as table_name, target.relname as target, own.attname as own_column, its.attname as its_column
  from pg_constraint as held
  join pg_class as owner on owner.oid = held.conrelid
  join pg_class as target on target.oid = held.confrelid
  join pg_attribute as own on own.attrelid = held.conrelid and own.attnum = held.conkey[1]
  join pg_attribute as its on its.attrelid = held.confrelid and its.attnum = held.confkey[1]
  where held.contype = 'f' and cardinality(held.conkey) = 1`;

async function shapesInPostgres(): Promise<Record<string, TableShape>> {
  const shapes: Record<string, TableShape> = {};
  const types: Record<string, string> = { bigint: "integer" };
  for (const row of await askPostgres(url, COLUMNS)) {
    const table = String(row["table_name"]);
    const shape = shapes[table] ?? { columns: {}, primaryKey: [], indexes: [], references: [] };
    shapes[table] = shape;
    const type = String(row["data_type"]);
    shape.columns[String(row["column_name"])] = {
      type: types[type] ?? type,
      isRequired: row["is_nullable"] === "NO",
      byDefault: row["is_identity"] === "YES" ? "counts up" : defaultOf(row["column_default"]),
    };
  }
  for (const { table_name, indisprimary, indisunique, condition, columns } of await askPostgres(
    url,
    INDEXES,
  )) {
    const shape = shapes[String(table_name)];
    const names = Array.isArray(columns) ? columns.map((column) => String(column).replaceAll('"', "")) : [];
    if (indisprimary === true && shape) shape.primaryKey = names;
    else
      shape?.indexes.push({ columns: names, isUnique: indisunique === true, where: conditionOf(condition) });
  }
  for (const row of await askPostgres(url, REFERENCES)) {
    shapes[String(row["table_name"])]?.references.push(
      `${row["own_column"]} -> ${row["target"]} (${row["its_column"]})`,
    );
  }
  for (const shape of Object.values(shapes)) {
    shape.indexes = sorted(shape.indexes);
    shape.references.sort();
  }
  return shapes;
}

/** `'[]'::text` is `'[]'`. */
function defaultOf(value: unknown): string | null {
  return value === null || value === undefined
    ? null
    : String(value)
        .replace(/::[a-z ]+$/, "")
        .replaceAll(/^\((.*)\)$/g, "$1");
}

/** `(repo_id IS NOT NULL)`, and a whole statement that ends so, are `repo_id is not null`. */
function conditionOf(text: unknown): string | null {
  if (typeof text !== "string") return null;
  if (/^create/i.test(text)) return conditionOf(/\bwhere\b(.*)$/is.exec(text)?.[1]);
  return text.trim().replaceAll(/[()]/g, "").toLowerCase();
}

function sorted<T>(items: T[]): T[] {
  return items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

describe("the tables of both engines", () => {
  it("have the same columns, keys, indexes and references", async () => {
    const [inSqlite, inPostgres] = [shapesInSqlite(), await shapesInPostgres()];
    expect(Object.keys(inSqlite).length).toBeGreaterThan(30);
    expect(Object.values(inSqlite).flatMap(({ indexes }) => indexes).length).toBeGreaterThan(50);
    expect(inPostgres).toEqual(inSqlite);
  });

  it("sort every text by its bytes", async () => {
    const texts = (await askPostgres(url, COLUMNS)).filter(({ data_type }) => data_type === "text");
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.filter(({ collation_name }) => collation_name !== "C")).toEqual([]);
  });
});

describe("an upgrade of the tables", () => {
  const messageOf = (opening: Promise<unknown>) =>
    opening.then(
      () => "opened",
      (error: unknown) => String(error),
    );

  it("is refused if only a check was requested, and changes nothing", async () => {
    const older = await newDatabase();
    await (await openPostgres({ url: older })).close();
    upgradeProgram();
    const before = await askPostgres(older, "select * from schema_migrations");
    expect(await messageOf(openPostgres({ url: older, migrate: "check" }))).toMatch(
      /were written by a version older than/,
    );
    expect(await askPostgres(older, "select * from schema_migrations")).toEqual(before);
  });

  it.each(["check", "off"] as const)(
    "of an empty database is refused with %s, in one line",
    async (migrate) => {
      const empty = await newDatabase();
      const records = [
        "--database-url",
        empty,
        "--database-migrate",
        migrate,
        "--attachments",
        `${folder}/files`,
      ];
      expect(await runHere(["serve", "--port", "0", ...records])).toEqual({
        ...{ status: 1, stdout: "" },
        stderr:
          `delivery-evidence: The database ${empty} has no records: start a service on it first, as a user that may ` +
          "create tables and with --database-migrate auto\n",
      });
      expect(await askPostgres(empty, "select * from pg_tables where schemaname = 'public'")).toEqual([]);
    },
  );

  it("is skipped if it is switched off, and the log says what is missing", async () => {
    const older = await newDatabase();
    await (await openPostgres({ url: older })).close();
    upgradeProgram();
    const before = await askPostgres(older, "select * from schema_migrations");
    const logged: LoggedEvent[] = [];
    const store = await openPostgres({
      url: older,
      migrate: "off",
      log: (entry) => {
        if ("level" in entry) logged.push(entry);
      },
    });
    await store.checkWritable();
    await store.close();
    expect(logged).toEqual([
      { level: "warn", message: expect.stringMatching(`version older .* lack ${NEXT}: `) },
    ]);
    expect(await askPostgres(older, "select * from schema_migrations")).toEqual(before);
  });

  it("that is switched off needs no right to see which steps were applied", async () => {
    const created = await newDatabase();
    await (await openPostgres({ url: created })).close();
    const user = unique("looks").replaceAll("-", "_");
    await askPostgres(
      created,
      `create role ${user} login; grant select, insert, update, delete on all tables in schema public to ${user};
      revoke all on schema_migrations from ${user}`,
    );
    const url = new URL(created);
    url.username = user;
    expect(await messageOf(openPostgres({ url: url.href, migrate: "check" }))).toMatch(/permission denied/);
    const store = await openPostgres({ url: url.href, migrate: "off" });
    await store.checkWritable();
    await store.close();
    await askPostgres(created, `drop owned by ${user}; drop role ${user}`);
  });

  it("is refused in one line when the tables are newer", async () => {
    const newer = await newDatabase();
    await (await openPostgres({ url: newer })).close();
    await askPostgres(newer, "insert into schema_migrations (name, is_breaking) values ('9999-future', 1)");
    for (const migrate of MIGRATE) {
      const message = await messageOf(openPostgres({ url: newer, migrate }));
      expect(message).toMatch(/were written by a version newer than/);
      expect(message.split("\n")).toHaveLength(1);
    }
  });

  it("that fails leaves the tables unchanged", async () => {
    const blocked = await newDatabase();
    await askPostgres(blocked, "create table artifacts (id text)");
    expect(await messageOf(openPostgres({ url: blocked }))).toMatch(/nothing was changed/);
    const tables = await askPostgres(blocked, "select tablename from pg_tables where schemaname = 'public'");
    expect(tables).toEqual([{ tablename: "artifacts" }]);
  });

  it("is applied once by eight instances that start together on an empty database, and all of them serve", async () => {
    const empty = await newDatabase();
    const dispatcher = new Agent();
    const data = await mkdtemp(join(tmpdir(), "evidence-eight-"));
    const started = await Promise.all(
      Array.from({ length: 8 }, (_, instance) =>
        startService({
          dataFolder: join(data, `${instance}`),
          attachmentsAt: { folder: join(data, "attachments") },
          database: { url: empty },
          host: "127.0.0.1",
          port: 0,
          org: "acme",
          version: "1.2.3",
          log: () => {},
        }),
      ),
    );
    const keys = started.flatMap(({ firstKey }) => firstKey ?? []);
    expect(keys).toHaveLength(1);
    for (const { address } of started) {
      const headers = { authorization: `Bearer ${keys[0]}` };
      const { statusCode, body } = await request(`${address}/api/v2/flows/acme`, { headers, dispatcher });
      expect([statusCode, await body.json()]).toEqual([200, []]);
    }
    const counts = await askPostgres(
      empty,
      "select (select count(*)::integer from organizations) as orgs, (select count(*)::integer from api_keys) as keys",
    );
    expect(counts).toEqual([{ orgs: 1, keys: 1 }]);
    await dispatcher.close();
    for (const { close } of started) await close();
    await rm(data, { recursive: true });
  });
});

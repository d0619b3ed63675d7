import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { insertRows, listed } from "../../../src/service/store/dialect.ts";
import { openStore } from "../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { yieldsDuring } from "../yields.ts";

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "json-rows-"));
  store = await openStore(join(folder, "evidence.sqlite"));
  await store.write((db) => insertRows(db, "organizations", [{ id: "org", name: "acme", created_at: 1.5 }]));
  await store.write((db) =>
    insertRows(db, "environments", [
      {
        id: "env",
        org_id: "org",
        name: "prod",
        type: "K8S",
        description: "",
        include_scaling: 0,
        require_provenance: 0,
        created_at: 1,
        last_modified_at: 1,
      },
    ]),
  );
});

afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const row = {
  environment_id: "env",
  fingerprint: "aa",
  name: "app",
  since: 1,
  until: null,
  change: null,
  instances_before: 0,
  is_deployment: 1,
  instance_count: 0,
  ended: 0,
  compliant: null,
  allowed: 0,
  origins: "[]",
  instances: [],
  decisions: [],
  flows: {},
};
const DOCUMENTS = ["instances", "decisions", "flows"] as const;

test("keeps every kind of text, number and null unchanged", async () => {
  const names = [
    "plain",
    "",
    "quote \" and \\ and '",
    "line\nbreak\ttab",
    "é 漢 \u{1F600}",
    "null",
    "12",
    "[1]",
  ];
  await store.write((db) =>
    insertRows(
      db,
      "running_intervals",
      names.map((name, index) => ({ ...row, name, compliant: index % 2 === 0 ? null : 1 })),
      DOCUMENTS,
    ),
  );
  const stored = await store.read
    .selectFrom("running_intervals")
    .select(["name", "compliant"])
    .orderBy("name")
    .execute();
  expect(new Map(stored.map(({ name, compliant }) => [name, compliant]))).toEqual(
    new Map(names.map((name, index) => [name, index % 2 === 0 ? null : 1])),
  );
});

test("keeps documents as JSON, with all the digits of their numbers", async () => {
  const flows = { id: JSON.rawJSON("9007199254740993"), text: 'a "b" \\ \u2028', list: [1.5, null, true] };
  await store.write((db) => insertRows(db, "running_intervals", [{ ...row, flows }], DOCUMENTS));
  const stored = await store.read.selectFrom("running_intervals").selectAll().executeTakeFirstOrThrow();
  expect(stored.instances).toBe("[]");
  expect(stored.flows).toContain("9007199254740993");
  expect(JSON.parse(stored.flows)).toEqual({
    id: 9007199254740992,
    text: 'a "b" \\ \u2028',
    list: [1.5, null, true],
  });
});

test("inserts more rows than a statement may have parameters, and finds them again by a list", async () => {
  const rows = Array.from({ length: 40_000 }, (_, index) => ({ ...row, name: `app-${index}` }));
  await store.write((db) => insertRows(db, "running_intervals", rows, DOCUMENTS));
  const wanted = rows.map(({ name }) => name).filter((_, index) => index !== 17);
  const { count } = await store.read
    .selectFrom("running_intervals")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("name", "in", listed(wanted))
    .executeTakeFirstOrThrow();
  expect(count).toBe(39_999);
});

test("a row that breaks a rule of the table prevents the whole insert", async () => {
  const twice = [row, { ...row, name: "other" }, row];
  await expect(store.write((db) => insertRows(db, "running_intervals", twice, DOCUMENTS))).rejects.toThrow(
    "UNIQUE constraint failed",
  );
  expect(await store.read.selectFrom("running_intervals").selectAll().execute()).toEqual([]);
});

test("an insert without rows sends no statement", async () => {
  await store.write((db) => insertRows(db, "events", []));
  expect(await store.read.selectFrom("events").selectAll().execute()).toEqual([]);
});

test("yields while the documents of many rows become text", async () => {
  const rows = Array.from({ length: 30_000 }, (_, index) => ({ ...row, fingerprint: String(index) }));
  // All fit into one statement, as they differ in one column only.
  const turns = await yieldsDuring(() =>
    store.write((db) => insertRows(db, "running_intervals", rows, DOCUMENTS)),
  );
  const alone = await yieldsDuring(() => store.write(async () => undefined));
  expect(turns - alone).toBeGreaterThanOrEqual(3);
});

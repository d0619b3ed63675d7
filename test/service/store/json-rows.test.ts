import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { insertRows, listed } from "../../../src/service/store/json-rows.ts";
import { openStore, type Store } from "../../../src/service/store/store.ts";

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
  await store.write((db) =>
    insertRows(db, "snapshots", [
      { id: "snap", environment_id: "env", number: 1, artifact_set: "", created_at: 1 },
    ]),
  );
});

afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const row = {
  snapshot_id: "snap",
  fingerprint: "aa",
  name: "app",
  instances: [],
  compliant: null,
  details: {},
};

test("keeps every kind of text, number and null as it was given", async () => {
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
      "snapshot_artifacts",
      names.map((name, index) => ({ ...row, name, compliant: index % 2 === 0 ? null : 1 })),
      ["instances", "details"],
    ),
  );
  const stored = await store.read
    .selectFrom("snapshot_artifacts")
    .select(["name", "compliant"])
    .orderBy("name")
    .execute();
  expect(new Map(stored.map(({ name, compliant }) => [name, compliant]))).toEqual(
    new Map(names.map((name, index) => [name, index % 2 === 0 ? null : 1])),
  );
});

test("keeps documents as JSON, with all the digits of their numbers", async () => {
  const details = { id: JSON.rawJSON("9007199254740993"), text: 'a "b" \\ \u2028', list: [1.5, null, true] };
  await store.write((db) =>
    insertRows(db, "snapshot_artifacts", [{ ...row, details }], ["instances", "details"]),
  );
  const stored = await store.read.selectFrom("snapshot_artifacts").selectAll().executeTakeFirstOrThrow();
  expect(stored.instances).toBe("[]");
  expect(stored.details).toContain("9007199254740993");
  expect(JSON.parse(stored.details)).toEqual({
    id: 9007199254740992,
    text: 'a "b" \\ \u2028',
    list: [1.5, null, true],
  });
});

test("inserts more rows than a statement may have parameters, and finds them again by a list", async () => {
  const rows = Array.from({ length: 40_000 }, (_, index) => ({ ...row, name: `app-${index}` }));
  await store.write((db) => insertRows(db, "snapshot_artifacts", rows, ["instances", "details"]));
  const wanted = rows.map(({ name }) => name).filter((_, index) => index !== 17);
  const { count } = await store.read
    .selectFrom("snapshot_artifacts")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("name", "in", listed(wanted))
    .executeTakeFirstOrThrow();
  expect(count).toBe(39_999);
});

test("a row that breaks a rule of the table keeps all of them out", async () => {
  const twice = [row, { ...row, name: "other" }, row];
  await expect(
    store.write((db) => insertRows(db, "snapshot_artifacts", twice, ["instances", "details"])),
  ).rejects.toThrow("UNIQUE constraint failed");
  expect(await store.read.selectFrom("snapshot_artifacts").selectAll().execute()).toEqual([]);
});

test("no rows are no statement", async () => {
  await store.write((db) => insertRows(db, "trail_events", []));
  expect(await store.read.selectFrom("trail_events").selectAll().execute()).toEqual([]);
});

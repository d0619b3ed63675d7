import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endLease, takeLease } from "../../../src/service/ops/jobs.ts";
import { openRecords } from "../../../src/service/store/open-records.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { recordsOfTest } from "../../records.ts";

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "leases-"));
  store = await openRecords({ dataFolder: folder, ...(await recordsOfTest()), log: () => {} });
});

afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const take = (holder: string, every?: number) =>
  store.write((db) => takeLease(db, { name: "prune", holder }, every));
const end = (holder: string, done: boolean) =>
  store.write((db) => endLease(db, { name: "prune", holder }, { done }));
/** Simulates the passing of so many seconds: the clock is the database's own. */
const pass = (seconds: number) =>
  store.write((db) =>
    db
      .updateTable("leases")
      .set(({ eb }) => ({
        expires_at: eb("expires_at", "-", seconds),
        ended_at: eb("ended_at", "-", seconds),
      }))
      .execute(),
  );

test("one of several concurrent applicants gets the lease and renews it", async () => {
  const applicants = ["a", "b", "c", "d"];
  const answers = await Promise.all(applicants.map((holder) => take(holder)));
  expect(answers.filter(Boolean)).toHaveLength(1);
  const holder = applicants[answers.indexOf(true)] ?? "";
  expect(await take(holder)).toBe(true);
  expect(
    await Promise.all(applicants.filter((other) => other !== holder).map((other) => take(other))),
  ).toEqual([false, false, false]);
});

test("the work of a killed instance is taken over within 15 seconds", async () => {
  await take("killed");
  await pass(11);
  expect(await take("other")).toBe(false);
  await pass(4);
  expect(await take("other")).toBe(true);
  expect(await take("killed"), "an instance that was only slow has lost the lease").toBe(false);
});

test("finished work is not repeated before its interval ends; released work is free at once", async () => {
  await take("a");
  await end("b", true);
  expect(await take("c"), "only its owner ends it").toBe(false);
  await end("a", false);
  expect(await take("b", 3600)).toBe(true);
  await end("b", true);
  expect(await take("a", 3600)).toBe(false);
  await pass(3601);
  expect(await take("a", 3600)).toBe(true);
});

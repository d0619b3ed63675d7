import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { snapshotList } from "../../../../src/service/runtime/running/snapshot-lists.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";

let folder: string;
let store: Store;
let environments = 0;
const next = () => ({ environment_id: `of-lists-${++environments}`, number: 1 });
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-lists-"));
  store = await openDataFolder(folder);
});
afterEach(() => rm(folder, { recursive: true }));

it("concurrent requests for a snapshot share one list", async () => {
  const snapshot = next();
  const [one, other] = await Promise.all([
    snapshotList(store.read, snapshot),
    snapshotList(store.read, snapshot),
  ]);
  expect(one).toBe(other);
  expect(one).toEqual({ running: [], ended: [], compliance: { true: 0, false: 0, null: 0 } });
  await store.close();
});

it("a list that failed to load is loaded again, and so is an old one", async () => {
  const snapshot = next();
  const first = await snapshotList(store.read, snapshot);
  for (let more = 0; more < 16; more++) await snapshotList(store.read, next());
  expect(await snapshotList(store.read, snapshot)).not.toBe(first);

  const failed = next();
  await store.close();
  await expect(snapshotList(store.read, failed)).rejects.toThrow();
  store = await openDataFolder(folder);
  expect(await snapshotList(store.read, failed)).toMatchObject({ running: [] });
  await store.close();
});

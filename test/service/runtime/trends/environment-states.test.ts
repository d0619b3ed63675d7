import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createOrganization } from "../../../../src/service/people/accounts/organizations.ts";
import { putEnvironment, requireEnvironment } from "../../../../src/service/runtime/environments/records.ts";
import { bucketsBetween } from "../../../../src/service/runtime/trends/buckets.ts";
import { stateSeconds } from "../../../../src/service/runtime/trends/environment-states.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { judging } from "../../judging.ts";

const DAY = 86_400;
const HOUR = 3600;

let folder = "";
let store: Store;
let environmentId = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-states-"));
  store = await openDataFolder(folder);
  const org = { id: await store.write((db) => createOrganization(db, "acme", 1)), name: "acme" };
  const fields = { description: "", requireProvenance: undefined, policies: undefined, members: undefined };
  await store.write((db) =>
    putEnvironment(db, org, { ...fields, name: "prod", type: "K8S", mayManage: true }, judging(org.id, 1)),
  );
  environmentId = (await requireEnvironment(store.read, org, "prod")).id;
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

async function snapshots(states: readonly (readonly [at: number, state: number | null])[]): Promise<void> {
  await store.write(async (db) => {
    for (const [index, [created_at, state]] of states.entries()) {
      const number = index + 1;
      await db
        .insertInto("snapshots")
        .values({
          ...{ id: `s${number}`, environment_id: environmentId, number, created_at, state },
          ...{ artifact_set: "", conditions: "", compliant: 0, policies: "[]" },
        })
        .execute();
    }
  });
}

/** Seconds without compliance and of an unknown state, by day. */
async function seconds(
  days: readonly [from: number, to: number],
  { reported, now = days[1] }: { reported: number; now?: number },
) {
  const [from, until] = days;
  const buckets = bucketsBetween(from, until, { unit: "day", tz: "UTC" });
  const environment = { id: environmentId, last_reported_at: reported };
  const found = await stateSeconds(store.read, [environment], { buckets, until, now });
  return found.get(environmentId)?.map(({ nonCompliant, unknown }) => [nonCompliant, unknown]);
}

it("a state counts from its snapshot to the next one, divided at midnight", async () => {
  await snapshots([
    [10 * DAY + 20 * HOUR, 0],
    [11 * DAY + HOUR, 1],
    [11 * DAY + 2 * HOUR, null],
    [11 * DAY + 5 * HOUR, 0],
  ]);
  const now = 12 * DAY + HOUR;
  expect(await seconds([10 * DAY, now], { reported: now })).toEqual([
    [4 * HOUR, 0],
    [20 * HOUR, 3 * HOUR],
    [HOUR, 0],
  ]);
});

it("the state before the window continues into it", async () => {
  await snapshots([
    [5 * DAY, 1],
    [6 * DAY, 0],
    [10 * DAY + HOUR, 1],
  ]);
  expect(await seconds([10 * DAY, 10 * DAY + 2 * HOUR], { reported: 10 * DAY + 2 * HOUR })).toEqual([
    [HOUR, 0],
  ]);
});

it("the state is unknown after the last report, if it is older than 24 hours", async () => {
  await snapshots([[10 * DAY, 0]]);
  const until = 12 * DAY;
  expect(await seconds([10 * DAY, until - 1], { reported: 10 * DAY + HOUR, now: until })).toEqual([
    [HOUR, 23 * HOUR],
    [0, DAY - 1],
  ]);
  expect(await seconds([10 * DAY, until - 1], { reported: until - DAY, now: until })).toEqual([
    [DAY, 0],
    [DAY - 1, 0],
  ]);
});

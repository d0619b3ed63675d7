import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findOrganization } from "../../../../src/service/people/accounts/organizations.ts";
import { findEnvironment } from "../../../../src/service/runtime/environments/records.ts";
import { artifactsIn, intervalsOf } from "../../../../src/service/runtime/running/intervals.ts";
import { insertRows } from "../../../../src/service/store/dialect.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { planOf } from "../../query-plan.ts";
import { pipeline } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";
import { yieldsDuring } from "../../yields.ts";

let service: TestService;
let store: Store;
let environment_id: string;
beforeAll(async () => {
  service = await startTestService();
  store = await openDataFolder(service.dataFolder);
  await pipeline(service).environment("prod");
  const orgId = (await findOrganization(store.read, ORG))?.id ?? "";
  environment_id = (await findEnvironment(store.read, orgId, "prod"))?.id ?? "";
  await store.write((db) =>
    insertRows(db, "running_intervals", INTERVALS.map(rowOf), ["instances", "decisions", "flows"]),
  );
});
afterAll(async () => {
  await store.close();
  await service.dispose();
});

interface Interval {
  since: number;
  until: number | null;
}

/** More than one slice of each: what ended with one report, what still runs, and what ran for one snapshot each. */
const INTERVALS: readonly Interval[] = [
  ...Array.from({ length: 24_000 }, (_, n) => ({ since: 1 + (n % 4), until: 5 })),
  ...Array.from({ length: 24_000 }, (_, n) => ({ since: 1 + (n % 8), until: null })),
  ...Array.from({ length: 24_000 }, (_, n) => ({ since: 10 + n, until: 11 + n })),
];

function rowOf({ since, until }: Interval, index: number) {
  const fingerprint = String(index).padStart(64, "0");
  const known = { environment_id, name: "web", fingerprint, since, until, change: null, compliant: null };
  const counts = { instances_before: 0, is_deployment: 1, instance_count: 0, ended: 0, allowed: 0 };
  return { ...known, ...counts, origins: "[]", instances: [], decisions: [], flows: [] };
}

describe("the artifacts that ran in a snapshot", () => {
  it.each([3, 5, 20_000])("are those that started up to it and ended after it: %i", async (number) => {
    const expected = INTERVALS.flatMap(({ since, until }, index) =>
      since <= number && (until ?? Infinity) > number ? [String(index).padStart(64, "0")] : [],
    );
    const places = await intervalsOf(store.read, { environment_id, number });
    expect(places.map(({ fingerprint }) => fingerprint)).toEqual(expected);
    const artifacts = await artifactsIn(store.read, { environment_id, number });
    expect(artifacts.map(({ fingerprint }) => fingerprint)).toEqual(expected);
  });

  it("yields while it skips what started later", async () => {
    const turns = await yieldsDuring(async () => {
      expect(await intervalsOf(store.read, { environment_id, number: 0 })).toEqual([]);
    });
    // 24,000 still run and 48,000 have ended: three slices and five, with a yield after each but the last.
    expect(turns).toBeGreaterThanOrEqual(6);
  });

  it("are found from their end, not through all that ran before", async () => {
    const plan = await planOf(service.dataFolder, (db) =>
      artifactsIn(db, { environment_id, number: 20_000 }),
    );
    const steps = plan.filter((step) => step.includes("running_intervals"));
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps)
      expect(step).toMatch(/running_intervals_until .*AND (until=\?|\(until,ended\)>)|PRIMARY KEY/);
  });
});

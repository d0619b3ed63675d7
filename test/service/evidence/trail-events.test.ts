import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addTrailEvents, eventsOf, pastOf } from "../../../src/service/evidence/trails/events.ts";
import { openTrail } from "../../../src/service/evidence/trails/open-trail.ts";
import { createOrganization } from "../../../src/service/people/accounts/organizations.ts";
import type { RunningEvent } from "../../../src/service/runtime/running/events.ts";
import { openDataFolder } from "../../../src/service/store/data-folder.ts";
import type { Store } from "../../../src/service/store/store.ts";

let folder: string;
let store: Store;
let trailId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-events-"));
  store = await openDataFolder(folder);
  trailId = await store.write(async (db) => {
    const orgId = await createOrganization(db, "acme", 1);
    const names = { flowName: "web", trailName: "t1" };
    return (await openTrail(db, names, { orgId, accountName: "ada", now: 1 })).trail.id;
  });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const MOMENTS = 60;
const AT_EACH = 20;

it("come in slices in the order in which they happened, also those of one moment and of what ran", async () => {
  const moments = Array.from({ length: MOMENTS }, (_, index) => 10 + index);
  const events = moments.flatMap((timestamp) =>
    Array.from({ length: AT_EACH }, (_, place) => ({
      trailId,
      type: "trail_attestation_reported" as const,
      timestamp,
      details: { place },
    })),
  );
  // What was recorded last happened first: the clock was set back.
  await store.write((db) => addTrailEvents(db, events.toReversed()));
  const running = moments.map((timestamp): RunningEvent => {
    return { trailId, timestamp, view: { timestamp, type: "artifact_started_running" } };
  });
  const past = { ...(await pastOf(store.read, trailId, null)), running };
  await store.write((db) =>
    addTrailEvents(db, [{ trailId, type: "trail_updated", timestamp: 5, details: {} }]),
  );

  const slices: Record<string, unknown>[][] = [];
  for await (const slice of eventsOf(store.read, past)) slices.push(slice);

  expect(slices.length).toBeGreaterThan(2);
  const shown = slices.flat().map(({ timestamp, type, place }) => [timestamp, type, place]);
  const ofMoment = (timestamp: number) => [
    ...Array.from({ length: AT_EACH }, (_, place) => [
      timestamp,
      "trail_attestation_reported",
      AT_EACH - 1 - place,
    ]),
    [timestamp, "artifact_started_running", undefined],
  ];
  expect(shown).toEqual([[1, "trail_reported", undefined], ...moments.flatMap(ofMoment)]);
});

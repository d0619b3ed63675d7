import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventsOf, pastOf } from "../../../src/service/evidence/trails/events.ts";
import type { Organization } from "../../../src/service/kernel/caller.ts";
import { createOrganization } from "../../../src/service/people/accounts/organizations.ts";
import type { RunningEvent } from "../../../src/service/runtime/running/events.ts";
import { insertRows } from "../../../src/service/store/dialect.ts";
import { openDataFolder } from "../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { trailNamed } from "./recording.ts";

let folder: string;
let store: Store;
let org: Organization;
let trailId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-events-"));
  store = await openDataFolder(folder);
  await store.write(async (db) => {
    org = { id: await createOrganization(db, "acme", 1), name: "acme" };
    trailId = (await trailNamed(db, org, ["web", "t1"], 1)).trail.id;
  });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** An attestation of a trail, named by a number. */
function eventRow(at: number, place: number) {
  return {
    id: `${at}-${place}`,
    org_id: org.id,
    type: "attestation.recorded",
    at,
    by: "ada",
    subject_id: `${place}`,
    subject_name: `${place}`,
    trail_id: trailId,
    data: '{"type":"generic","is_compliant":true,"artifact":null,"targets":[]}',
    salt: "",
    digest: "",
  };
}

const MOMENTS = 60;
const AT_EACH = 20;

it("are returned in slices in order of time, also those of one moment and of running artifacts", async () => {
  const moments = Array.from({ length: MOMENTS }, (_, index) => 10 + index);
  const events = moments.flatMap((timestamp) =>
    Array.from({ length: AT_EACH }, (_, place) => eventRow(timestamp, place)),
  );
  // The last recorded happened first: the clock was set back.
  await store.write((db) => insertRows(db, "events", events.toReversed()));
  const running = moments.map((timestamp): RunningEvent => {
    return { trailId, timestamp, view: { timestamp, type: "artifact_started_running" } };
  });
  const past = { ...(await pastOf(store.read, trailId, null)), running };
  await store.write((db) => insertRows(db, "events", [eventRow(5, 0)]));

  const slices: Record<string, unknown>[][] = [];
  for await (const slice of eventsOf(store.read, past)) slices.push(slice);

  expect(slices.length).toBeGreaterThan(2);
  const shown = slices
    .flat()
    .map((view) => [view["timestamp"], view["type"], view["template_reference_name"]]);
  const ofMoment = (timestamp: number) => [
    ...Array.from({ length: AT_EACH }, (_, place) => [
      timestamp,
      "trail_attestation_reported",
      String(AT_EACH - 1 - place),
    ]),
    [timestamp, "artifact_started_running", undefined],
  ];
  expect(shown).toEqual([[1, "trail_reported", undefined], ...moments.flatMap(ofMoment)]);
});

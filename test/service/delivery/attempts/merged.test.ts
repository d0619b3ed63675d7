import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Delivery, Sent } from "../../../../src/service/delivery/attempts/attempt.ts";
import { makeDeliveries } from "../../../../src/service/delivery/attempts/deliver.ts";
import { LEASE_SECONDS, lease } from "../../../../src/service/delivery/attempts/lease.ts";
import { tidyDeliveries } from "../../../../src/service/delivery/attempts/old-events.ts";
import { recover } from "../../../../src/service/delivery/rules/deliveries.ts";
import { removeTargets } from "../../../../src/service/delivery/rules/targets.ts";
import { openRecords } from "../../../../src/service/store/open-records.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { recordsOfTest } from "../../../records.ts";
import { addEvents, addTargets } from "./records.ts";

const START = 1_800_000_000;
const MERGE = { key: "trail-1", seconds: 120 };

let store: Store;
let time: number;
/** Event numbers of each message, in the order of the attempts. */
let sent: number[][];
let answers: (delivery: Delivery) => Partial<Sent>;
const running: ReturnType<typeof makeDeliveries>[] = [];

beforeEach(async () => {
  time = START;
  sent = [];
  answers = () => ({});
  const folder = await mkdtemp(join(tmpdir(), "merged-"));
  store = await openRecords({ dataFolder: folder, ...(await recordsOfTest()), log: () => {} });
  return async () => {
    await Promise.all(running.splice(0).map((each) => each.stop()));
    await store.close();
    await rm(folder, { recursive: true });
  };
});

async function send(delivery: Delivery): Promise<Sent> {
  sent.push([delivery.event, ...delivery.merged].map(({ number }) => number).sort((a, b) => a - b));
  const answer = { status: 200, requestHeaders: {}, answer: null, outcome: "delivered", delivered: true };
  return { ...answer, ...answers(delivery) };
}

function start(holder = "one") {
  const senders = { slack: send, teams: send };
  const deliveries = makeDeliveries(
    { store, senders, clock: async () => time, random: () => 0.5, log: () => {} },
    holder,
  );
  running.push(deliveries);
  deliveries.start();
  return deliveries;
}

const addSlack = () => addTargets(store, [{ address: "https://slack.example/1", kind: "slack" }], START);
const states = async () =>
  (
    await store.read
      .selectFrom("notification_deliveries as delivery")
      .innerJoin("notification_events as event", "event.id", "delivery.event_id")
      .select(["state", "outcome", "attempts"])
      .orderBy("event.number")
      .execute()
  ).map(({ state, outcome, attempts }) => `${state} ${outcome} ${attempts}`);

test("events of one trail within two minutes are one message, and each is recorded with it", async () => {
  const added = await addSlack();
  await addEvents(store, { ...added, count: 2, at: START, merge: MERGE });
  await addEvents(store, { ...added, count: 1, first: 3, at: START + 119, merge: MERGE });
  await addEvents(store, { ...added, count: 1, first: 4, at: START, merge: { ...MERGE, key: "trail-2" } });
  const { wake } = start();
  time = START + 119;
  wake();
  await addEvents(store, { ...added, count: 1, first: 5, at: START, wake });
  // An event without a key does not wait.
  await expect.poll(() => sent).toEqual([[5]]);
  time = START + 121;
  wake();
  // The recorded time decides how long Slack rests, so the clock stays until the record.
  await expect
    .poll(async () => (await states()).filter((state) => state.startsWith("delivered")).length)
    .toBeGreaterThan(1);
  time += 2;
  wake();
  await expect.poll(() => sent.slice(1).toSorted()).toEqual([[1, 2, 3], [4]]);
  await expect.poll(states).toEqual(Array.from({ length: 5 }, () => "delivered delivered 1"));
  await addEvents(store, { ...added, count: 1, first: 6, at: time, merge: MERGE, wake });
  time += 121;
  wake();
  await expect.poll(() => sent.at(-1)).toEqual([6]);
});

test("after a kill the message is sent with its events, and a retry repeats exactly these", async () => {
  const added = await addSlack();
  await addEvents(store, { ...added, count: 2, at: START, merge: MERGE });
  time = START + 120;
  const [first] = await store.read.selectFrom("notification_deliveries").select("id").orderBy("id").execute();
  // Leased by an instance that is killed before it sends.
  const leased = await store.write((db) =>
    lease(db, [first?.id ?? ""], { at: time, holder: "killed", held: new Set() }),
  );
  expect(leased).toHaveLength(1);
  time += LEASE_SECONDS + 1;
  answers = () => ({ delivered: false, outcome: "status_503", status: 503 });
  const { wake } = start("two");
  await expect.poll(() => sent).toEqual([[1, 2]]);
  await expect.poll(states).toEqual(expect.arrayContaining(["pending status_503 1"]));
  answers = () => ({});
  await addEvents(store, { ...added, count: 1, first: 3, at: time, merge: MERGE, wake });
  time += 10;
  wake();
  await expect.poll(() => sent.slice(1)).toEqual([[1, 2]]);
  time += 120;
  wake();
  await expect.poll(() => sent.slice(2)).toEqual([[3]]);
  await expect
    .poll(states)
    .toEqual(["delivered delivered 2", "delivered delivered 2", "delivered delivered 1"]);
});

test("a failed message fails all its events, and its recovery sends all of them", async () => {
  const added = await addSlack();
  await addEvents(store, { ...added, count: 3, at: START, merge: MERGE });
  time = START + 120;
  answers = () => ({ delivered: false, outcome: "failed", final: true });
  const { wake } = start();
  await expect.poll(states).toEqual(Array.from({ length: 3 }, () => "failed failed 1"));
  answers = () => ({});
  const range = { targetIds: added.targetIds, since: START, now: time };
  expect(await store.write((db) => recover(db, added.actionId, range))).toEqual({
    recovered: 3,
    more: false,
  });
  time += 2;
  wake();
  await expect.poll(states).toEqual(Array.from({ length: 3 }, () => "delivered delivered 2"));
  expect(sent).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
});

test.each(["removed", "disabled"])("the events of a message to a %s target end with it", async (how) => {
  const added = await addSlack();
  await addEvents(store, { ...added, count: 2, at: START, merge: MERGE });
  time = START + 120;
  answers = () => ({ delivered: false, outcome: "status_503", status: 503 });
  start();
  await expect.poll(() => sent).toEqual([[1, 2]]);
  await running.splice(0)[0]?.stop();
  if (how === "removed") await store.write((db) => removeTargets(db, added.actionId, time));
  else {
    await store.write((db) => db.updateTable("notification_targets").set({ ended_at: time }).execute());
    await tidyDeliveries({ store, clock: async () => time }).run(new AbortController().signal);
  }
  const word = how === "removed" ? "cancelled" : "failed";
  expect((await states()).map((each) => each.split(" ")[0])).toEqual([word, word]);
});

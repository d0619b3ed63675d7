import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { verifyWebhook } from "../../../../src/api/resources/verify-webhook.ts";
import type { Send } from "../../../../src/service/delivery/attempts/attempt.ts";
import { type DeliveryParts, makeDeliveries } from "../../../../src/service/delivery/attempts/deliver.ts";
import { tidyDeliveries } from "../../../../src/service/delivery/attempts/old-events.ts";
import { targetTroubles, waitingDeliveries } from "../../../../src/service/delivery/attempts/queue.ts";
import { newSecret } from "../../../../src/service/delivery/outgoing/signature.ts";
import { openRecords } from "../../../../src/service/store/open-records.ts";
import type { PostgresOptions } from "../../../../src/service/store/postgres/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { recordsOfTest } from "../../../records.ts";
import { type Receiver, SENDERS, startReceiver } from "./receiver.ts";
import { addEvents, addTargets } from "./records.ts";

const START = 1_800_000_000;
const HOUR = 3600;
const DAY = 24 * HOUR;

let folder: string;
let database: { database?: PostgresOptions };
let store: Store;
let receiver: Receiver;
let time: number;
const logged: string[] = [];
const running: ReturnType<typeof makeDeliveries>[] = [];

beforeEach(async () => {
  time = START;
  folder = await mkdtemp(join(tmpdir(), "deliveries-"));
  database = await recordsOfTest();
  store = await openRecords({ dataFolder: folder, ...database, log: () => {} });
  receiver = await startReceiver();
  return async () => {
    await receiver[Symbol.asyncDispose]();
    await Promise.all(running.splice(0).map((each) => each.stop()));
    logged.length = 0;
    await store.close();
    await rm(folder, { recursive: true });
  };
});

function start(holder = "one", parts: Partial<DeliveryParts> = {}) {
  const deliveries = makeDeliveries(
    {
      ...{ store, senders: SENDERS, clock: async () => time, random: () => 0.5 },
      log: (entry) => "message" in entry && logged.push(entry.message),
      ...parts,
    },
    holder,
  );
  running.push(deliveries);
  deliveries.start();
  return deliveries;
}

const deliveries = () => store.read.selectFrom("notification_deliveries").selectAll().orderBy("id").execute();
const target = (id: string) =>
  store.read.selectFrom("notification_targets").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const attempts = () =>
  store.read
    .selectFrom("notification_attempts")
    .selectAll()
    .orderBy("delivery_id")
    .orderBy("number")
    .execute();
const path = (name = "") => `${receiver.address}/${name}`;

async function addOne(address = path(), kind: "webhook" | "slack" = "webhook") {
  const added = await addTargets(store, [{ address, kind }], START);
  return { ...added, targetId: added.targetIds[0] ?? "" };
}

test("a due delivery is sent once, and the attempt and its answer are recorded", async () => {
  const added = await addOne();
  const begun = performance.now();
  const { wake } = start();
  await addEvents(store, { ...added, count: 3, at: START, wake });
  await expect.poll(() => attempts()).toHaveLength(3);
  expect(receiver.received.map(({ body }) => JSON.parse(body).sequence).sort()).toEqual([1, 2, 3]);
  const [first] = await attempts();
  expect(first).toMatchObject({
    ...{
      number: 1,
      outcome: "delivered",
      status: 200,
      answer: "thank you",
      manual: 0,
    },
    duration_ms: expect.any(Number),
  });
  // The test clock is fixed: elapsed time is subtracted from it.
  const passed = START - (first?.started_at ?? 0);
  expect(passed).toBeGreaterThanOrEqual(0);
  expect(passed).toBeLessThanOrEqual((performance.now() - begun) / 1000);
  expect(first?.request_headers).toContain("webhook-id");
  expect(first?.request_headers).not.toContain("signature");
  expect((await deliveries())[0]).toMatchObject({
    ...{ state: "delivered", attempts: 1, outcome: "delivered", due_at: null, ended_at: START },
    ...{ leased_by: null, leased_until: null },
  });
  expect(await target(added.targetId)).toMatchObject({
    ...{ failing_since: null, last_success_at: START, last_failure_at: null },
  });
});

test("a failing delivery is tried ten times on schedule with the same body, then fails", async () => {
  receiver.answer = (_, answer) => answer.writeHead(500).end("no\0thing");
  const added = await addOne();
  const { wake } = start();
  await addEvents(store, { ...added, count: 1, at: START, wake });
  const waits: number[] = [];
  for (let number = 1; number <= 10; number++) {
    await expect.poll(() => attempts()).toHaveLength(number);
    const [delivery] = await deliveries();
    if (!delivery?.due_at) break;
    const { due_at } = delivery;
    waits.push(due_at - time);
    time = due_at;
    // The breaker would delay it further, which another test shows.
    await store.write((db) =>
      db.updateTable("notification_targets").set({ paused_until: null, failures: 0 }).execute(),
    );
    wake();
  }
  expect(waits).toEqual([5, 300, 1800, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)]);
  expect(await deliveries()).toMatchObject([{ state: "failed", attempts: 10, outcome: "status_500" }]);
  expect(new Set(receiver.received.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
  expect((await attempts())[0]).toMatchObject({ answer: "no\uFFFDthing", status: 500 });
  expect(await target(added.targetId)).toMatchObject({ last_success_at: null, last_failure_at: time });
});

test("Retry-After is honored when it is later than the schedule, and 429 pauses the whole target", async () => {
  receiver.answer = (_, answer) => answer.writeHead(429, { "retry-after": "120" }).end();
  const added = await addOne();
  const { wake } = start();
  await addEvents(store, { ...added, count: 1, at: START, wake });
  await expect.poll(() => attempts()).toHaveLength(1);
  expect(await deliveries()).toMatchObject([{ state: "pending", due_at: START + 120 }]);
  expect(await target(added.targetId)).toMatchObject({ paused_until: START + 120 });
});

test("after 410 a target gets nothing more, the admins are notified, and pending deliveries fail", async () => {
  receiver.answer = (_, answer) => answer.writeHead(410).end();
  const added = await addOne(path(), "slack");
  const { wake } = start();
  await addEvents(store, { ...added, count: 5, at: START, wake });
  await expect.poll(() => attempts()).toHaveLength(1);
  wake();
  const entries = await store.read.selectFrom("audit_log").selectAll().execute();
  expect(entries.map(({ act, account, resource_name }) => [act, account, resource_name])).toEqual([
    ["action.target_ended", "the service", "tell"],
  ]);
  const { details } = await store.read.selectFrom("audit_log").select("details").executeTakeFirstOrThrow();
  expect(JSON.parse(details), "by the position in the list of targets").toMatchObject({ target: 1 });
  // The attempt can be read before its write is reported.
  await expect.poll(() => logged.join()).toContain("410 Gone");
  expect(await target(added.targetId)).toMatchObject({ ended_at: START });
  expect(await targetTroubles(store.read)).toEqual({ failing: 0, ended: 1 });
  await tidyDeliveries({ store, clock: async () => time }).run(new AbortController().signal);
  // So that it can be recovered once the target is enabled again.
  expect(await deliveries()).toMatchObject(
    Array(5).fill({ state: "failed", due_at: null, ended_at: START, leased_by: null }),
  );
  expect(receiver.received).toHaveLength(1);
});

test("a failing target is paused after five failures, disabled after five days, and reset when it answers", async () => {
  receiver.answer = (_, answer) => answer.writeHead(503).end();
  const added = await addOne(path(), "slack");
  const { wake } = start();
  const fail = async (failures: number) => {
    await addEvents(store, { ...added, first: failures, count: 1, at: time, wake });
    await expect.poll(async () => (await target(added.targetId)).failures).toBe(failures);
    return (await target(added.targetId)).paused_until;
  };
  for (let failures = 1; failures <= 4; failures++) expect(await fail(failures)).toBeNull();
  expect(await fail(5)).toBe(START + 32);
  receiver.answer = (_, answer) => answer.end();
  time += 31;
  wake();
  time += 1;
  wake();
  await expect.poll(async () => (await target(added.targetId)).failures).toBe(0);
  expect(await target(added.targetId)).toMatchObject({ failing_since: null, last_success_at: START + 32 });
  await store.write((db) =>
    db
      .updateTable("notification_targets")
      .set({ failing_since: time - 5 * DAY, failures: 20, paused_until: null })
      .execute(),
  );
  receiver.answer = (_, answer) => answer.writeHead(503).end();
  await addEvents(store, { ...added, first: 9, count: 1, at: time, wake });
  await expect.poll(async () => (await target(added.targetId)).ended_at).toBe(time);
  expect((await target(added.targetId)).ended_because).toBe("All attempts of 5 days have failed");
});

test("days without an attempt do not count toward the five days that disable a target", async () => {
  receiver.answer = (_, answer) => answer.writeHead(503).end();
  const added = await addOne();
  const { wake } = start();
  const failsAt = async (at: number) => {
    time = at;
    await changeTargets({ paused_until: null });
    await addEvents(store, { ...added, first: at, count: 1, at, wake });
    await expect.poll(async () => (await target(added.targetId)).last_failure_at).toBe(at);
    // Nothing else is tried until the next retry.
    await store.write((db) =>
      db
        .updateTable("notification_deliveries")
        .set({ state: "failed", due_at: null, ended_at: at })
        .execute(),
    );
    return target(added.targetId);
  };
  await failsAt(START);
  const week = START + 7 * DAY;
  expect(await failsAt(week)).toMatchObject({ ended_at: null, failing_since: week, failures: 2 });
  for (const days of [1, 2, 3, 4]) await failsAt(week + days * DAY);
  expect(await failsAt(week + 5 * DAY)).toMatchObject({ ended_at: week + 5 * DAY });
});

test("targets that never answer do not delay other organizations", async () => {
  const open = new Set<object>();
  let most = 0;
  receiver.answer = ({ url = "" }, answer) => {
    if (!url.startsWith("/dead")) return void answer.end();
    open.add(answer);
    most = Math.max(most, open.size);
    answer.on("close", () => open.delete(answer));
  };
  const dead = await addTargets(store, [{ address: path("dead") }], START);
  const names = Array.from({ length: 20 }, (_, index) => `live-${index}`);
  const live = await addTargets(
    store,
    names.map((name) => ({ address: path(name) })),
    START,
  );
  await addEvents(store, { ...dead, count: 500, at: START });
  await addEvents(store, { ...live, count: 20, at: START });
  start();
  // A request that is never answered times out and is retried.
  const delivered = async () => (await attempts()).filter(({ outcome }) => outcome === "delivered").length;
  await expect.poll(delivered).toBe(400);
  await expect.poll(() => open.size).toBe(8);
  expect(most, "no more at a time than one target may have").toBe(8);
});

test("several targets that never answer leave slots to others", async () => {
  receiver.answer = ({ url = "" }, answer) => {
    if (!url.startsWith("/dead")) answer.end();
  };
  const dead = Array.from({ length: 12 }, (_, index) => ({ address: path(`dead-${index}`) }));
  await addEvents(store, { ...(await addTargets(store, dead, START)), count: 10, at: START });
  const { wake } = start();
  const taken = (beginning: string) =>
    receiver.received.filter(({ path }) => path.startsWith(beginning)).length;
  // Half of the slots are shared; each target has one of the others.
  await expect.poll(() => taken("/dead")).toBe(32);
  await addEvents(store, { ...(await addOne(path("live"))), count: 1, at: START, wake });
  await expect.poll(() => taken("/live"), { timeout: 5_000 }).toBe(1);
  expect(taken("/dead")).toBe(32);
});

test("while requests keep the service busy, deliveries continue, a few at a time", async () => {
  let taken = 0;
  let isBusy = true;
  const held: (() => void)[] = [];
  receiver.answer = (_, answer) => {
    taken++;
    if (isBusy) held.push(() => answer.end());
    else answer.end();
  };
  const names = Array.from({ length: 60 }, (_, index) => ({ address: path(String(index)) }));
  const added = await addTargets(store, names, START);
  const leased = async () => (await deliveries()).filter(({ leased_until }) => leased_until !== null).length;
  const { wake } = start("one", { isBusy: () => isBusy });
  await addEvents(store, { ...added, count: 1, at: START, wake });
  await expect.poll(() => taken).toBe(32);
  expect(await leased()).toBe(32);
  isBusy = false;
  for (const answer of held) answer();
  await expect.poll(() => attempts()).toHaveLength(60);
});

/** Nine are claimed for a target, of which eight are sent at once: the ninth is queued in memory until `answer`. */
async function withOneInMemory(secret: string) {
  const held: (() => void)[] = [];
  receiver.answer = (_, answer) => held.push(() => answer.end());
  const added = await addOne();
  await changeTargets({ secret });
  const { wake } = start();
  await addEvents(store, { ...added, count: 9, at: START, wake });
  await expect.poll(() => held.length).toBe(8);
  // Deliveries that were read more than 500 ms ago are read again.
  const now = performance.now.bind(performance);
  const later = vi.spyOn(performance, "now").mockImplementation(() => now() + 600);
  onTestFinished(() => later.mockRestore());
  return {
    answer() {
      receiver.answer = (_, answer) => answer.end();
      for (const each of held) each();
    },
  };
}

const changeTargets = (columns: object) =>
  store.write((db) => db.updateTable("notification_targets").set(columns).execute());

test.each([{ removed_at: START }, { ended_at: START }])(
  "a delivery queued in memory for a stopped target is not sent: %o",
  async (end) => {
    const { answer } = await withOneInMemory(newSecret());
    await changeTargets(end);
    answer();
    await expect.poll(() => attempts()).toHaveLength(8);
    await expect
      .poll(async () => (await deliveries()).filter(({ leased_by }) => leased_by !== null))
      .toEqual([]);
    expect(receiver.received).toHaveLength(8);
  },
);

test("a delivery queued in memory while a secret is rotated is signed with the new one", async () => {
  const [former, secret] = [newSecret(), newSecret()];
  const { answer } = await withOneInMemory(former);
  await changeTargets({ secret });
  answer();
  await expect.poll(() => attempts()).toHaveLength(9);
  const [first, last] = [receiver.received[0], receiver.received[8]];
  expect(() => verifyWebhook(first?.headers ?? {}, first?.body ?? "", former)).not.toThrow();
  expect(() => verifyWebhook(last?.headers ?? {}, last?.body ?? "", secret)).not.toThrow();
});

test("150 targets that hang delay neither another organization nor another target", async () => {
  receiver.answer = ({ url }, answer) => {
    if (!url?.includes("hang")) answer.end();
  };
  const hanging = Array.from({ length: 150 }, (_, index) => ({ address: path(`hang-${index}`) }));
  const crowded = await addTargets(store, [...hanging, { address: path("same") }], START);
  const other = await addOne(path("other"));
  const { wake } = start();
  const [same, ...late] = [crowded.targetIds.at(-1) ?? "", ...crowded.targetIds.slice(0, -1)];
  await addEvents(store, { ...crowded, targetIds: late, count: 1, at: START, wake });
  const arrived = () => receiver.received.map((each) => each.path);
  await expect.poll(() => arrived().length, { timeout: 10_000 }).toBeGreaterThanOrEqual(60);
  await addEvents(store, { ...crowded, targetIds: [same], count: 1, first: 2, at: START, wake });
  await addEvents(store, { ...other, count: 1, at: START, wake });
  // Hanging requests time out after 15 s.
  await expect.poll(arrived, { timeout: 12_000 }).toEqual(expect.arrayContaining(["/same", "/other"]));
  const ended = async () => (await attempts()).map(({ outcome }) => outcome);
  await expect.poll(ended).toEqual(["delivered", "delivered"]);
});

test("new events are delivered before retries", async () => {
  const added = await addOne(path(), "slack");
  await addEvents(store, { ...added, count: 3, at: START - 100 });
  await store.write((db) => db.updateTable("notification_deliveries").set({ attempts: 1 }).execute());
  await addEvents(store, { ...added, first: 4, count: 1, at: START });
  const { wake } = start();
  for (let count = 1; count <= 4; count++) {
    await expect.poll(async () => (await attempts()).length).toBe(count);
    expect(receiver.received.length, "Slack accepts one message a second").toBe(count);
    time += 1;
    wake();
  }
  expect(JSON.parse(receiver.received[0]?.body ?? "").sequence).toBe(4);
});

test("a requested redelivery is tried at once in any state, and does not advance the schedule", async () => {
  receiver.answer = (_, answer) => answer.writeHead(500).end();
  const added = await addOne();
  const { wake, attempt } = start();
  await addEvents(store, { ...added, count: 1, at: START, wake });
  await expect.poll(() => attempts()).toHaveLength(1);
  const [{ id } = { id: "" }] = await deliveries();
  await attempt(id);
  expect(await attempts()).toMatchObject([{ manual: 0 }, { manual: 1, number: 2, status: 500 }]);
  expect(await deliveries()).toMatchObject([{ state: "pending", due_at: START + 5 }]);
  time += 5;
  wake();
  await expect.poll(() => attempts()).toHaveLength(3);
  expect(await deliveries(), "the second wait, not the third").toMatchObject([{ due_at: time + 300 }]);
  receiver.answer = (_, answer) => answer.end();
  await attempt(id);
  expect(await deliveries()).toMatchObject([{ state: "delivered", due_at: null, attempts: 4 }]);
});

/** Ten deliveries that a killed instance had claimed for another minute. */
async function addTenOfKilled() {
  const added = await addOne();
  await addEvents(store, { ...added, count: 10, at: START });
  const leased = { leased_by: "killed", leased_until: START + 60 };
  await store.write((db) => db.updateTable("notification_deliveries").set(leased).execute());
  return added;
}

test("deliveries of a killed instance are taken over when their lease expires, and not before", async () => {
  const added = await addTenOfKilled();
  // The only instance knows that it was killed.
  const { wake } = start("two", { store: { ...store, isShared: true } });
  time += 59;
  wake();
  await addEvents(store, { ...added, first: 11, count: 1, at: time, wake });
  await expect.poll(() => attempts()).toHaveLength(1);
  expect(receiver.received).toHaveLength(1);
  time += 1;
  wake();
  await expect.poll(() => attempts()).toHaveLength(11);
});

test("a sole instance takes over at its start the deliveries it had claimed before it was killed", async () => {
  await addTenOfKilled();
  start("two", { store: { ...store, isShared: false } });
  await expect.poll(() => attempts()).toHaveLength(10);
});

test("a stopping instance claims nothing more, waits for open requests, and leaves the rest to others", async () => {
  const held: (() => void)[] = [];
  receiver.answer = (_, answer) => held.push(() => answer.end());
  const added = await addOne();
  const { stop, wake } = start();
  await addEvents(store, { ...added, count: 100, at: START, wake });
  await expect.poll(() => held.length).toBe(8);
  const stopped = stop();
  for (const answer of held) answer();
  await stopped;
  expect(await attempts()).toHaveLength(8);
  expect((await deliveries()).filter(({ leased_by }) => leased_by !== null)).toEqual([]);
  receiver.answer = (_, answer) => answer.end();
  start("two");
  await expect.poll(() => attempts()).toHaveLength(100);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(100);
  expect(receiver.received).toHaveLength(100);
});

test("a stopping instance waits only briefly: unanswered deliveries are sent again after their lease", async () => {
  receiver.answer = () => {};
  const added = await addOne();
  const { stop, wake, attempt } = start();
  await addEvents(store, { ...added, count: 20, at: START, wake });
  await expect.poll(() => receiver.received.length).toBe(8);
  const [{ id } = { id: "" }] = await deliveries();
  const attempted = expect(attempt(id)).rejects.toThrow("about to stop");
  await expect.poll(() => receiver.received.length).toBe(9);
  await stop();
  await attempted;
  expect(await attempts()).toEqual([]);
  expect(await target(added.targetId)).toMatchObject({ failures: 0, last_failure_at: null });
  const leased = (await deliveries()).filter(({ leased_by }) => leased_by !== null);
  expect(leased).toMatchObject(Array(8).fill({ state: "pending", attempts: 0, leased_until: START + 60 }));

  receiver.answer = (_, answer) => answer.end();
  const { wake: wakeNext } = start("two", { store: { ...store, isShared: true } });
  await expect.poll(() => attempts()).toHaveLength(12);
  time += 60;
  wakeNext();
  await expect.poll(() => attempts()).toHaveLength(20);
  expect(new Set(receiver.received.map(({ id, body }) => `${id} ${body}`)).size).toBe(20);
});

test("instances on the same records never try a delivery twice while leases are valid", async () => {
  const names = Array.from({ length: 10 }, (_, index) => ({ address: path(`target-${index}`) }));
  const added = await addTargets(store, names, START);
  const other = database.database === undefined ? store : await openRecords({ ...database, log: () => {} });
  const one = start("one", { store: { ...store, isShared: true } });
  const two = start("two", { store: { ...other, isShared: true } });
  for (let batch = 0; batch < 5; batch++) {
    const wake = () => (batch % 2 ? one.wake() : two.wake());
    await addEvents(store, { ...added, first: 1 + 20 * batch, count: 20, at: START, wake });
    one.wake();
    two.wake();
  }
  await expect.poll(async () => await waitingDeliveries(store.read)).toBe(0);
  await Promise.all([one.stop(), two.stop()]);
  expect(receiver.received).toHaveLength(1000);
  expect(new Set(receiver.received.map(({ id, path }) => id + path)).size).toBe(1000);
  if (other !== store) await other.close();
});

test("events older than 30 days are removed with everything that belongs to them", async () => {
  const added = await addOne();
  const { wake } = start();
  await addEvents(store, { ...added, count: 450, at: START, wake });
  await expect.poll(async () => (await attempts()).length).toBe(450);
  time += 10 * DAY;
  await addEvents(store, { ...added, first: 451, count: 1, at: time, wake });
  await expect.poll(async () => (await attempts()).length).toBe(451);
  time += 20 * DAY + 1;
  await tidyDeliveries({ store, clock: async () => time }).run(new AbortController().signal);
  expect(await attempts()).toHaveLength(1);
  expect(await deliveries()).toHaveLength(1);
  expect(await store.read.selectFrom("notification_events").selectAll().execute()).toHaveLength(1);
});

test("a removed target is deleted with the last of its deliveries, and a listed one remains", async () => {
  const removed = await addOne();
  const named = await addOne();
  const { wake } = start();
  for (const added of [removed, named]) await addEvents(store, { ...added, count: 1, at: START, wake });
  await expect.poll(async () => (await attempts()).length).toBe(2);
  await store.write((db) =>
    db
      .updateTable("notification_targets")
      .set({ removed_at: time })
      .where("id", "=", removed.targetId)
      .execute(),
  );
  const left = async () => {
    await tidyDeliveries({ store, clock: async () => time }).run(new AbortController().signal);
    const targets = await store.read.selectFrom("notification_targets").select("id").execute();
    return targets.map(({ id }) => id).sort();
  };
  time += 30 * DAY;
  expect(await left()).toEqual([removed.targetId, named.targetId].sort());
  time += 1;
  expect(await left()).toEqual([named.targetId]);
  expect(await deliveries()).toEqual([]);
});

test("slow mails are sent once, a few at a time, and delay nothing else", async () => {
  const mails = Array.from({ length: 70 }, (_, index) => ({
    address: `${index}@example.org`,
    kind: "email" as const,
  }));
  const added = await addTargets(store, [...mails, { address: path() }], START);
  const under = new Set<string>();
  const begun: string[] = [];
  const answers: (() => void)[] = [];
  const email: Send = async ({ target }) => {
    begun.push(target.address);
    under.add(target.address);
    expect(under.size).toBeLessThanOrEqual(3);
    await new Promise<void>((resolve) => answers.push(resolve));
    under.delete(target.address);
    return { delivered: true, outcome: "delivered", status: null, requestHeaders: {}, answer: null };
  };
  const answerAll = () => {
    for (const answer of answers.splice(0)) answer();
  };
  const parts = {
    get read() {
      // Some mails arrive while their leases are renewed.
      if (time > START) answerAll();
      return store.read;
    },
    readTogether: store.readTogether.bind(store),
    write: store.write.bind(store),
    isShared: store.isShared,
  };
  const { wake } = start("one", { store: parts, senders: { ...SENDERS, email } });
  await addEvents(store, { ...added, count: 1, at: START, wake });
  await expect.poll(() => receiver.received).toHaveLength(1);
  // Their leases expire, and there is no other instance.
  time += 61;
  wake();
  await expect
    .poll(
      async () => {
        answerAll();
        return await attempts();
      },
      { interval: 10 },
    )
    .toHaveLength(71);
  expect(begun.toSorted()).toEqual(mails.map(({ address }) => address).toSorted());
});

test("an event that would join a running message whose lease expired becomes the next message", async () => {
  let answerFirst = () => {};
  receiver.answer = (_, answer) => {
    answerFirst = () => answer.end("thank you");
  };
  const added = await addOne(path(), "slack");
  const { wake } = start();
  const merge = { key: "trail", seconds: 0 };
  await addEvents(store, { ...added, count: 1, at: START, wake, merge });
  await expect.poll(() => receiver.received).toHaveLength(1);
  time += 61;
  await addEvents(store, { ...added, first: 2, count: 1, at: time, wake, merge });
  const renewed = async () => (await deliveries()).filter(({ leased_until }) => leased_until === time + 60);
  await expect.poll(renewed).toHaveLength(1);
  receiver.answer = (_, answer) => answer.end("thank you");
  answerFirst();
  const laterAttempts = () => {
    time++;
    return attempts();
  };
  await expect.poll(laterAttempts, { timeout: 5_000 }).toHaveLength(2);
  expect(receiver.received.map(({ body }) => JSON.parse(body).sequence)).toEqual([1, 2]);
});

/*
 * A program that writes down events, a few at a time, and sends them, until it is killed: it goes on where the one
 * before it was killed. Its arguments are a data folder, the action and the target, and how many events there are to be.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { databaseClock } from "../../../src/service/delivery/clock.ts";
import { makeDeliveries } from "../../../src/service/delivery/deliver.ts";
import { openRecords } from "../../../src/service/store/open-records.ts";
import { SENDERS } from "./receiver.ts";
import { addEvents } from "./records.ts";

const [dataFolder = "", orgId = "", actionId = "", targetId = "", count = ""] = process.argv.slice(2);
const AT_ONCE = 5;

const log = (entry: object) => process.stderr.write(`${JSON.stringify(entry)}\n`);
const store = await openRecords({ dataFolder, log });
const { start, wake } = makeDeliveries({ store, senders: SENDERS, clock: databaseClock, log }, randomUUID());
start();
const { last } = await store.read
  .selectFrom("notification_events")
  .select(({ fn }) => fn.max("number").as("last"))
  .executeTakeFirstOrThrow();
for (let first = (last ?? 0) + 1; first <= Number(count); first += AT_ONCE) {
  const at = Date.now() / 1000;
  await addEvents(store, { orgId, actionId, targetIds: [targetId], first, count: AT_ONCE, at, wake });
  await delay(1);
}

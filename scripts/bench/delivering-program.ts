/*
 * Records and delivers events like the service, in its own process. It reports commits and resource usage over its
 * channel.
 */
import { randomUUID } from "node:crypto";
import { makeDeliveries } from "../../src/service/delivery/attempts/deliver.ts";
import { databaseClock } from "../../src/service/delivery/attempts/lease.ts";
import { openSenders } from "../../src/service/delivery/attempts/senders.ts";
import { openRecords } from "../../src/service/store/open-records.ts";
import { addEvents, addTargets } from "../../test/service/delivery/attempts/records.ts";
import type { DeliveryAnswer, DeliveryQuestion } from "./notifications.ts";
import { peakMemory } from "./peak-memory.ts";

const [dataFolder = "", receiver = ""] = process.argv.slice(2);
/** Events recorded with one write. */
const AT_ONCE = 1_000;

const store = await openRecords({ dataFolder, log: () => {} });
const log = (entry: object) => process.stderr.write(`${JSON.stringify(entry)}\n`);
const { senders } = openSenders({
  outgoing: { allowTargets: ["127.0.0.1"], allowHttpTargets: true },
  mail: undefined,
  mailRate: 0,
  secrets: { seal: (_, text) => text, open: (_, sealed) => sealed, hash: (text) => text },
  now: () => Date.now() / 1000,
});
const deliveries = makeDeliveries({ store, senders, clock: databaseClock, log }, randomUUID());
const tell = (answer: DeliveryAnswer) => void process.send?.(answer);

let first = 1;
let wake = () => {};
process.on("message", async (question: DeliveryQuestion) => {
  if (question === "start") {
    wake = deliveries.wake;
    return deliveries.start();
  }
  if (question === "peak") return tell({ peak: peakMemory() / 1024 });
  if ("paths" in question) {
    const targets = question.paths.map((path) => ({ address: receiver + path }));
    return tell({ targets: await addTargets(store, targets, Date.now() / 1000) });
  }
  for (let left = question.count; left > 0; left -= AT_ONCE) {
    const count = Math.min(left, AT_ONCE);
    const at = Date.now() / 1000;
    await addEvents(store, { ...question.targets, first, count, at, wake });
    first += count;
  }
  tell({ committedAt: performance.timeOrigin + performance.now() });
});
process.once("SIGTERM", async () => {
  await deliveries.stop();
  await store.close();
  process.exit(0);
});
tell({ ready: true });

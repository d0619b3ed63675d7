import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { loadOn } from "./durable.ts";
import { startLocalService } from "./local-service.ts";
import { median, quantile } from "./measure.ts";
import type { Measured, Measurements } from "./rows.ts";

const PROGRAM = fileURLToPath(new URL("delivering-program.ts", import.meta.url));
/** Node options of the image, as a list. */
const NODE_OPTIONS =
  /^ENV NODE_OPTIONS=(.+)$/m
    .exec(readFileSync(new URL("../../docs/deployment/Dockerfile", import.meta.url), "utf8"))?.[1]
    ?.split(" ") ?? [];

/** Fraction of the full load, for a quick check: 0.01. */
const PART = Number(process.env["BENCH_PART"] ?? 1);
const DELIVERIES = 10_000 * PART;
const IDLE_EVENTS = Math.max(20, 300 * PART);
const LIVE_TARGETS = 99;
const ROUNDS = Math.max(10, 60 * PART);
const DRAINED = 100_000 * PART;
/** Number of rules that match each attestation. */
const RULES = 3;
/** Turns of the load with the rules and of the load without them. */
const TURNS = 5;
const TURN_SECONDS = 4;

/** Rows of the delivery targets. */
interface Targets {
  readonly orgId: string;
  readonly actionId: string;
  readonly targetIds: readonly string[];
}

export type DeliveryQuestion =
  | "start"
  | "peak"
  | { readonly paths: readonly string[] }
  | { readonly targets: Targets; readonly count: number };

export interface DeliveryAnswer {
  readonly ready?: true;
  readonly targets?: Targets;
  /** Milliseconds since 1970, like the receiver's times. */
  readonly committedAt?: number;
  /** MiB. */
  readonly peak?: number;
}

/** Speed of deliveries, and the effect of one target on the others. */
export async function notifications(): Promise<Measurements<"notifications">> {
  const { rate, firstByte } = await quick();
  const { ratio, note } = await besideDeadTarget();
  const { peak, perSecond } = await drain();
  return {
    deliveries: { value: rate, note: `${DELIVERIES} to one webhook` },
    firstByte: { value: firstByte },
    deadTarget: { value: ratio, note },
    drainPeak: { value: peak, note: `${DRAINED} at ${perSecond.toFixed(0)}/s` },
    rules: await besideRules(),
  };
}

/** One webhook: many waiting events, and single ones without other load. */
async function quick(): Promise<{ rate: number; firstByte: number }> {
  await using sender = await startSender();
  const targets = await sender.addTargets(["/one"]);
  await sender.add(targets, DELIVERIES);
  const seconds = await sender.drain(DELIVERIES);
  const times: number[] = [];
  for (let event = 1; event <= IDLE_EVENTS; event++) {
    await delay(20);
    const committedAt = await sender.add(targets, 1);
    await sender.arrived(DELIVERIES + event);
    times.push((sender.arrivals.at(-1)?.at ?? Number.NaN) - committedAt);
  }
  return { rate: DELIVERIES / seconds, firstByte: quantile(times, 0.99) };
}

/** Webhooks that respond, together with one that never does and has many waiting events. */
async function besideDeadTarget(): Promise<{ ratio: number; note: string }> {
  await using sender = await startSender();
  const live = await sender.addTargets(Array.from({ length: LIVE_TARGETS }, (_, index) => `/live-${index}`));
  const dead = await sender.addTargets(["/dead"]);
  sender.start();
  const slowest = async () => {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = sender.arrivals.length;
      const committedAt = await sender.add(live, 1);
      await sender.arrived(before + LIVE_TARGETS);
      times.push(...sender.arrivals.slice(before).map(({ at }) => at - committedAt));
      await delay(50);
    }
    return quantile(times, 0.99);
  };
  await slowest();
  const without = await slowest();
  await sender.add(dead, 1_000);
  const beside = await slowest();
  return { ratio: beside / without, note: `p99 ${beside.toFixed(0)} and ${without.toFixed(0)} ms` };
}

async function drain(): Promise<{ peak: number; perSecond: number }> {
  await using filling = await startSender();
  const targets = await filling.addTargets(["/a", "/b", "/c", "/d"]);
  await filling.add(targets, DRAINED / targets.targetIds.length);
  // Restarted, because recording the events uses other memory than sending them.
  await filling.restart();
  const seconds = await filling.drain(DRAINED);
  return { peak: await filling.peak(), perSecond: DRAINED / seconds };
}

/** Attestations that each notify several webhooks, against attestations without a rule. Both take turns. */
async function besideRules(): Promise<Measured> {
  let arrivals = 0;
  const receiver = createServer((request, answer) => {
    arrivals++;
    request.resume().on("end", () => answer.end());
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const { port } = receiver.address() as AddressInfo;
  // Deliveries that still wait would slow the next turn.
  const quiet = async () => {
    for (let before = -1; before !== arrivals; ) {
      before = arrivals;
      await delay(500);
    }
  };
  try {
    await using without = await startLocalService();
    await using withRules = await startLocalService();
    const { address, org, apiKey } = withRules;
    for (let rule = 1; rule <= RULES; rule++) {
      const webhook = `http://127.0.0.1:${port}/${rule}`;
      const targets = [{ type: "WEBHOOK", webhook, payload_version: "1.0" }];
      const body = JSON.stringify({ name: `rule-${rule}`, targets, triggers: ["ON_ATTESTATION"] });
      const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
      const url = `${address}/api/v2/actions/${org}/flows`;
      const { status } = await fetch(url, { method: "PUT", headers, body });
      if (status !== 201) throw new Error(`Creating a rule returned ${status}`);
    }
    const turns: { ratio: number; text: string }[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const usual = await loadOn([without], { seconds: TURN_SECONDS });
      const notifying = await loadOn([withRules], { seconds: TURN_SECONDS });
      await quiet();
      const ratio = notifying.perSecond / usual.perSecond;
      turns.push({ ratio, text: `${notifying.perSecond.toFixed(0)}/${usual.perSecond.toFixed(0)}` });
    }
    const note = `in turns: ${turns.map(({ text }) => text).join(", ")}`;
    return { value: median(turns.map(({ ratio }) => ratio)), note };
  } finally {
    receiver.closeAllConnections();
    await once(receiver.close(), "close");
  }
}

interface Arrival {
  readonly at: number;
}

/** A receiver in this process, and a process that delivers to it. */
async function startSender() {
  const arrivals: Arrival[] = [];
  const receiver = createServer((request, answer) => {
    // Neither counted nor answered.
    if (request.url === "/dead") return;
    arrivals.push({ at: performance.timeOrigin + performance.now() });
    request.resume().on("end", () => answer.end());
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const { port } = receiver.address() as AddressInfo;
  const folder = await mkdtemp(join(tmpdir(), "bench-deliveries-"));
  const startChild = async () => {
    const child = fork(PROGRAM, [folder, `http://127.0.0.1:${port}`], { execArgv: NODE_OPTIONS });
    await once(child, "message");
    return child;
  };
  let child = await startChild();
  const end = async () => {
    const closed = once(child, "close");
    child.kill("SIGKILL");
    await closed;
  };
  const ask = async (question: DeliveryQuestion): Promise<DeliveryAnswer> => {
    const answer = once(child, "message");
    child.send(question);
    const [reply] = await answer;
    return reply;
  };
  const arrived = async (count: number) => {
    while (arrivals.length < count) await delay(1);
  };
  const start = () => void child.send("start" satisfies DeliveryQuestion);
  return {
    arrivals,
    arrived,
    start,
    async addTargets(paths: readonly string[]): Promise<Targets> {
      const { targets } = await ask({ paths });
      if (targets === undefined) throw new Error("No targets were added");
      return targets;
    },
    /** Adds a number of events for each target. @returns the time of the commit */
    async add(targets: Targets, count: number): Promise<number> {
      const { committedAt = Number.NaN } = await ask({ targets, count });
      return committedAt;
    },
    /** Delivers the waiting events. @returns the duration in seconds */
    async drain(count: number): Promise<number> {
      const startedAt = performance.now();
      start();
      await arrived(count);
      return (performance.now() - startedAt) / 1000;
    },
    async peak(): Promise<number> {
      const { peak = Number.NaN } = await ask("peak");
      return peak;
    },
    async restart() {
      await end();
      child = await startChild();
    },
    async [Symbol.asyncDispose]() {
      await end();
      receiver.closeAllConnections();
      await once(receiver.close(), "close");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

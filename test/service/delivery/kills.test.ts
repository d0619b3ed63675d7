import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openRecords } from "../../../src/service/store/open-records.ts";
import { startReceiver } from "./receiver.ts";
import { addTargets } from "./records.ts";

const KILLS = Number(process.env["TEST_DELIVERY_KILLS"] ?? 10);
const EVENTS = 1_000;
const PROGRAM = fileURLToPath(new URL("delivering-program.ts", import.meta.url));

test(
  "killed again and again, it delivers each event at least once, and each time as it was",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "evidence-kills-"));
    await using receiver = await startReceiver();
    let store = await openRecords({ dataFolder: folder, log: () => {} });
    const now = Date.now() / 1000;
    const { orgId, actionId, targetIds } = await addTargets(store, [{ address: receiver.address }], now);
    await store.close();

    const args = [folder, orgId, actionId, ...targetIds, String(EVENTS)];
    const ids = () => new Set(receiver.received.map(({ id }) => id));
    for (let run = 1; run <= KILLS + 1; run++) {
      const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ["ignore", "ignore", "inherit"] });
      const ended = once(child, "exit");
      await expect
        .poll(() => ids().size, { interval: 1 })
        .toBeGreaterThanOrEqual(Math.floor((run * EVENTS) / (KILLS + 1)));
      child.kill("SIGKILL");
      await ended;
    }

    store = await openRecords({ dataFolder: folder, log: () => {} });
    const events = await store.read.selectFrom("notification_events").select(["id", "number"]).execute();
    await store.close();
    await rm(folder, { recursive: true });
    expect(events).toHaveLength(EVENTS);
    expect(events.filter(({ id }) => !ids().has(id))).toEqual([]);
    const different = new Set(receiver.received.map(({ id, body }) => `${id} ${body}`));
    expect(different.size, "what is sent again is what was sent before").toBe(EVENTS);
    const sequences = new Set(receiver.received.map(({ body }) => JSON.parse(body).sequence));
    expect(sequences.size).toBe(EVENTS);
    process.stderr.write(
      `${KILLS} kills during ${EVENTS} events: ${receiver.received.length - EVENTS} duplicates\n`,
    );
  },
  60_000 + KILLS * 6_000,
);

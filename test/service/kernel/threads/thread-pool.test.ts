import { afterEach, describe, expect, it, vi } from "vitest";
import { Busy } from "../../../../src/service/kernel/errors.ts";
import { MAX_WAITING } from "../../../../src/service/kernel/threads/fair-turns.ts";
import { TaskStopped, TaskThread } from "../../../../src/service/kernel/threads/task-thread.ts";
import {
  makeThreadPool,
  type ThreadPool,
  threadModule,
} from "../../../../src/service/kernel/threads/thread-pool.ts";
import type { BusyTask } from "./busy-thread.ts";

const LIMIT_MS = 200;

let pool: ThreadPool<BusyTask, string>;
afterEach(async () => {
  vi.restoreAllMocks();
  await pool.close();
});

/** Runs tasks in a new pool, and records the order in which they end. */
function runner(options: { size?: number; cpuMs?: number } = {}) {
  const { size = 2, cpuMs = LIMIT_MS } = options;
  const module = threadModule("./busy-thread", import.meta.url);
  pool = makeThreadPool({ module, limits: { cpuMs, heapMb: 32 }, size });
  const ended: string[] = [];
  return {
    ended,
    async run(orgId: string, task: BusyTask): Promise<string> {
      const name = `${orgId} ${task.does === "answer" ? task.with : task.does}`;
      return await pool
        .run(orgId, task)
        .then(({ result }) => result)
        .finally(() => ended.push(name));
    },
  };
}

describe("a task", () => {
  it("is ended after too much processor time, and the next one is done", async () => {
    const { run } = runner({ size: 1 });
    const endless = run("a", { does: "spin" });
    const next = run("a", { does: "answer", with: "next" });
    await expect(endless).rejects.toThrow("takes more than 0.2 seconds of processor time");
    await expect(endless).rejects.toThrow(TaskStopped);
    expect(await next).toBe("next");
  });

  it("may take any time while its thread is not scheduled", async () => {
    const { run } = runner();
    expect(await run("a", { does: "wait", ms: 3 * LIMIT_MS })).toBe("waited");
  });

  it("loses none of its time in the queue", async () => {
    const { run } = runner({ size: 1 });
    const waits = [1, 2, 3].map(() => run("a", { does: "wait", ms: LIMIT_MS }));
    const last = run("a", { does: "answer", with: "last" });
    expect(await Promise.all([...waits, last])).toEqual(["waited", "waited", "waited", "last"]);
  });

  it("is ended when it needs too much memory, and the next one is done", async () => {
    const { run } = runner({ size: 1, cpuMs: 60_000 });
    const large = run("a", { does: "fill memory" });
    const next = run("a", { does: "answer", with: "next" });
    await expect(large).rejects.toThrow("needs more memory than it may use");
    expect(await next).toBe("next");
  });

  it("with an internal error fails with it, and the next one is done", async () => {
    const { run } = runner({ size: 1 });
    const failing = run("a", { does: "fail" });
    const next = run("a", { does: "answer", with: "next" });
    await expect(failing).rejects.toThrow("a mistake of our own");
    expect(await next).toBe("next");
  });

  it("reports the processor time that it used", async () => {
    runner();
    const { cpuMs } = await pool.run("a", { does: "work", ms: 20 });
    expect(cpuMs).toBeGreaterThan(10);
  });
});

describe("an organization", () => {
  it("finds a thread free while another has only endless work", async () => {
    const { run, ended } = runner({ cpuMs: 1_000 });
    const endless = [1, 2, 3].map(() => run("a", { does: "spin" }).catch(() => undefined));
    await run("b", { does: "answer", with: "first" });
    await run("b", { does: "answer", with: "second" });
    expect(ended).toEqual(["b first", "b second"]);
    await pool.close();
    await Promise.all(endless);
  });

  it("does not wait for all the work of another", async () => {
    const { run, ended } = runner({ size: 1 });
    const work = ["1", "2", "3"].map((text) => run("a", { does: "answer", with: text }));
    await Promise.all([...work, run("b", { does: "answer", with: "1" })]);
    expect(ended).toEqual(["a 1", "a 2", "b 1", "a 3"]);
  });

  it("with too many waiting tasks gets an error to retry later; others do not", async () => {
    const { run } = runner({ size: 1 });
    const all = Array.from({ length: MAX_WAITING + 2 }, () => run("a", { does: "answer", with: "x" }));
    const other = run("b", { does: "answer", with: "y" });
    const [refused] = (await Promise.allSettled(all)).filter(({ status }) => status === "rejected");
    expect(refused).toMatchObject({
      reason: new Busy(
        "limit.evaluations",
        `Your organization already has ${MAX_WAITING} waiting evaluations: try again`,
        5,
      ),
    });
    expect(refused).toHaveProperty("reason.headers", { "retry-after": "5" });
    expect((await Promise.allSettled(all)).filter(({ status }) => status === "fulfilled")).toHaveLength(
      MAX_WAITING + 1,
    );
    expect(await other).toBe("y");
  });
});

it("running and waiting tasks of a closed pool fail with a retryable error, as do later ones", async () => {
  const { run } = runner({ size: 1, cpuMs: 60_000 });
  await run("a", { does: "answer", with: "started" });
  const starts = vi.spyOn(TaskThread, "start");
  const work = [run("a", { does: "spin" }), run("a", { does: "answer", with: "x" })];
  const settled = Promise.allSettled(work);
  await pool.close();
  const late = await Promise.allSettled([run("a", { does: "answer", with: "late" })]);
  const refused = { reason: new Busy("service.busy", "The service is about to stop: try again", 5) };
  expect([...(await settled), ...late]).toMatchObject([refused, refused, refused]);
  expect(starts).not.toHaveBeenCalled();
});

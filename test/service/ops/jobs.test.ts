import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { removeOldAnswers } from "../../../src/service/operation/idempotency.ts";
import { startJobs } from "../../../src/service/ops/jobs.ts";
import { textLog } from "../../../src/service/ops/text-log.ts";
import { insertRows } from "../../../src/service/store/dialect.ts";
import { openDataFolder } from "../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { startTestService, type TestService } from "../running-service.ts";

describe("a job", () => {
  const until = (condition: () => boolean) => vi.waitFor(() => expect(condition()).toBe(true));

  it("runs again after a failed run, which is logged, and ends when it is stopped", async () => {
    const logged: string[] = [];
    let runs = 0;
    const run = async () => {
      if (++runs === 1) throw new Error("no luck");
    };
    const watch = { log: textLog((line) => logged.push(line)) };
    const jobs = startJobs([{ name: "idle", failure: "Nothing was done", run, everyMs: 1 }], watch);
    await until(() => runs > 2);
    await jobs.stop();
    const before = runs;
    let later = 0;
    const others = startJobs(
      [{ name: "later", failure: "", run: async () => void later++, everyMs: 1 }],
      watch,
    );
    await until(() => later > 3);
    await others.stop();
    expect([logged, runs]).toEqual([['Nothing was done: "Error: no luck"'], before]);
  });

  it("is waited for if it is running when it is stopped", async () => {
    let ended = false;
    const run = async (stop: AbortSignal) => {
      await new Promise((resolve) => stop.addEventListener("abort", resolve));
      await new Promise((resolve) => setImmediate(resolve));
      ended = true;
    };
    await startJobs([{ name: "idle", failure: "Nothing was done", run }], { log: () => {} }).stop();
    expect(ended).toBe(true);
  });
});

describe("stored responses that are too old for any retry", () => {
  let service: TestService;
  let store: Store;
  beforeEach(async () => {
    service = await startTestService();
    store = await openDataFolder(service.dataFolder);
  });
  afterEach(async () => {
    await store.close();
    await service.dispose();
  });

  const remaining = async () => {
    const rows = await store.read.selectFrom("answered_requests").select("answered_at").execute();
    return rows.map(({ answered_at }) => answered_at).sort();
  };
  const DAY = 24 * 3600;

  it("are removed, however many, and no others", async () => {
    const { id } = await store.read.selectFrom("api_keys").select("id").executeTakeFirstOrThrow();
    const row = { api_key_id: id, request_hash: "h", subject: "", answer: "{}", answered_window: 0 };
    const now = service.clock.time;
    const times = [...Array.from({ length: 2_500 }, (_, i) => now - DAY - 1 - (i % 900)), now - DAY, now];
    await store.write((db) =>
      insertRows(
        db,
        "answered_requests",
        times.map((answered_at) => ({ ...row, answered_at })),
      ),
    );
    await removeOldAnswers({ store, now: () => now }, AbortSignal.abort());
    expect(await remaining()).toHaveLength(times.length);
    await removeOldAnswers({ store, now: () => now }, new AbortController().signal);
    expect(await remaining()).toEqual([now - DAY, now]);
  });
});

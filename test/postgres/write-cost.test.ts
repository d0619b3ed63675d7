import { request } from "undici";
import { expect, onTestFinished, test, vi } from "vitest";
import { askPostgres, newDatabase } from "../records.ts";
import { pipeline, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { startFaultProxy } from "./fault-proxy.ts";

const TRAILS = Array.from({ length: 8 }, (_, index) => `t${index}`);
const ROUNDS = 5;

async function metricOf({ address, dispatcher }: TestService, name: string): Promise<number> {
  const { body } = await request(`${address}/metrics`, { dispatcher });
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(await body.text())?.[1]);
}

test("attestations on known trails take three round trips a batch, update trails in place, and have neighboring ids", async () => {
  const url = await newDatabase();
  const proxy = await startFaultProxy(Number(new URL(url).port));
  onTestFinished(() => proxy.close());
  const service = await startTestService({}, { database: { url: proxy.through(url) } });
  onTestFinished(() => service.dispose());
  const attestAll = async (round: number) => {
    const responses = await Promise.all(
      TRAILS.map((trail) =>
        send(service, {
          method: "POST",
          path: `/attestations/${ORG}/web/trail/${trail}/generic`,
          form: { attestation_name: "unit", is_compliant: true, user_data: { round } },
        }),
      ),
    );
    for (const { status } of responses) expect(status).toBe(201);
  };
  for (const trail of TRAILS) await pipeline(service).trail("web", trail);
  await attestAll(0);
  // Responses that arrive one by one would make round trips of their own.
  proxy.delay(20);
  const counted = async () => ({
    all: await metricOf(service, "evidence_write_batch_round_trips_count"),
    withinFour: await metricOf(service, 'evidence_write_batch_round_trips_bucket{le="4"}'),
    roundTrips: await metricOf(service, "evidence_write_batch_round_trips_sum"),
  });
  let rounds = 0;
  // The job of the log may write meanwhile, for a moment.
  await vi.waitFor(async () => {
    const before = await counted();
    for (let round = 0; round < ROUNDS; round++) await attestAll(++rounds);
    const after = await counted();
    const batches = after.all - before.all;
    expect(batches).toBeGreaterThanOrEqual(ROUNDS);
    expect(after.withinFour - before.withinFour).toBe(batches);
    expect(after.roundTrips - before.roundTrips).toBeLessThanOrEqual(3 * batches);
  }, 10_000);

  const updates = (table: string) =>
    askPostgres(url, `select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where relname = '${table}'`);
  const total = TRAILS.length * (rounds + 1);
  await expect.poll(() => updates("trails")).toMatchObject([{ n_tup_upd: String(total) }]);
  const [trails] = await updates("trails");
  // A change of the minute or a full page moves a row.
  expect(Number(trails?.["n_tup_hot_upd"])).toBeGreaterThan(0.6 * total);
  expect(await updates("answered_requests")).toEqual([{ n_tup_upd: "0", n_tup_hot_upd: "0" }]);

  // Rows of one time have neighboring ids, so that they change few pages of an index.
  const beginnings = (table: string) =>
    askPostgres(url, `select count(distinct left(id, 8))::int as count from ${table}`);
  for (const table of ["attestations", "events", "trails"]) {
    const [{ count } = {}] = await beginnings(table);
    expect(count).toBeLessThanOrEqual(3);
  }
});

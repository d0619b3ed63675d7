import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findDue, lease } from "../../src/service/delivery/attempts/lease.ts";
import { oldestDue, readyTargets } from "../../src/service/delivery/attempts/queue.ts";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import type { Store } from "../../src/service/store/store.ts";
import { askPostgres, newDatabase } from "../records.ts";
import { addTargets } from "../service/delivery/attempts/records.ts";
import { recordStatements } from "./recorded-statements.ts";

const WAITING = 100_000;
const NOW = 1_800_000_000;

let url: string;
let store: Store;

beforeAll(async () => {
  url = await newDatabase();
  store = await openPostgres({ url });
  const live = Array.from({ length: 99 }, (_, index) => ({ address: `https://example.org/${index}` }));
  const { orgId, actionId, targetIds } = await addTargets(store, [{ address: "dead" }, ...live], NOW);
  const [dead] = targetIds;
  const isDead = `target.id = '${dead}'`;
  await askPostgres(
    url,
    `set session_replication_role = replica;
    insert into notification_deliveries (id, org_id, event_id, action_id, target_id, state, due_at, created_at)
      select target.id || n, '${orgId}', 'e' || n, '${actionId}', target.id, 'pending', ${NOW} + n * 0.001, ${NOW}
      from notification_targets as target, generate_series(1, case when ${isDead} then ${WAITING} else 3 end) n;
    update notification_targets as target set paused_until = ${NOW + 9999} where ${isDead}`,
  );
  await askPostgres(url, "vacuum analyze");
});
afterAll(() => store.close());

interface Plan {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

/** The maximum number of rows of any step of a plan. */
function mostRows(plan: Plan): number {
  const own = (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"];
  return Math.max(own, ...(plan.Plans ?? []).map(mostRows));
}

function kindsOf(plan: Plan): string[] {
  return [plan["Node Type"], ...(plan.Plans ?? []).flatMap(kindsOf)];
}

it("claiming due deliveries reads hardly more than it claims, with any queue for one dead target", async () => {
  const { recorded, stop } = recordStatements();
  const at = NOW + 1_000;
  const taken = await store
    .write(async (db) => {
      expect(await readyTargets(db, { at, limit: 1 })).toHaveLength(1);
      // The dead target is paused, so its queue does not count.
      expect(await oldestDue(db, at)).toBe(NOW + 0.001);
      expect(await oldestDue(db, NOW)).toBeUndefined();
      const { due } = await findDue(db, { at, room: 512, after: "" });
      return lease(
        db,
        due.map(({ id }) => id),
        { at, holder: "one", held: new Set() },
      );
    })
    .finally(stop);
  expect(taken.length).toBeGreaterThan(150);
  const client = new pg.Client(url);
  await client.connect();
  // As on all connections of the service.
  await client.query("set enable_seqscan = off");
  try {
    for (const { text, values } of recorded.filter(({ text }) => text.includes("notification_deliveries"))) {
      await client.query("begin");
      const { rows } = await client.query({
        text: `explain (analyze, format json) ${text}`,
        values: [...values],
      });
      await client.query("rollback");
      const plan: Plan = rows[0]["QUERY PLAN"][0].Plan;
      expect(kindsOf(plan), text).not.toContain("Seq Scan");
      expect(mostRows(plan), text).toBeLessThan(1_000);
    }
  } finally {
    await client.end();
  }
});

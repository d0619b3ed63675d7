import { serviceContext } from "../../events/audit-log/contexts.ts";
import { trailAsItIs } from "../../events/projections/flow-content.ts";
import { raise } from "../../events/projections/raise.ts";
import { noteResult, resultOf } from "../../events/projections/trail-results.ts";
import { tryEach } from "../../kernel/try-each.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Job } from "../../ops/jobs.ts";
import type { Database } from "../../store/tables.ts";

type Parts = Pick<ServiceContext, "store" | "links" | "deliveries" | "now">;

const EVERY_MS = 60_000;
const AT_ONCE = 100;

/** Reports trails that have been incomplete and quiet for ten minutes, each once. */
export function reportQuietTrails(parts: Parts): Job {
  const { store } = parts;
  return {
    name: "quiet-trails",
    failure: "Failed to report incomplete trails",
    everyMs: EVERY_MS,
    async run(stop) {
      const now = parts.now();
      let failure: Error | undefined;
      let after = "";
      while (!stop.aborted) {
        const trails = await quietTrails(store.read, { now, after });
        // The next run retries what failed.
        const failed = await tryEach(trails, {
          stop,
          run: (trail) =>
            store.write((db) => report(db, { ...parts, trail, at: now }), { orgId: trail.org.id }),
          failed: ({ id }) => `Failed to report the trail '${id}'`,
        });
        failure ??= failed;
        if (trails.length < AT_ONCE) break;
        after = trails.at(-1)?.id ?? after;
      }
      if (failure !== undefined) throw failure;
    },
  };
}

type QuietTrail = Awaited<ReturnType<typeof quietTrails>>[number];

async function quietTrails(db: Database, { now, after }: { now: number; after: string }) {
  const rows = await db
    .selectFrom("notified_results as noted")
    .innerJoin("trails", "trails.id", "noted.subject_id")
    .innerJoin("flows", "flows.id", "trails.flow_id")
    .innerJoin("organizations", "organizations.id", "noted.org_id")
    .select(["trails.id", "flows.name as flow", "organizations.id as orgId", "organizations.name as orgName"])
    .where("noted.quiet_at", "<=", now)
    .where("noted.subject_id", ">", after)
    .orderBy("noted.subject_id")
    .limit(AT_ONCE)
    .execute();
  return rows.map(({ orgId, orgName, ...trail }) => ({ ...trail, org: { id: orgId, name: orgName } }));
}

interface Report extends Parts {
  readonly trail: QuietTrail;
  /** Unix seconds. */
  readonly at: number;
}

async function report(
  db: Database,
  { trail: { id, flow, org }, at, links, deliveries }: Report,
): Promise<void> {
  if (!(await claim(db, id, at))) return;
  const trail = await trailAsItIs(db, id);
  if (trail.records.verdict.state !== "INCOMPLETE") return;
  if (!(await noteResult(db, { id, orgId: org.id, result: "INCOMPLETE", now: at }))) return;
  const by = { ...serviceContext(org.id, at), notifier: { org, links, deliveries } };
  await raise(db, by, { type: "flow" }, (notifier) => [
    resultOf({ ...notifier, flow: { name: flow }, trail }),
  ]);
}

/** @returns false if another instance reported the trail, or it had an event in the meantime */
async function claim(db: Database, id: string, at: number): Promise<boolean> {
  const claimed = await db
    .updateTable("notified_results")
    .set({ quiet_at: null })
    .where("subject_id", "=", id)
    .where("quiet_at", "<=", at)
    .returning("subject_id")
    .execute();
  return claimed.length > 0;
}

import type { TargetKind } from "../../store/notification-tables.ts";
import type { Database } from "../../store/tables.ts";

export interface ReadyTarget {
  readonly id: string;
  readonly org_id: string;
  readonly kind: TargetKind;
  /** Number of consecutive failed attempts. */
  readonly failures: number;
}

interface ReadyQuery {
  /** Unix seconds. */
  readonly at: number;
  /** Returns targets with greater ids. */
  readonly after?: string;
  readonly limit: number;
}

/** Targets with due deliveries, by id. */
export function readyTargets(db: Database, { at, after = "", limit }: ReadyQuery): Promise<ReadyTarget[]> {
  return ready(db, at, after)
    .select(["target.id", "target.org_id", "target.kind", "target.failures"])
    .limit(limit)
    .execute();
}

/** Time at which the oldest due delivery of all such targets was due, in Unix seconds. Undefined if there is none. */
export async function oldestDue(db: Database, at: number): Promise<number | undefined> {
  const { oldest } = await db
    .selectFrom(
      ready(db, at)
        .select(({ selectFrom }) =>
          selectFrom("notification_deliveries as oldest")
            .select("oldest.due_at")
            .whereRef("oldest.target_id", "=", "target.id")
            .where("oldest.due_at", "is not", null)
            .orderBy("oldest.due_at")
            .limit(1)
            .as("due_at"),
        )
        .as("due"),
    )
    .select(({ fn }) => fn.min<number | null>("due.due_at").as("oldest"))
    .executeTakeFirstOrThrow();
  return oldest ?? undefined;
}

/** Skips through the index, so a long queue costs no more than a short one. */
function ready(db: Database, at: number, after = "") {
  return db
    .withRecursive("place(target_id)", (query) =>
      query
        .selectFrom(
          query
            .selectFrom("notification_deliveries as first")
            .select("first.target_id")
            .where("first.due_at", "is not", null)
            .where("first.target_id", ">", after)
            .orderBy("first.target_id")
            .limit(1)
            .as("beginning"),
        )
        .select(({ ref }) => ref("beginning.target_id").$castTo<string | null>().as("target_id"))
        .unionAll(
          query
            .selectFrom("place")
            .select(({ selectFrom }) =>
              selectFrom("notification_deliveries as next")
                .select("next.target_id")
                .where("next.due_at", "is not", null)
                .whereRef("next.target_id", ">", "place.target_id")
                .orderBy("next.target_id")
                .limit(1)
                .as("target_id"),
            )
            .where("place.target_id", "is not", null),
        ),
    )
    .selectFrom("place")
    .innerJoin("notification_targets as target", "target.id", "place.target_id")
    .where("target.removed_at", "is", null)
    .where("target.ended_at", "is", null)
    .where(({ or, eb }) => or([eb("target.paused_until", "is", null), eb("target.paused_until", "<=", at)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("notification_deliveries as due")
          .select("due.id")
          .whereRef("due.target_id", "=", "target.id")
          .where("due.due_at", "<=", at)
          .where(({ or, eb }) => or([eb("due.leased_until", "is", null), eb("due.leased_until", "<=", at)])),
      ),
    );
}

/** Maximum count, to limit the cost. */
const MOST_COUNTED = 100_000;

export async function targetTroubles(db: Database) {
  const { failing, ended } = await db
    .selectFrom("notification_targets")
    .select(({ fn }) => [fn.countAll<number>().as("failing"), fn.count<number>("ended_at").as("ended")])
    .where("failing_since", "is not", null)
    .where("removed_at", "is", null)
    .executeTakeFirstOrThrow();
  return { failing: Number(failing) - Number(ended), ended: Number(ended) };
}

export async function waitingDeliveries(db: Database): Promise<number> {
  const { waiting } = await db
    .selectFrom(
      db
        .selectFrom("notification_deliveries")
        .select("target_id")
        .where("due_at", "is not", null)
        .limit(MOST_COUNTED)
        .as("waiting"),
    )
    .select(({ fn }) => fn.countAll<number>().as("waiting"))
    .executeTakeFirstOrThrow();
  return Number(waiting);
}

import type { TargetKind } from "../../store/notification-tables.ts";
import type { Database } from "../../store/tables.ts";

/** A target that something is due for, and that may be sent to. */
export interface ReadyTarget {
  readonly id: string;
  readonly kind: TargetKind;
  /** How many attempts have failed, one after the other. */
  readonly failures: number;
}

interface Asked {
  /** Unix seconds. */
  readonly at: number;
  /** The id that the first one comes after. */
  readonly after?: string;
  readonly limit: number;
}

/**
 * The targets that something is due for, in the order of their ids. It goes from one target with anything to come to
 * the next in the index, and so costs the same whether a target waits for one delivery or for a hundred thousand.
 */
export function readyTargets(db: Database, { at, after = "", limit }: Asked): Promise<ReadyTarget[]> {
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
    .select(["target.id", "target.kind", "target.failures"])
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
    )
    .limit(limit)
    .execute();
}

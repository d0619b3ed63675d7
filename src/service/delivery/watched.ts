import type { Database } from "../store/tables.ts";

/** More than this are not counted: so many wait that their number matters no more. */
const MOST_COUNTED = 100_000;

/** Targets that are not well. */
export interface TargetTroubles {
  /** The latest attempt failed. */
  readonly failing: number;
  /** They get nothing any more. */
  readonly ended: number;
}

export async function targetTroubles(db: Database): Promise<TargetTroubles> {
  const { failing, ended } = await db
    .selectFrom("notification_targets")
    .select(({ fn }) => [fn.countAll<number>().as("failing"), fn.count<number>("ended_at").as("ended")])
    .where("failing_since", "is not", null)
    .where("removed_at", "is", null)
    .executeTakeFirstOrThrow();
  return { failing: Number(failing) - Number(ended), ended: Number(ended) };
}

/** How many deliveries are to come, as far as they are counted. */
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

import { now } from "./dialect.ts";
import type { Database } from "./tables.ts";

export interface Instance {
  id: string;
  version: string;
  host: string;
}

export const SEEN_EVERY_SECONDS = 5;
/** An instance that was not seen for this long has stopped. */
const GONE_AFTER_SECONDS = 15;

export async function noteInstance(db: Database, { id, version, host }: Instance): Promise<void> {
  await db
    .insertInto("instances")
    .values({ id, version, host, started_at: now(), seen_at: now() })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ seen_at: now() }))
    .execute();
  await db
    .deleteFrom("instances")
    .where("seen_at", "<", now(-10 * GONE_AFTER_SECONDS))
    .execute();
}

export async function forgetInstance(db: Database, id: string): Promise<void> {
  await db.deleteFrom("instances").where("id", "=", id).execute();
}

export async function liveInstances(db: Database) {
  return db
    .selectFrom("instances")
    .select(["id", "version", "host", "started_at as startedAt", "seen_at as seenAt"])
    .where("seen_at", ">", now(-GONE_AFTER_SECONDS))
    .orderBy("started_at")
    .orderBy("id")
    .execute();
}

import { now } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";

/** So long a lease holds that is not renewed: then somebody else does the work of an instance that was killed. */
const LEASE_SECONDS = 12;
/** How often the holder renews it, which leaves time for one renewal that fails. */
export const RENEW_EVERY_SECONDS = 4;

/** Work that one instance at a time may do. */
interface Lease {
  name: string;
  /** The instance that asks. */
  holder: string;
}

/**
 * Takes a lease, or renews it.
 *
 * @param everySeconds how long the work rests after it was done; absent, it begins at once
 * @returns whether the instance holds it now
 */
export async function takeLease(db: Database, { name, holder }: Lease, everySeconds = 0): Promise<boolean> {
  const taken = await db
    .insertInto("leases")
    .values({ name, holder, expires_at: now(LEASE_SECONDS), ended_at: null })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ holder, expires_at: now(LEASE_SECONDS) })
        .where(({ or, and, eb }) =>
          or([
            and([eb("leases.holder", "=", holder), eb("leases.expires_at", ">", now())]),
            and([
              eb("leases.expires_at", "<=", now()),
              or([eb("leases.ended_at", "is", null), eb("leases.ended_at", "<=", now(-everySeconds))]),
            ]),
          ]),
        ),
    )
    .returning("name")
    .execute();
  return taken.length > 0;
}

/** Gives a lease back, when the work was done or left to others. */
export async function endLease(
  db: Database,
  { name, holder }: Lease,
  { done }: { done: boolean },
): Promise<void> {
  await db
    .updateTable("leases")
    .set({ holder: "", expires_at: now(), ...(done ? { ended_at: now() } : {}) })
    .where("name", "=", name)
    .where("holder", "=", holder)
    .execute();
}

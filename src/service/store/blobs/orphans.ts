import { Busy } from "../../kernel/errors.ts";
import { listed } from "../dialect.ts";
import type { Store } from "../store.ts";
import type { Database } from "../tables.ts";
import type { Place } from "./place.ts";

// Removal of unreferenced files while any instance may store one of them again: (1) a sweep marks the file; (2) an
// upload first removes the file's mark; (3) a sweep at least a day later takes a file still marked, removes it, then
// removes the mark. Meanwhile, a submission of the file gets an error that asks for a retry. The mark is one row, so 2
// and 3 cannot both succeed. A mark made after 2 is too young for 3 until the submission has ended. A copy of the
// database does not see which marks the original removes, so a marked file is written again when it is stored, and step
// 3 spares files written after their mark.

/** Much longer than any submission takes. */
const MARKED_FOR_SECONDS = 24 * 60 * 60;
/** Longer than any submission takes, plus any difference between clocks. */
const SUBMISSION_SECONDS = 60 * 60;
/** A removal that takes longer was interrupted, because no removal takes nearly as long. */
const REMOVAL_BROKEN_OFF_SECONDS = 5 * 60;
const RETRY_AFTER_SECONDS = 5;
const ROWS_PER_STATEMENT = 1_000;

/** Removes the marks of files about to be stored (step 2), and returns the files that were marked. */
type Unmark = (sha256s: readonly string[], now: number) => Promise<ReadonlySet<string>>;

/** If there are no marks, the database is not queried for an hour: newer marks are too young to matter. */
export function unmarking(store: Store): Unmark {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return async (sha256s, now) => {
    if (now < quietUntil) return new Set();
    if (!(await isAnyMarked(store.read))) {
      quietUntil = now + SUBMISSION_SECONDS;
      return new Set();
    }
    return unmark(store, sha256s, now);
  };
}

async function isAnyMarked(db: Database): Promise<boolean> {
  const found = await db.selectFrom("orphaned_attachments").select("sha256").limit(1).executeTakeFirst();
  return found !== undefined;
}

/** @throws Busy when one of the files is being removed */
async function unmark(store: Store, sha256s: readonly string[], now: number): Promise<ReadonlySet<string>> {
  const found = await marked(store.read, sha256s);
  if (found.length === 0) return new Set();
  const removing = await store.write(async (db) => {
    await db
      .deleteFrom("orphaned_attachments")
      .where("sha256", "in", listed(sha256s))
      .where(({ or, eb }) =>
        or([eb("removing_since", "is", null), eb("removing_since", "<", brokenOff(now))]),
      )
      .execute();
    return marked(db, sha256s);
  });
  if (removing.length === 0) return new Set(found);
  throw new Busy(
    "attachment.unavailable",
    "An unreferenced attachment is just being removed: try again",
    RETRY_AFTER_SECONDS,
  );
}

const marked = (db: Database, sha256s: readonly string[]) => among(db, "orphaned_attachments", sha256s);
const named = (db: Database, sha256s: readonly string[]) => among(db, "attachments", sha256s);

async function among(
  db: Database,
  table: "attachments" | "orphaned_attachments",
  sha256s: readonly string[],
): Promise<string[]> {
  const rows = await db.selectFrom(table).select("sha256").where("sha256", "in", listed(sha256s)).execute();
  return rows.map(({ sha256 }) => sha256);
}

export async function markOrphans(store: Store, sha256s: readonly string[], now: number): Promise<void> {
  const known = new Set([...(await named(store.read, sha256s)), ...(await marked(store.read, sha256s))]);
  const orphans = sha256s.filter((sha256) => !known.has(sha256));
  for (let start = 0; start < orphans.length; start += ROWS_PER_STATEMENT) {
    const rows = orphans
      .slice(start, start + ROWS_PER_STATEMENT)
      .map((sha256) => ({ sha256, marked_at: now, removing_since: null }));
    await store.write((db) =>
      db
        .insertInto("orphaned_attachments")
        .values(rows)
        .onConflict((conflict) => conflict.column("sha256").doNothing())
        .execute(),
    );
  }
}

export async function longMarked(
  db: Database,
  { after, limit, now }: { after: string; limit: number; now: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("orphaned_attachments")
    .select("sha256")
    .where("marked_at", "<=", now - MARKED_FOR_SECONDS)
    .where("sha256", ">", after)
    .orderBy("sha256")
    .limit(limit)
    .execute();
  return rows.map(({ sha256 }) => sha256);
}

interface Removal {
  readonly sha256: string;
  readonly now: number;
  readonly place: Pick<Place, "remove" | "writtenAt">;
}

/** Spares a file that a record names, that was written after its mark, or that another sweep removes. */
export async function removeOrphan(store: Store, { sha256, now, place }: Removal): Promise<void> {
  const writtenAt = await place.writtenAt(sha256);
  if (!(await store.write((db) => takeForRemoval(db, { sha256, now, writtenAt })))) return;
  await place.remove(sha256);
  await store.write((db) => takeMarkAway(db, sha256));
}

async function takeForRemoval(
  db: Database,
  { sha256, now, writtenAt = 0 }: { sha256: string; now: number; writtenAt: number | undefined },
): Promise<boolean> {
  const isNew = (await markedAt(db, sha256)) < writtenAt + SUBMISSION_SECONDS;
  if (isNew || (await named(db, [sha256])).length > 0) {
    await takeMarkAway(db, sha256);
    return false;
  }
  const { numUpdatedRows } = await db
    .updateTable("orphaned_attachments")
    .set({ removing_since: now })
    .where("sha256", "=", sha256)
    .where("marked_at", "<=", now - MARKED_FOR_SECONDS)
    .where(({ or, eb }) => or([eb("removing_since", "is", null), eb("removing_since", "<", brokenOff(now))]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function markedAt(db: Database, sha256: string): Promise<number> {
  const row = await db
    .selectFrom("orphaned_attachments")
    .select("marked_at")
    .where("sha256", "=", sha256)
    .executeTakeFirst();
  return row?.marked_at ?? Number.POSITIVE_INFINITY;
}

async function takeMarkAway(db: Database, sha256: string): Promise<void> {
  await db.deleteFrom("orphaned_attachments").where("sha256", "=", sha256).execute();
}

function brokenOff(now: number): number {
  return now - REMOVAL_BROKEN_OFF_SECONDS;
}

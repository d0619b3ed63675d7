import { newId } from "../ids.ts";
import type { Store } from "../store.ts";
import type { Database } from "../tables.ts";
import { type Place, SWEEP } from "./place.ts";

// A copy of a database has the identity of its original, so both may sweep one place and would remove each other's
// files. Each sweep moves both to a new generation: the database notes the next one, the place moves if it is still at
// the current one, then the database moves. A sweep that finds another generation writes `contested` into the place,
// and sweeps stop until an operator chooses a database.

interface Parts {
  readonly store: Store;
  readonly place: Place;
}

interface Generations {
  readonly current: string | null;
  readonly next: string | null;
}

/** Another sweep of the same database has advanced meanwhile. */
export class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/** @throws Overtaken, or Error when another database also sweeps the place */
export async function moveGeneration({ store, place }: Parts): Promise<string> {
  const planned = await store.write(plan);
  const { current, next } = planned;
  const found = await place.sweeps.read();
  if (found?.contested) throw contestedAt(place);
  if (found?.generation !== next) {
    const isOwn = (found?.generation ?? null) === current;
    if (!isOwn || !(await place.sweeps.move(found, { generation: next }))) {
      await requireGeneration({ store, place }, next, planned);
    }
  }
  await store.write((db) => confirm(db, next));
  return next;
}

/** @throws Overtaken, or Error when another database also sweeps the place */
export async function requireGeneration(
  { store, place }: Parts,
  generation: string,
  expected: Generations = { current: generation, next: null },
): Promise<void> {
  const found = await place.sweeps.read();
  if (found?.contested) throw contestedAt(place);
  if (found?.generation === generation) return;
  const { current, next } = await generations(store.read);
  if (current !== expected.current || next !== expected.next) {
    throw new Overtaken("Another sweep of these records is running");
  }
  await place.sweeps.replace({ generation: found?.generation ?? "", contested: true });
  throw contestedAt(place);
}

/** Makes a database the one that sweeps the place. No file that was marked before is removed. */
export async function adoptPlace({ store, place }: Parts): Promise<void> {
  const next = newId();
  await store.write(async (db) => {
    await db.updateTable("database_identity").set({ next_sweep_generation: next }).execute();
    await db.deleteFrom("orphaned_attachments").execute();
  });
  await place.sweeps.replace({ generation: next });
  await store.write((db) => confirm(db, next));
}

async function plan(db: Database): Promise<Generations & { readonly next: string }> {
  const { current, next } = await generations(db);
  if (next !== null) return { current, next };
  const planned = newId();
  await db.updateTable("database_identity").set({ next_sweep_generation: planned }).execute();
  return { current, next: planned };
}

async function confirm(db: Database, next: string): Promise<void> {
  await db
    .updateTable("database_identity")
    .set({ sweep_generation: next, next_sweep_generation: null })
    .where("next_sweep_generation", "=", next)
    .execute();
}

async function generations(db: Database): Promise<Generations> {
  const row = await db
    .selectFrom("database_identity")
    .select(["sweep_generation as current", "next_sweep_generation as next"])
    .executeTakeFirst();
  return row ?? { current: null, next: null };
}

function contestedAt({ name }: Place): Error {
  return new Error(
    `According to ${SWEEP.name}, this database and a copy of it both use ${name}. No file is removed until you stop ` +
      "the service on one of the two and run delivery-evidence adopt for the other",
  );
}

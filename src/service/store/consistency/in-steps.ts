import { letOthersIn } from "../../kernel/slices.ts";
import { dialectOf } from "../dialect.ts";
import type { Store } from "../store.ts";
import type { Database } from "../tables.ts";

export type Moments = Pick<Store, "readTogether">;

/** Runs queries on one snapshot, however long they take. */
export function atOneMoment<T>({ readTogether }: Moments, queries: (db: Database) => Promise<T>): Promise<T> {
  return readTogether(async (db) => {
    await dialectOf(db).noTimeout?.execute(db);
    return queries(db);
  });
}

export interface Step<Found, At> {
  readonly found: readonly Found[];
  /** The number of rows that were compared. */
  readonly compared: number;
  /** The position of the next step; undefined after the last one. */
  readonly next: At | undefined;
}

/**
 * Compares records in steps, each on its own snapshot. So writers cause no differences, and a database server can clean
 * up old rows between the steps.
 */
export async function* inSteps<Found, At>(
  records: Moments,
  { start, onCompared = () => {} }: { start: At; onCompared?: (rows: number) => void },
  step: (db: Database, at: At) => Promise<Step<Found, At>>,
): AsyncGenerator<Found> {
  for (let at: At | undefined = start; at !== undefined; ) {
    const from: At = at;
    const { found, compared, next } = await atOneMoment(records, (db) => step(db, from));
    yield* found;
    onCompared(compared);
    at = next;
    await letOthersIn();
  }
}

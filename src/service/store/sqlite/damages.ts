import { type Kysely, sql } from "kysely";

/** What SQLite finds damaged in its file, in its own words. */
export async function damages<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const check = sql<{ found: string }>`
    select integrity_check as found from pragma_integrity_check where integrity_check <> 'ok'`;
  try {
    const { rows } = await check.execute(db);
    // A headline stands above the damages of a file.
    return rows.flatMap(({ found }) => found.split("\n")).filter((line) => !line.startsWith("***"));
  } catch (error) {
    // What is damaged may be needed to look at the rest.
    if (isCorruption(error)) return [error.message];
    throw error;
  }
}

const SQLITE_CORRUPT = 11;

function isCorruption(error: unknown): error is Error {
  return (
    error instanceof Error &&
    "errcode" in error &&
    typeof error.errcode === "number" &&
    // Its higher bytes tell more.
    (error.errcode & 0xff) === SQLITE_CORRUPT
  );
}

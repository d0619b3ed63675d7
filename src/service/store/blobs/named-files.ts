import { sql } from "kysely";
import type { Database } from "../tables.ts";

const FILES_AT_ONCE = 1_000;

export async function* namedFiles(db: Database): AsyncGenerator<string[]> {
  let last = "";
  for (;;) {
    const rows = await db
      .selectFrom("attachments")
      .select("sha256")
      .distinct()
      .where("sha256", ">", last)
      .orderBy("sha256")
      .limit(FILES_AT_ONCE)
      .execute();
    if (rows.length > 0) yield rows.map(({ sha256 }) => sha256);
    last = rows.at(-1)?.sha256 ?? last;
    if (rows.length < FILES_AT_ONCE) return;
  }
}

export async function numberOfNamedFiles(db: Database): Promise<number> {
  const { files } = await db
    .selectFrom("attachments")
    .select(sql<number>`count(distinct sha256)`.as("files"))
    .executeTakeFirstOrThrow();
  return Number(files);
}

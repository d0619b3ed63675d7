import { databaseFile } from "../../src/service/store/sqlite/open-store.ts";
import { openSqlite } from "../../src/service/store/sqlite/sqlite.ts";
import type { Database } from "../../src/service/store/tables.ts";

/** The plan of SQLite for some queries on the records of a data folder: `SEARCH flows USING INDEX …`. */
export async function planOf(dataFolder: string, ask: (db: Database) => Promise<unknown>): Promise<string[]> {
  const { database, queries } = openSqlite(databaseFile(dataFolder), { readOnly: true, lockTimeout: 0 });
  const prepare = database.prepare.bind(database);
  const asked: string[] = [];
  database.prepare = (sql, ...options) => {
    asked.push(sql);
    return prepare(sql, ...options);
  };
  try {
    await ask(queries);
    return asked.flatMap((sql) =>
      prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail))
        // A list passed to a query is not a table.
        .filter((step) => !step.startsWith("SCAN json_each")),
    );
  } finally {
    database.close();
  }
}

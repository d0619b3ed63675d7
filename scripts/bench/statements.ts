import { DatabaseSync } from "node:sqlite";

/** Every SQL text that is prepared while it listens, in this process. */
export function recordStatements(): { readonly texts: Set<string>; stop: () => void } {
  const texts = new Set<string>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string) {
    texts.add(sql);
    return prepare.call(this, sql);
  };
  return {
    texts,
    stop() {
      DatabaseSync.prototype.prepare = prepare;
    },
  };
}

/** Tables that stay small whatever an organization does. */
const SMALL = /^(organizations|service_accounts|api_keys|kysely_\w+|sqlite_master)$/;

/**
 * The plans that read a whole table which grows, as `SQL → step`. A scan of an index, or of a table that is limited
 * by the query around it, is none.
 */
export function tableScans(file: string, texts: Iterable<string>): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const scans: string[] = [];
  for (const sql of texts) {
    if (!/^\s*(select|with)\b/i.test(sql)) continue;
    for (const row of database.prepare(`explain query plan ${sql}`).all()) {
      const step = String(row["detail"]);
      const table = /^SCAN (\S+)$/.exec(step)?.[1];
      if (table && !SMALL.test(tableOf(sql, table))) scans.push(`${sql} → ${step}`);
    }
  }
  database.close();
  return scans;
}

/** The table behind a name in a plan, which may be an alias; for a subquery, whose own steps are judged, none. */
function tableOf(sql: string, name: string): string {
  if (sql.includes(`) as "${name}"`)) return "sqlite_master";
  return new RegExp(`"(\\w+)" as "${name}"`).exec(sql)?.[1] ?? name;
}

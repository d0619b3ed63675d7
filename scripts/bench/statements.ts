import { DatabaseSync } from "node:sqlite";
import { openSqlite } from "../../src/service/store/sqlite/sqlite.ts";

/** SQL statements of this process while it is recorded. */
export interface Recording {
  /** All prepared SQL texts. */
  readonly texts: ReadonlySet<string>;
  /** SQL text of each run of a requested statement, in order. */
  readonly runs: readonly string[];
  stop(): void;
}

/** Whether a statement polls for due deliveries, as a service does every second. */
export function isPoll(sql: string): boolean {
  return sql.startsWith('with recursive "place"("target_id")');
}

export function recordStatements(): Recording {
  const texts = new Set<string>();
  const runs: string[] = [];
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string) {
    texts.add(sql);
    const statement = prepare.call(this, sql);
    const { all, run, iterate } = statement;
    return Object.assign(statement, {
      all: counted(sql, all),
      run: counted(sql, run),
      iterate: counted(sql, iterate),
    });
  };
  function counted<Args extends unknown[], Result>(sql: string, method: (...args: Args) => Result) {
    return function (this: unknown, ...args: Args): Result {
      if (!isPoll(sql)) runs.push(sql);
      return method.apply(this, args);
    };
  }
  return {
    texts,
    runs,
    stop() {
      DatabaseSync.prototype.prepare = prepare;
    },
  };
}

/**
 * Tables that stay small regardless of use. A version of the service adds a row to some of them. The targets of all
 * organizations are read once, when the service starts, to check their secrets.
 */
const SMALL =
  /^(organizations|service_accounts|api_keys|database_identity|notification_targets|schema_migrations|sqlite_master)$/;
/** Tables whose rows people create individually, so that an organization has few. It has one row in `logs`. */
const FEW =
  /^(actions|custom_attestation_types|environments|flows|log_keys|logs|notification_targets|policies|repos|service_accounts)$/;

/** A step that reads all rows of an organization or a flow in a growing table. */
const WHOLE = /^SEARCH (\S+) USING (?:COVERING )?INDEX \S+ \((?:org_id|flow_id)=\?\)$/;

/** Whether a query stops early, or counts all rows, which needs only an index. */
function isBounded(sql: string): boolean {
  return /\blimit\b|\b(?:max|min|count)\(/i.test(sql);
}

/**
 * Plans that read a whole growing table, or all rows of an organization or a flow in one, as `SQL →
 * step`. A scan of an index, or of a table limited by the surrounding query, does not count.
 */
export function tableScans(file: string, texts: Iterable<string>): string[] {
  // Knows our own functions.
  const { database } = openSqlite(file, { readOnly: true, lockTimeout: 1000 });
  const scans: string[] = [];
  for (const sql of texts) {
    if (!/^\s*(select|with)\b/i.test(sql)) continue;
    for (const row of database.prepare(`explain query plan ${sql}`).all()) {
      const step = String(row["detail"]);
      const scanned = /^SCAN (\S+)$/.exec(step)?.[1];
      const walked = isBounded(sql) ? undefined : WHOLE.exec(step)?.[1];
      const grows =
        (scanned && !SMALL.test(tableOf(sql, scanned))) || (walked && !FEW.test(tableOf(sql, walked)));
      if (grows) scans.push(`${sql} → ${step}`);
    }
  }
  database.close();
  return scans;
}

/** The table of a name in a plan, which may be an alias. None for a subquery, whose own steps are checked. */
function tableOf(sql: string, name: string): string {
  const isSubquery =
    name.startsWith("(subquery") ||
    sql.includes(`) as "${name}"`) ||
    new RegExp(`\\b"?${name}"? ?\\(.*\\) as \\(|\\b${name} as \\(`).test(sql);
  if (isSubquery) return "sqlite_master";
  return new RegExp(`"(\\w+)" as "${name}"`).exec(sql)?.[1] ?? name;
}

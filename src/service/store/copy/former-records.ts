import { type RawBuilder, sql } from "kysely";
import { FORMER_MIGRATIONS } from "../schema-version.ts";
import type { Database } from "../tables.ts";
import { COPIED_TABLES, type CopiedTable, NOT_COPIED, numberOfRows, type Row } from "./copied-tables.ts";

/** The last migration before the baseline. The baseline has the tables that it left. */
const LAST_FORMER_MIGRATION = "0041-audit-chain";

/** Tables that a copy creates for itself: the list of migrations, the write lock, its identity and the like. */
const LEFT: readonly string[] = [
  // Recorded again, as events.
  "trail_events",
  FORMER_MIGRATIONS,
  "kysely_migration_lock",
  "breaking_steps",
  "sqlite_sequence",
  ...NOT_COPIED,
];

/** Rows of tables that the baseline has changed, in its form. */
const CURRENT_FORM: Readonly<Record<string, RawBuilder<Row>>> = {
  api_keys: sql<Row>`select *, null as last_four from api_keys`,
  answered_requests: sql<Row>`select *, floor(answered_at / 600) as answered_window, row_number() over
    (order by answered_at, api_key_id, request_hash, subject) as sequence from answered_requests`,
  controls: sql<Row>`select *, null as decision_policy from controls`,
  control_versions: sql<Row>`select *, null as decision_policy from control_versions`,
  control_decisions: sql<Row>`select *, null as decision_policy, null as decision_policy_version
    from control_decisions`,
  running_intervals: sql<Row>`select *, cast(fingerprint <> '' and not exists (
      select 1 from running_intervals as other where other.environment_id = started.environment_id
        and other.fingerprint = started.fingerprint and other.id <> started.id
        and ((other.since < started.since and (other.until is null or other.until >= started.since))
          or (other.since = started.since and other.name < started.name))
    ) and instances_before = 0 as integer) as is_deployment from running_intervals as started`,
  artifacts: sql<Row>`select *, case when exists (select 1 from artifacts as earlier
    where earlier.org_id = report.org_id and earlier.fingerprint = report.fingerprint
      and earlier.sequence < report.sequence) then 0 else 1 end as is_build from artifacts as report`,
  service_accounts: sql<Row>`select *, null as person_id from service_accounts`,
  trust_policies: sql<Row>`select *, null as service_account, null as service_account_uid, null as jwks,
    null as project, null as project_ids from trust_policies`,
  used_tokens: sql<Row>`select *, null as repeat_hash from used_tokens`,
  trails: sql<Row>`select *, floor(last_modified_at / 60) as modified_minute from trails`,
};

/** Tables to copy from before the baseline. @throws Error when rows have no table in this version */
export async function carriedTables(db: Database, place: string): Promise<readonly CopiedTable[]> {
  const names = (await db.introspection.getTables()).map(({ name }) => name);
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(FORMER_MIGRATIONS)} order by name`.execute(db);
  if (rows.at(-1)?.name !== LAST_FORMER_MIGRATION) {
    throw new Error(
      `The records in ${place} were written by a version that this one cannot read: first start commit ` +
        "9d0b8513 of the service on these records, which upgrades them",
    );
  }
  const carried = COPIED_TABLES.filter(({ name }) => names.includes(name)).map((table): CopiedTable => {
    const query = CURRENT_FORM[table.name];
    return query === undefined ? table : { ...table, query };
  });
  for (const name of names) {
    if (LEFT.includes(name) || carried.some((table) => table.name === name)) continue;
    const count = await numberOfRows(db, { name });
    if (count > 0) throw new Error(`The ${count} rows of ${name} in ${place} have no table in this version`);
  }
  return carried;
}

export interface FormerTrailEvent {
  readonly sequence: number;
  readonly org_id: string;
  readonly flow_id: string;
  readonly trail_id: string;
  readonly trail: string;
  readonly type: string;
  readonly git_commit_info: string | null;
  readonly repo_id: string | null;
  readonly details: string;
  readonly created_at: number;
}

export async function formerTrailEvents(
  db: Database,
  { after, limit }: { after: number; limit: number },
): Promise<readonly FormerTrailEvent[]> {
  const { rows } = await sql<FormerTrailEvent>`
    select event.sequence, trail.org_id, trail.flow_id, event.trail_id, trail.name as trail, event.type,
      event.git_commit_info, event.repo_id, event.details, event.created_at
    from trail_events as event join trails as trail on trail.id = event.trail_id
    where event.sequence > ${after} order by event.sequence limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

import type { Selectable } from "kysely";
import type { Position } from "../../kernel/cursor.ts";
import type { FilterOf } from "../../kernel/paging.ts";
import type { Database, Tables } from "../../store/tables.ts";

export type EntryRow = Selectable<Tables["audit_log"]>;

export interface EntryFilter extends FilterOf<"audit log"> {
  account?: string | undefined;
  keyId?: string | undefined;
  act?: string | undefined;
  resourceType?: string | undefined;
  resourceName?: string | undefined;
  resourceId?: string | undefined;
  /** Unix seconds, inclusive. */
  from?: number | undefined;
  /** Unix seconds, exclusive. */
  to?: number | undefined;
  after?: Position | undefined;
}

export async function newestEntries(
  db: Database,
  orgId: string,
  { from, to, after, ...filter }: EntryFilter,
  limit: number,
): Promise<EntryRow[]> {
  const equal = {
    account: filter.account,
    api_key_id: filter.keyId,
    act: filter.act,
    resource_type: filter.resourceType,
    resource_name: filter.resourceName,
    resource_id: filter.resourceId,
  };
  let entries = db.selectFrom("audit_log").selectAll().where("org_id", "=", orgId);
  for (const column of COLUMNS) {
    const value = equal[column];
    if (value !== undefined) entries = entries.where(column, "=", value);
  }
  if (from !== undefined) entries = entries.where("created_at", ">=", from);
  if (to !== undefined) entries = entries.where("created_at", "<", to);
  if (after) {
    const { createdAt, sequence } = after;
    entries = entries.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("created_at", "sequence"), "<", tuple(createdAt, sequence)),
    );
  }
  return entries.orderBy("created_at", "desc").orderBy("sequence", "desc").limit(limit).execute();
}

const COLUMNS = ["account", "api_key_id", "act", "resource_type", "resource_name", "resource_id"] as const;

import type { ControlRow } from "../evidence/controls/records.ts";
import { hasTag } from "../evidence/tag-records.ts";
import type { Slice } from "../kernel/paging.ts";
import { countRows, ROW_COUNT } from "../store/count-rows.ts";
import { holdsText } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";

export interface ControlFilter {
  /** Part of the identifier or the name. */
  search?: string | undefined;
  /** Each `key:value`, or `key` for any value. */
  tag?: readonly string[] | undefined;
  archived: boolean;
}

/** A page of the controls of an organization by identifier, and how many there are in all. */
export async function listControls(
  db: Database,
  orgId: string,
  { search, tag = [], archived }: ControlFilter,
  { limit, offset, sortDirection }: Slice & { sortDirection: "asc" | "desc" },
): Promise<{ total: number; controls: ControlRow[] }> {
  let matching = db
    .selectFrom("controls")
    .where("org_id", "=", orgId)
    .where("archived_at", archived ? "is not" : "is", null);
  if (search !== undefined && search !== "") {
    matching = matching.where(({ or }) => or([holdsText("identifier", search), holdsText("name", search)]));
  }
  for (const each of tag) matching = matching.where(hasTag("control", each));
  const total = await countRows(matching.select(ROW_COUNT));
  const controls = await matching
    .selectAll()
    .orderBy("identifier", sortDirection)
    .limit(limit)
    .offset(offset)
    .execute();
  return { total, controls };
}

import { offsetOf, type Page } from "../kernel/pagination.ts";
import type { Database } from "../store/tables.ts";
import { holdsText } from "../store/text-search.ts";
import { hasTag } from "../tags/records.ts";
import type { ControlRow } from "./records.ts";

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
  { sortDirection, ...page }: Page & { sortDirection: "asc" | "desc" },
): Promise<{ total: number; controls: ControlRow[] }> {
  let matching = db
    .selectFrom("controls")
    .where("org_id", "=", orgId)
    .where("archived_at", archived ? "is not" : "is", null);
  if (search !== undefined && search !== "") {
    matching = matching.where(({ or }) => or([holdsText("identifier", search), holdsText("name", search)]));
  }
  for (const each of tag) matching = matching.where(hasTag("control", each));
  const { total } = await matching
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const controls = await matching
    .selectAll()
    .orderBy("identifier", sortDirection)
    .limit(page.perPage)
    .offset(offsetOf(page))
    .execute();
  return { total: Number(total), controls };
}

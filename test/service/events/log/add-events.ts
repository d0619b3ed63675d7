import { eventRow } from "../../../../src/service/events/digest.ts";
import { insertRows } from "../../../../src/service/store/dialect.ts";
import type { Store } from "../../../../src/service/store/store.ts";

const AT_ONCE = 1_000;

/** Adds events of an organization. @returns their IDs, the last one first */
export async function addEvents(
  store: Store,
  { orgId, count }: { readonly orgId: string; readonly count: number },
): Promise<string[]> {
  const subject = { subject_id: null, subject_name: "web", trail_id: null };
  const event = { org_id: orgId, type: "flow.archived", at: 1, by: "ada", by_id: null, ...subject };
  const rows = Array.from({ length: count }, () => eventRow(event, {}));
  for (let start = 0; start < count; start += AT_ONCE)
    await store.write((db) => insertRows(db, "events", rows.slice(start, start + AT_ONCE)));
  return rows.map(({ id }) => id).reverse();
}

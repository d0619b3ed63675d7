import { newId } from "../store/ids.ts";
import type { Database } from "../store/tables.ts";
import type { Occasion } from "./occasion.ts";

export interface FlowActionFields {
  name: string;
  /** JSON. */
  targets: string;
  flows: readonly string[];
  triggers: readonly string[];
}

/** Creates a flow action, or replaces the one of that name. Returns whether it was created. */
export async function putFlowAction(
  db: Database,
  { name, targets, flows, triggers }: FlowActionFields,
  { orgId, accountName, now }: Occasion,
): Promise<{ created: boolean }> {
  const fields = {
    targets,
    flows: JSON.stringify(flows),
    triggers: JSON.stringify(triggers),
    last_modified_at: now,
  };
  const { numUpdatedRows } = await db
    .updateTable("actions")
    .set(fields)
    .where("org_id", "=", orgId)
    .where("type", "=", "flow")
    .where("name", "=", name)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return { created: false };
  const { last } = await db
    .selectFrom("actions")
    .select(({ fn }) => fn.max("number").as("last"))
    .where("org_id", "=", orgId)
    .executeTakeFirstOrThrow();
  await db
    .insertInto("actions")
    .values({
      ...fields,
      id: newId(),
      org_id: orgId,
      number: (last ?? 0) + 1,
      type: "flow",
      name,
      created_by: accountName,
      created_at: now,
    })
    .execute();
  return { created: true };
}

import { type ActionType, listActions } from "../delivery/rules/records.ts";
import { invalidInput } from "../kernel/errors.ts";
import type { Organization } from "../kernel/organization.ts";
import type { ActContext } from "../kernel/request-context.ts";
import { listed } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";
import { recordActionChange } from "./audited.ts";

interface Renaming {
  readonly type: Exclude<ActionType, "org">;
  readonly from: string;
  readonly to: string;
}

/** Lets the actions that name a flow or an environment go on with it under the name that it has now. */
export async function renameInActions(
  db: Database,
  context: ActContext,
  { type, from, to }: Renaming,
): Promise<void> {
  if (from === to) return;
  const column = type === "flow" ? "flows" : "environments";
  for (const before of await listActions(db, { orgId: context.orgId, type })) {
    const names: string[] = JSON.parse(before[column]);
    if (!names.includes(from)) continue;
    const changed = JSON.stringify(distinct(names.map((name) => (name === from ? to : name))));
    const after = await db
      .updateTable("actions")
      .set({ [column]: changed, last_modified_at: context.now })
      .where("id", "=", before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordActionChange(db, context, { before, after });
  }
}

/**
 * The current names of flows, for current or former ones.
 *
 * @throws Invalid when a flow does not exist
 */
export async function presentNames(
  db: Database,
  org: Organization,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return names;
  const renamed = await db
    .selectFrom("former_flow_names as former")
    .innerJoin("flows", "flows.id", "former.flow_id")
    .select(["former.name as former", "flows.name"])
    .where("former.org_id", "=", org.id)
    .where("former.name", "in", listed(names))
    .execute();
  const current = await db
    .selectFrom("flows")
    .select("name")
    .where("org_id", "=", org.id)
    .where("name", "in", listed(names))
    .execute();
  const present = new Map(renamed.map(({ former, name }) => [former, name]));
  for (const { name } of current) present.set(name, name);
  const unknown = names.flatMap((name, index) =>
    present.has(name)
      ? []
      : [
          [
            `flows[${index}]`,
            `Flow named '${name}' does not exist for organization '${org.name}' [input: ${name}]`,
          ],
        ],
  );
  if (unknown.length > 0) throw invalidInput(Object.fromEntries(unknown));
  return distinct(names.map((name) => present.get(name) ?? name));
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}

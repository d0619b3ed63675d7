import { namesIn, type Scope } from "../kernel/scope.ts";
import { listed } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";

/** The flows that somebody may touch, by the names that they have now. Undefined for all: then nothing is asked. */
export async function flowIdsInScope(
  db: Database,
  orgId: string,
  scope: Scope,
): Promise<readonly string[] | undefined> {
  const names = namesIn(scope, "flows");
  if (names === undefined) return undefined;
  const flows = await db
    .selectFrom("flows")
    .select("id")
    .where("org_id", "=", orgId)
    .where("name", "in", listed(names))
    .execute();
  return flows.map(({ id }) => id);
}

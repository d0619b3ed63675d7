import type { OperationShape } from "../../api/operation.ts";
import { requireRight } from "../kernel/access.ts";
import { Forbidden } from "../kernel/errors.ts";
import { flowsAsked, type Named } from "../kernel/scope.ts";
import { listed } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";
import type { Sender } from "./handler.ts";

/**
 * Refuses what somebody may not do with all that a request names. A name that a flow had before it was renamed leads
 * to that flow, but not out of a scope: there the flow has to be named as it is called now.
 *
 * @throws Forbidden
 */
export async function requireRightTo(
  db: Database,
  { caller, org }: Pick<Sender, "caller" | "org">,
  operation: OperationShape,
  named: Named,
): Promise<void> {
  requireRight(caller, operation, named);
  const flows = flowsAsked(operation, named);
  if (caller.scope === null || flows.length === 0) return;
  const outside = await db
    .selectFrom("former_flow_names as former")
    .innerJoin("flows", "flows.id", "former.flow_id")
    .select("flows.id")
    .where("former.org_id", "=", org.id)
    .where("former.name", "in", listed(flows))
    .where("flows.name", "not in", listed(caller.scope.flows))
    .executeTakeFirst();
  if (outside) throw new Forbidden();
}

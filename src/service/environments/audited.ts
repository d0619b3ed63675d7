import type { Act } from "../../api/resources/audit-log.ts";
import { recordChange } from "../audit-log/record-act.ts";
import { NOTHING } from "../events/changes.ts";
import type { ActContext } from "../kernel/request-context.ts";
import { policyNamesOf } from "../runtime/environments/attached-policies.ts";
import { findEnvironment, memberNamesOf, nameWhenReplaced } from "../runtime/environments/records.ts";
import type { Database } from "../store/tables.ts";

/** What is said of an environment, its policies and members among it. */
type AuditedState = NonNullable<Awaited<ReturnType<typeof findState>>>["state"];

/**
 * Changes an environment, or makes one, and adds to the audit log what that changed. Nothing that was changed leaves
 * no entry.
 *
 * @param newName the name that it has afterwards, where that is another
 */
export async function changeAudited(
  db: Database,
  context: ActContext,
  { name, newName = name }: { name: string; newName?: string },
  change: () => Promise<void>,
): Promise<void> {
  const found = await findState(db, context.orgId, name);
  await change();
  const after = await findState(db, context.orgId, newName);
  const isReplaced = found !== undefined && after !== undefined && found.id !== after.id;
  if (isReplaced) {
    await recordChange(db, context, {
      act: "environment.renamed",
      resource: { name, id: found.id },
      before: { name },
      after: { name: nameWhenReplaced({ name, id: found.id }) },
    });
  }
  const before = isReplaced ? undefined : found;
  if (!after) throw new Error(`Environment '${newName}' is not there after it was changed`);
  await recordChange(db, context, {
    act: actOf(before?.state, after.state),
    resource: { name, id: after.id },
    before: before?.state ?? NOTHING,
    after: after.state,
  });
}

/** What weighs most of what was done at once. */
function actOf(before: AuditedState | undefined, after: AuditedState): Act {
  if (!before) return "environment.created";
  if (before.archived !== after.archived) {
    return after.archived ? "environment.archived" : "environment.unarchived";
  }
  if (before.name !== after.name) return "environment.renamed";
  const samePolicies = before.policies.join() === after.policies.join();
  return samePolicies ? "environment.changed" : "environment.policies_changed";
}

async function findState(db: Database, orgId: string, environmentName: string) {
  const environment = await findEnvironment(db, orgId, environmentName);
  if (!environment) return undefined;
  const { id, name, type, description, require_provenance, archived_at } = environment;
  const state = {
    name,
    type,
    description,
    require_provenance: require_provenance === 1,
    policies: (await policyNamesOf(db, [id])).get(id) ?? [],
    ...(type === "logical" ? { included_environments: await memberNamesOf(db, id) } : {}),
    archived: archived_at !== null,
  };
  return { id, state };
}

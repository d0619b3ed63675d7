import type { Organization } from "../../kernel/caller.ts";
import { Invalid } from "../../kernel/errors.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import { listed } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { requirePolicies } from "../policies/versions.ts";

type Environment = Pick<Tables["environments"], "id" | "type">;

/** @throws Invalid or NotFound */
export async function attachPolicies(
  db: Database,
  org: Organization,
  environment: Environment,
  names: readonly string[],
): Promise<void> {
  const policies = await requirePolicies(db, org, names);
  if (policies.length === 0) return;
  // A logical environment has the policies of its members.
  if (environment.type === "logical") {
    throw new Invalid("environment.type_mismatch", "Policies can only be attached to physical environments");
  }
  await db
    .insertInto("environment_policies")
    .values(policies.map(({ id }) => ({ environment_id: environment.id, policy_id: id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Ignores policies that are not attached. @throws NotFound */
export async function detachPolicies(
  db: Database,
  org: Organization,
  environment: Environment,
  names: readonly string[],
): Promise<void> {
  const policies = await requirePolicies(db, org, names);
  if (policies.length === 0) return;
  await db
    .deleteFrom("environment_policies")
    .where("environment_id", "=", environment.id)
    .where("policy_id", "in", listed(idsOf(policies)))
    .execute();
}

/** @throws Invalid or NotFound */
export async function replacePolicies(
  db: Database,
  org: Organization,
  environment: Environment,
  names: readonly string[],
): Promise<void> {
  await db.deleteFrom("environment_policies").where("environment_id", "=", environment.id).execute();
  await attachPolicies(db, org, environment, names);
}

/** Sorted names, by environment. */
export async function policyNamesOf(db: Database, environmentIds: readonly string[]) {
  if (environmentIds.length === 0) return new Map<string, string[]>();
  const rows = await db
    .selectFrom("environment_policies")
    .innerJoin("policies", "policies.id", "environment_policies.policy_id")
    .select(["environment_policies.environment_id", "policies.name"])
    .where("environment_policies.environment_id", "in", listed(environmentIds))
    .orderBy("policies.name")
    .execute();
  return valuesByKey(rows, ({ environment_id, name }) => [environment_id, name]);
}

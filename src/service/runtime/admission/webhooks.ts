import { randomBytes } from "node:crypto";
import type { Caller, Organization } from "../../kernel/caller.ts";
import { hashOf } from "../../people/accounts/keys.ts";
import type { Database, Tables } from "../../store/tables.ts";

export type AdmissionWebhook = Tables["admission_webhooks"];

/** Hex, because Kubernetes takes only lowercase letters and digits in the path of a webhook in the cluster. */
export function newAdmissionToken(): { token: string; token_hash: string } {
  const token = randomBytes(32).toString("hex");
  return { token, token_hash: hashOf(token) };
}

/** Sorted by name, with the current names of their environments. */
export async function admissionWebhooksOf(db: Database, orgId: string) {
  return db
    .selectFrom("admission_webhooks")
    .innerJoin("environments", "environments.id", "admission_webhooks.environment_id")
    .selectAll("admission_webhooks")
    .select("environments.name as environment_name")
    .where("admission_webhooks.org_id", "=", orgId)
    .orderBy("admission_webhooks.name")
    .execute();
}

export interface AdmittedWebhook extends Pick<AdmissionWebhook, "id" | "mode" | "unpinned"> {
  readonly org: Organization;
  readonly environmentName: string;
  /** May do nothing but send reviews, because only the route of reviews finds it. */
  readonly caller: Caller;
}

/** @param now in Unix seconds */
export async function findAdmissionWebhook(
  db: Database,
  token: string,
  now: number,
): Promise<AdmittedWebhook | "unknown" | "expired"> {
  const row = await db
    .selectFrom("admission_webhooks as webhook")
    .innerJoin("environments", "environments.id", "webhook.environment_id")
    .innerJoin("organizations", "organizations.id", "webhook.org_id")
    .select(["webhook.id", "webhook.name", "webhook.mode", "webhook.unpinned", "webhook.org_id"])
    .select(["webhook.account_id", "webhook.api_key_id", "webhook.expires_at"])
    .select(["environments.name as environment_name", "organizations.name as org_name"])
    .where("webhook.token_hash", "=", hashOf(token))
    .executeTakeFirst();
  if (row === undefined) return "unknown";
  if (row.expires_at !== null && row.expires_at <= now) return "expired";
  const { id, mode, unpinned, environment_name: environmentName } = row;
  const caller: Caller = {
    ...{ keyId: row.api_key_id, accountId: row.account_id, orgId: row.org_id },
    // No account can have this name.
    accountName: `admission webhook ${row.name}`,
    ...{ role: "reader", scope: null },
  };
  return { id, mode, unpinned, environmentName, caller, org: { id: row.org_id, name: row.org_name } };
}

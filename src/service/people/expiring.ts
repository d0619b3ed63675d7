import type { Database } from "../store/tables.ts";

/* API keys, SCIM tokens and admission webhooks that expire. `warnedDays` is null before the first warning. */

interface Within {
  readonly now: number;
  readonly until: number;
}

export type ExpiringKey = Awaited<ReturnType<typeof expiringKeys>>[number];

/** Keys by expiry, without rotated ones, which have a successor. */
export async function expiringKeys(db: Database, { now, until }: Within) {
  const rows = await db
    .selectFrom("api_keys")
    .innerJoin("service_accounts as account", "account.id", "api_keys.service_account_id")
    .innerJoin("organizations", "organizations.id", "account.org_id")
    .select(["api_keys.id", "api_keys.description", "account.name as account"])
    .select(["organizations.id as orgId", "organizations.name as orgName"])
    .select(["api_keys.created_at as createdAt", "api_keys.expires_at as expiresAt"])
    .select("api_keys.expiry_told_days as warnedDays")
    .where("api_keys.kind", "=", "key")
    .where("api_keys.expires_at", ">", now)
    .where("api_keys.expires_at", "<=", until)
    .where("api_keys.revoked_at", "is", null)
    .where("account.deleted_at", "is", null)
    .orderBy("api_keys.expires_at")
    .orderBy("api_keys.id")
    .$narrowType<{ expiresAt: number }>()
    .execute();
  return rows.map((row) => inOrganization("api_keys", row));
}

export type ExpiringToken = Awaited<ReturnType<typeof expiringTokens>>[number];

/** SCIM tokens by expiry. */
export async function expiringTokens(db: Database, { now, until }: Within) {
  const rows = await db
    .selectFrom("scim_tokens as token")
    .innerJoin("organizations", "organizations.id", "token.org_id")
    .select(["token.id", "token.description", "token.provider"])
    .select(["organizations.id as orgId", "organizations.name as orgName"])
    .select(["token.created_at as createdAt", "token.expires_at as expiresAt"])
    .select("token.expiry_told_days as warnedDays")
    .where("token.expires_at", ">", now)
    .where("token.expires_at", "<=", until)
    .where("token.revoked_at", "is", null)
    .orderBy("token.expires_at")
    .orderBy("token.id")
    .$narrowType<{ expiresAt: number }>()
    .execute();
  return rows.map((row) => inOrganization("scim_tokens", row));
}

export type ExpiringWebhook = Awaited<ReturnType<typeof expiringWebhooks>>[number];

/** Admission webhooks by expiry. */
export async function expiringWebhooks(db: Database, { now, until }: Within) {
  const rows = await db
    .selectFrom("admission_webhooks as webhook")
    .innerJoin("organizations", "organizations.id", "webhook.org_id")
    .innerJoin("environments", "environments.id", "webhook.environment_id")
    .select(["webhook.id", "webhook.name", "environments.name as environment"])
    .select(["organizations.id as orgId", "organizations.name as orgName"])
    .select(["webhook.created_at as createdAt", "webhook.expires_at as expiresAt"])
    .select("webhook.expiry_told_days as warnedDays")
    .where("webhook.expires_at", ">", now)
    .where("webhook.expires_at", "<=", until)
    .orderBy("webhook.expires_at")
    .orderBy("webhook.id")
    .$narrowType<{ expiresAt: number }>()
    .execute();
  return rows.map((row) => inOrganization("admission_webhooks", row));
}

function inOrganization<const Table extends string, Row extends { orgId: string; orgName: string }>(
  table: Table,
  { orgId, orgName, ...row }: Row,
) {
  return { ...row, table, org: { id: orgId, name: orgName } };
}

export type Expiring = ExpiringKey | ExpiringToken | ExpiringWebhook;

/** @returns false when another instance was first, or the key, token or webhook was revoked, rotated or deleted */
export async function claimWarning(
  db: Database,
  { table, id }: Pick<Expiring, "table" | "id">,
  days: number,
): Promise<boolean> {
  const claimed = await db
    .updateTable(table)
    .set({ expiry_told_days: days })
    .where("id", "=", id)
    // A deleted webhook has no row.
    .$if(table !== "admission_webhooks", (rows) => rows.where(db.dynamic.ref("revoked_at"), "is", null))
    .where(({ or, eb }) => or([eb("expiry_told_days", "is", null), eb("expiry_told_days", ">", days)]))
    .returning("id")
    .execute();
  return claimed.length > 0;
}

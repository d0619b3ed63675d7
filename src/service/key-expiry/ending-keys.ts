import { expressionBuilder } from "kysely";
import type { Organization } from "../kernel/organization.ts";
import type { Database, Tables } from "../store/tables.ts";

/** A key that works, and ends before long. Times are Unix seconds. */
export interface EndingKey {
  id: string;
  description: string;
  account: string;
  org: Organization;
  createdAt: number;
  expiresAt: number;
  /** The days of the latest warning; null when there was none. */
  toldDays: number | null;
}

/** The keys that end until then, the first to end first. One that was rotated has a successor already. */
export async function endingKeys(
  db: Database,
  { now, until }: { now: number; until: number },
): Promise<EndingKey[]> {
  const rows = await db
    .selectFrom("api_keys")
    .innerJoin("service_accounts as account", "account.id", "api_keys.service_account_id")
    .innerJoin("organizations", "organizations.id", "account.org_id")
    .select(["api_keys.id", "api_keys.description", "account.name as account"])
    .select(["organizations.id as orgId", "organizations.name as orgName"])
    .select(["api_keys.created_at as createdAt", "api_keys.expires_at as expiresAt"])
    .select("api_keys.expiry_told_days as toldDays")
    .where("api_keys.kind", "=", "key")
    .where("api_keys.expires_at", ">", now)
    .where("api_keys.expires_at", "<=", until)
    .where("api_keys.revoked_at", "is", null)
    .where("account.deleted_at", "is", null)
    .orderBy("api_keys.expires_at")
    .orderBy("api_keys.id")
    .$narrowType<{ expiresAt: number }>()
    .execute();
  return rows.map(({ orgId, orgName, ...key }) => ({ ...key, org: { id: orgId, name: orgName } }));
}

/**
 * Notes that people are told of a key's end.
 *
 * @returns false when another instance was first, or the key was revoked or rotated meanwhile
 */
export async function claimWarning(db: Database, keyId: string, days: number): Promise<boolean> {
  const claimed = await db
    .updateTable("api_keys")
    .set({ expiry_told_days: days })
    .where("id", "=", keyId)
    .where("revoked_at", "is", null)
    .where(toldBefore(days))
    .returning("id")
    .execute();
  return claimed.length > 0;
}

function toldBefore(days: number) {
  const { or, eb } = expressionBuilder<Tables, "api_keys">();
  return or([eb("expiry_told_days", "is", null), eb("expiry_told_days", ">", days)]);
}

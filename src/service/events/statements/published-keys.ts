import type { Database } from "../../store/tables.ts";

/**
 * Public keys of an organization, or of all, as JSON. Names of organizations are not public, so each organization knows
 * its keys by their IDs.
 */
export async function publishedKeys(db: Database, orgId?: string): Promise<string> {
  const keys = await db
    .selectFrom("statement_keys")
    .select(["key_id", "public_key", "created_at", "retired_at"])
    .$if(orgId !== undefined, (query) => query.where("org_id", "=", orgId ?? ""))
    .orderBy("created_at")
    .orderBy("key_id")
    .execute();
  const timeText = (seconds: number) => new Date(seconds * 1000).toISOString();
  return JSON.stringify({
    keys: keys.map(({ key_id, public_key, created_at, retired_at }) => ({
      keyid: key_id,
      algorithm: "ecdsa-p256-sha256",
      public_key,
      created_at: timeText(created_at),
      retired_at: retired_at === null ? null : timeText(retired_at),
    })),
  });
}

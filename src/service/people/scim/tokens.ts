import { randomBytes } from "node:crypto";
import type { Organization } from "../../kernel/caller.ts";
import { newId } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { hashOf } from "../accounts/keys.ts";

/** Separates the tokens of identity providers from keys. */
const PREFIX = "des_";

/** A use is noted at most once in this time, in seconds. */
const NOTED_EVERY = 60;

type ScimToken = Tables["scim_tokens"];

type New = Omit<ScimToken, "id" | "token_hash" | "expiry_told_days" | "last_used_at" | "revoked_at">;

/** Returns the token; only its hash is stored. */
export async function createToken(db: Database, fields: New): Promise<{ id: string; token: string }> {
  const [id, token] = [newId(), PREFIX + randomBytes(32).toString("base64url")];
  await db
    .insertInto("scim_tokens")
    .values({
      ...fields,
      id,
      token_hash: hashOf(token),
      expiry_told_days: null,
      last_used_at: null,
      revoked_at: null,
    })
    .execute();
  return { id, token };
}

/** Unrevoked tokens of an organization, oldest first. */
export async function tokensOf(db: Database, orgId: string): Promise<ScimToken[]> {
  return db
    .selectFrom("scim_tokens")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("revoked_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Returns the revoked token. Undefined if there is none. */
export async function revokeToken(
  db: Database,
  { id, orgId, now }: { id: string; orgId: string; now: number },
): Promise<ScimToken | undefined> {
  return db
    .updateTable("scim_tokens")
    .set({ revoked_at: now })
    .where("id", "=", id)
    .where("org_id", "=", orgId)
    .where("revoked_at", "is", null)
    .returningAll()
    .executeTakeFirst();
}

export interface FoundToken {
  readonly id: string;
  /** Address name of its login provider. */
  readonly provider: string;
  readonly org: Organization;
  /** Whether its use is to be noted. */
  readonly isDue: boolean;
}

/** Finds a token of the named organization. */
export async function findToken(
  db: Database,
  token: string,
  { orgName, now }: { orgName: string; now: number },
): Promise<FoundToken | "unknown" | "expired"> {
  const row = await db
    .selectFrom("scim_tokens as token")
    .innerJoin("organizations as org", "org.id", "token.org_id")
    .select(["token.id", "token.provider", "token.expires_at", "token.last_used_at"])
    .select(["org.id as org_id", "org.name as org_name"])
    .where("token.token_hash", "=", hashOf(token))
    .where("org.name", "=", orgName)
    .where("token.revoked_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return "unknown";
  if (row.expires_at !== null && row.expires_at <= now) return "expired";
  const isDue = row.last_used_at === null || row.last_used_at <= now - NOTED_EVERY;
  return { id: row.id, provider: row.provider, org: { id: row.org_id, name: row.org_name }, isDue };
}

export async function noteUse(db: Database, id: string, now: number): Promise<void> {
  await db.updateTable("scim_tokens").set({ last_used_at: now }).where("id", "=", id).execute();
}

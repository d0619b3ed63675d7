import { randomBytes } from "node:crypto";
import { ACCESS_TOKEN_SECONDS } from "../../../api/resources/token-exchange.ts";
import { isRole } from "../../kernel/caller.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import type { Proof } from "../../kernel/proof.ts";
import { listed } from "../../store/dialect.ts";
import { newId } from "../../store/ids.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database } from "../../store/tables.ts";
import { hashOf, type KeyFault, type KeyOwner, notRevoked, scopeIn } from "./keys.ts";

/** Separates access tokens from keys. */
const PREFIX = "det_";

export function isAccessToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Creates a token for the key of a trust policy. Returns the token; only its hash is stored. */
export async function createAccessToken(
  db: Database,
  { keyId, originId, now }: { keyId: string; originId: string; now: number },
): Promise<string> {
  const token = PREFIX + randomBytes(32).toString("base64url");
  await db
    .insertInto("access_tokens")
    .values({
      id: newId(),
      token_hash: hashOf(token),
      key_id: keyId,
      origin_id: originId,
      created_at: now,
      expires_at: now + ACCESS_TOKEN_SECONDS,
    })
    .execute();
  return token;
}

/** Ends the access tokens of a trust policy by replacing their hashes with values that no token has. */
export async function endAccessTokens(db: Database, keyId: string, now: number): Promise<void> {
  await db
    .updateTable("access_tokens")
    .set(({ ref }) => ({ token_hash: ref("id"), expires_at: now }))
    .where("key_id", "=", keyId)
    .execute();
}

const tokenRow = prepared(
  (db, given: Given<{ hash: string; now: number; orgName: string; hasOrg: number }>) =>
    db
      .selectFrom("access_tokens as token")
      .innerJoin("api_keys", "api_keys.id", "token.key_id")
      .innerJoin("service_accounts as account", "account.id", "api_keys.service_account_id")
      .innerJoin("origins", "origins.id", "token.origin_id")
      // Without a name, uses the token's own organization.
      .leftJoin("organizations as requested", (join) =>
        join.on(({ and, or, eb, ref }) =>
          or([
            and([eb(given("hasOrg"), "=", 1), eb("requested.name", "=", given("orgName"))]),
            and([eb(given("hasOrg"), "=", 0), eb("requested.id", "=", ref("account.org_id"))]),
          ]),
        ),
      )
      .select(["api_keys.id", "api_keys.scope", "api_keys.expires_at as key_expires_at"])
      .select(["account.id as account_id", "account.org_id", "account.role"])
      .select(["token.expires_at", "origins.id as origin_id", "origins.name as origin_name"])
      .select(["origins.url as origin_url", "origins.issuer", "origins.claims"])
      .select(["requested.id as requested_id", "requested.name as requested_name"])
      .where("token.token_hash", "=", given("hash"))
      .where("account.deleted_at", "is", null)
      .where(notRevoked(given("now"))),
);

interface TokenQuery {
  readonly now: number;
  readonly orgName?: string | undefined;
  readonly proofOf: (issuer: string, claims: Readonly<Record<string, unknown>>) => Proof;
}

/** Finds the owner of a token, and the named organization (default: the token's own). */
export async function findAccessToken(
  db: Database,
  token: string,
  { now, orgName, proofOf }: TokenQuery,
): Promise<KeyOwner | KeyFault> {
  const given = { hash: hashOf(token), now, orgName: orgName ?? "", hasOrg: orgName === undefined ? 0 : 1 };
  const [row] = await tokenRow(db, given);
  if (!row || !isRole(row.role)) return "unknown";
  if (row.expires_at <= now || (row.key_expires_at !== null && row.key_expires_at <= now)) return "expired";
  const { requested_id: id, requested_name: name } = row;
  const claims = fieldsOf(row.claims);
  return {
    caller: {
      keyId: row.id,
      accountId: row.account_id,
      accountName: row.origin_name,
      orgId: row.org_id,
      role: row.role,
      scope: scopeIn(row.scope),
      workflow: {
        ...{ originId: row.origin_id, claims, url: row.origin_url },
        proof: proofOf(row.issuer, claims),
      },
    },
    org: id === null || name === null ? undefined : { id, name },
  };
}

/** Seconds to keep ended tokens, after which requests that used them are finished. */
const LONGEST_REQUEST_SECONDS = 60 * 60;

/** Removes ended tokens: issuers' tokens at once, access tokens after an hour, and proofs without records. */
export async function removeEndedTokens(db: Database, now: number): Promise<void> {
  await db.deleteFrom("used_tokens").where("expires_at", "<=", now).execute();
  const removed = await db
    .deleteFrom("access_tokens")
    .where("expires_at", "<=", now - LONGEST_REQUEST_SECONDS)
    .returning("origin_id")
    .execute();
  if (removed.length === 0) return;
  await db
    .deleteFrom("origins")
    .where("id", "in", listed(removed.map(({ origin_id }) => origin_id)))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("record_origins")
            .select("record_origins.origin_id")
            .whereRef("record_origins.origin_id", "=", "origins.id"),
        ),
      ),
    )
    .execute();
}

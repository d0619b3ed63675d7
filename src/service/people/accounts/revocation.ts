import { COMMAND_LINE } from "../../../api/resources/audit-log.ts";
import type { Caller, Organization } from "../../kernel/caller.ts";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";
import { maySee } from "./handlers.ts";
import { hashOf } from "./keys.ts";

/** Acts after which a key is revoked. */
const ACTS = ["api_key.revoked", "api_key.rotated", "service_account.deleted"];

/**
 * A sentence with the account of a revoked key, the time of its revocation and the account that revoked it. Undefined
 * for a text that was never a key of the organization.
 */
export async function revocationOf(
  db: Database,
  { org, caller, key }: { org: Organization; caller: Caller; key: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom("api_keys")
    .innerJoin("service_accounts as account", "account.id", "api_keys.service_account_id")
    .select(["api_keys.id", "api_keys.revoked_at"])
    .select(["account.id as account_id", "account.name", "account.created_by_id"])
    .where("api_keys.key_hash", "=", hashOf(key))
    .where("account.org_id", "=", org.id)
    .executeTakeFirst();
  if (!row || row.revoked_at === null) return undefined;
  const { id, name, created_by_id: creatorId, account_id: accountId, revoked_at: at } = row;
  if (!maySee(caller, { creator: creatorId === null ? null : { id: creatorId } })) return undefined;
  const act = await db
    .selectFrom("audit_log")
    .select("account")
    .where("org_id", "=", org.id)
    .where("resource_id", "in", listed([id, accountId]))
    .where("act", "in", listed(ACTS))
    .where("created_at", "<=", at)
    .orderBy("created_at", "desc")
    .orderBy("sequence", "desc")
    .executeTakeFirst();
  const time = new Date(at * 1000).toISOString().slice(0, 16).replace("T", " ");
  const by = act?.account === COMMAND_LINE ? " on the command line" : act && ` by '${act.account}'`;
  return `This key of the account '${name}' was revoked on ${time} UTC${by ?? ""}`;
}

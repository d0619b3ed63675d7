import { commandLineContext } from "../events/audit-log/command-line.ts";
import type { Role } from "../kernel/roles.ts";
import { isOfTrustPolicy, listedKey, type NewKey } from "../people/accounts/keys.ts";
import { soleOrganization } from "../people/accounts/organizations.ts";
import { ensureServiceAccount } from "../people/accounts/records.ts";
import type { Database } from "../store/tables.ts";
import { makeKey, recordNewAccount, withdrawKey } from "./audited.ts";

/* What the command line does to keys. The audit log has it like everything else, without a key and an address. */

interface AskedKey extends Pick<NewKey, "description" | "expiresAt" | "now" | "scope" | "mayRotateItself"> {
  /** Of the organization; the only one there is unless given. */
  org: string | undefined;
  /** The name of the account, which is made when it is new. */
  account: string;
  /** Of a new account; reader unless given. */
  role: Role | undefined;
}

/**
 * Makes a key for an account, and the account when it is new. Returns the key: it can be seen this once.
 *
 * @throws Error when it cannot be told which organization is meant, or the account has another role or is that of a
 *   trust policy
 */
export async function createOnCommandLine(
  db: Database,
  { org, account: name, role, now, ...asked }: AskedKey,
): Promise<string> {
  const { id: orgId } = await soleOrganization(db, org);
  const context = commandLineContext(orgId, now);
  const account = await ensureServiceAccount(db, { orgId, name, role }, now);
  if (await isOfTrustPolicy(db, account.id)) {
    throw new Error(`The account '${name}' belongs to a trust policy, whose workflows need no key`);
  }
  if (account.created) await recordNewAccount(db, context, account);
  const { key } = await makeKey(db, context, account, asked);
  return key;
}

/** Revokes a key for good. Returns whether there was one to revoke. */
export async function revokeOnCommandLine(db: Database, id: string, now: number): Promise<boolean> {
  const key = await listedKey(db, id, now);
  if (!key) return false;
  await withdrawKey(db, commandLineContext(key.orgId, now), { name: key.account }, key);
  return true;
}

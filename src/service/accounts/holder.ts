import { findAccessToken, isAccessToken } from "../people/accounts/access-tokens.ts";
import { findKey, type KeyFault, type KeyHolder } from "../people/accounts/keys.ts";
import type { Database } from "../store/tables.ts";

/** Finds whose a key or an access token is, and the organization of a name; without a name its own. */
export async function findHolder(
  db: Database,
  key: string,
  asked: { now: number; orgName?: string | undefined },
): Promise<KeyHolder | KeyFault> {
  return isAccessToken(key) ? findAccessToken(db, key, asked) : findKey(db, key, asked);
}

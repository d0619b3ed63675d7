import type { Database } from "../store/tables.ts";
import { findAccessToken, isAccessToken } from "./access-tokens.ts";
import { findKey, type KeyFault, type KeyHolder } from "./keys.ts";

/** Finds whose a key or an access token is, and the organization of a name; without a name its own. */
export async function findHolder(
  db: Database,
  key: string,
  asked: { now: number; orgName?: string | undefined },
): Promise<KeyHolder | KeyFault> {
  return isAccessToken(key) ? findAccessToken(db, key, asked) : findKey(db, key, asked);
}

import type { Database } from "../store/tables.ts";
import { findAccessToken, isAccessToken } from "./accounts/access-tokens.ts";
import { findKey, type KeyFault, type KeyOwner } from "./accounts/keys.ts";
import { proofOf } from "./identity/issuer-kinds.ts";
import { findPersonToken, isPersonToken } from "./members/person-sessions.ts";

/** Whether it is a token of a workflow or person, and not a key. */
export function isToken(text: string): boolean {
  return isAccessToken(text) || isPersonToken(text);
}

/** Finds the owner of a key or token, and the named organization (default: its own). */
export async function findKeyOwner(
  db: Database,
  key: string,
  options: { now: number; orgName?: string | undefined },
): Promise<KeyOwner | KeyFault> {
  if (isPersonToken(key)) return findPersonToken(db, key, options);
  return isAccessToken(key) ? findAccessToken(db, key, { ...options, proofOf }) : findKey(db, key, options);
}

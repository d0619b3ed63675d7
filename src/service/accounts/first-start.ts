import { findOrganization, listOrganizations } from "../people/accounts/organizations.ts";
import type { Store } from "../store/store.ts";
import { makeOrganization } from "./new-organization.ts";

const DEFAULT_ORGANIZATION = "default";

interface FirstStart {
  /** The organization to have. Without a name, any that exists will do. */
  org: string | undefined;
  /** The key of its first account, when it is to be a certain one. */
  adminKey: string | undefined;
  /** Unix seconds. */
  now: number;
}

/**
 * Makes the organization, an admin service account and its key, when the organization is not there yet. Returns
 * the key when it was made here: it can be seen this once.
 *
 * @throws Error when the organization cannot have its name, or the admin key could be guessed or not be sent
 */
export async function ensureOrganization(
  store: Store,
  { org, adminKey, now }: FirstStart,
): Promise<string | undefined> {
  return store.write(async (db) => {
    const exists =
      org === undefined ? (await listOrganizations(db)).length > 0 : await findOrganization(db, org);
    if (exists) return undefined;
    const keyDescription = "made at the first start";
    return makeOrganization(db, { name: org ?? DEFAULT_ORGANIZATION, adminKey, keyDescription, now });
  });
}

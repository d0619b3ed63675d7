import type { Store } from "../store/store.ts";
import { createKey, findKey } from "./keys.ts";
import { createOrganization, findOrganization, listOrganizations } from "./organizations.ts";
import { createServiceAccount } from "./records.ts";

const DEFAULT_ORGANIZATION = "default";
const ADMIN_ACCOUNT = "admin";
/** Shorter ones could be guessed. */
const MIN_KEY_LENGTH = 32;

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
    if (adminKey !== undefined) {
      checkKey(adminKey);
      if ((await findKey(db, adminKey, { now })) !== "unknown") {
        throw new Error("The admin key belongs to an account of another organization");
      }
    }
    const orgId = await createOrganization(db, org ?? DEFAULT_ORGANIZATION, now);
    const accountId = await createServiceAccount(db, { orgId, name: ADMIN_ACCOUNT, role: "admin" }, now);
    const description = "made at the first start";
    const { key } = await createKey(db, {
      accountId,
      description,
      expiresAt: null,
      now,
      ...(adminKey === undefined ? {} : { key: adminKey }),
    });
    return adminKey === undefined ? key : undefined;
  });
}

/** A key travels in a header, alone or as the user name of Basic authentication, which ends at a colon. */
function checkKey(key: string): void {
  if (!/^[\x21-\x39\x3b-\x7e]+$/.test(key)) {
    throw new Error("The admin key may hold only printable ASCII characters without spaces and colons");
  }
  if (key.length < MIN_KEY_LENGTH) {
    throw new Error(`The admin key must have at least ${MIN_KEY_LENGTH} characters`);
  }
}

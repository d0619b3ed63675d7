import { recordAct } from "../audit-log/record-act.ts";
import { commandLineContext } from "../events/audit-log/command-line.ts";
import { changesBetween, NOTHING } from "../events/changes.ts";
import { wasEverAKey } from "../people/accounts/keys.ts";
import { createOrganization } from "../people/accounts/organizations.ts";
import { createServiceAccount } from "../people/accounts/records.ts";
import type { Database } from "../store/tables.ts";
import { makeKey, recordNewAccount } from "./audited.ts";

export const ADMIN_ACCOUNT = "admin";
/** Shorter ones could be guessed. */
const MIN_KEY_LENGTH = 32;

interface NewOrganization {
  name: string;
  /** The key of its first account, when it is to be a certain one. */
  adminKey: string | undefined;
  /** Why the key is there, for those who list the keys. */
  keyDescription: string;
  /** Unix seconds. */
  now: number;
}

/**
 * Makes an organization, an admin service account and its key. Returns the key when it was made here: it can be seen
 * this once.
 *
 * @throws Error when the organization cannot have its name, or the admin key could be guessed or not be sent
 */
export async function makeOrganization(
  db: Database,
  { name, adminKey, keyDescription, now }: NewOrganization,
): Promise<string | undefined> {
  if (adminKey !== undefined) {
    checkKey(adminKey);
    if (await wasEverAKey(db, adminKey)) {
      throw new Error(
        "The admin key is, or was, that of another account: give the organization a key of its own",
      );
    }
  }
  const orgId = await createOrganization(db, name, now);
  const context = commandLineContext(orgId, now);
  const changes = changesBetween(NOTHING, { name });
  await recordAct(db, context, { act: "organization.created", resource: { name, id: orgId }, changes });
  const account = { name: ADMIN_ACCOUNT, role: "admin" } as const;
  const id = await createServiceAccount(db, { orgId, ...account }, now);
  await recordNewAccount(db, context, { id, ...account });
  const { key } = await makeKey(
    db,
    context,
    { id, name: ADMIN_ACCOUNT },
    {
      description: keyDescription,
      expiresAt: null,
      ...(adminKey === undefined ? {} : { key: adminKey }),
    },
  );
  return adminKey === undefined ? key : undefined;
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

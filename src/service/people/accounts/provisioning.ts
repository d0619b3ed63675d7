import { commandLineContext } from "../../events/audit-log/contexts.ts";
import { record, recordChange } from "../../events/record.ts";
import type { ActContext, Role } from "../../kernel/caller.ts";
import type { Store } from "../../store/store.ts";
import type { Database } from "../../store/tables.ts";
import {
  createKey,
  isOfTrustPolicy,
  listedKey,
  MIN_KEY_LENGTH,
  type NewKey,
  revokeKey,
  type StoredKey,
  wasEverAKey,
} from "./keys.ts";
import {
  createOrganization,
  findOrganization,
  listOrganizations,
  soleOrganization,
} from "./organizations.ts";
import { createServiceAccount, ensureServiceAccount } from "./records.ts";

export const ADMIN_ACCOUNT = "admin";

interface NewOrganization {
  name: string;
  /** A chosen key of the first account. */
  adminKey: string | undefined;
  keyDescription: string;
  /** Unix seconds. */
  now: number;
}

/**
 * Creates an organization, its admin account and a key. Returns the key unless it was chosen.
 *
 * @throws Error for an invalid name, or an admin key that is weak or cannot be sent
 */
export async function makeOrganization(
  db: Database,
  { name, adminKey, keyDescription, now }: NewOrganization,
): Promise<string | undefined> {
  if (adminKey !== undefined) {
    checkKey(adminKey);
    if (await wasEverAKey(db, adminKey)) {
      throw new Error("The admin key is or was the key of another account: choose another key");
    }
  }
  const orgId = await createOrganization(db, name, now);
  const context = commandLineContext(orgId, now);
  const subject = { name, id: orgId };
  await recordChange(db, context, { type: "organization.created", subject, after: { name } });
  const account = { name: ADMIN_ACCOUNT, role: "admin" } as const;
  const id = await createServiceAccount(db, { orgId, ...account }, now);
  await recordNewAccount(db, context, { id, ...account });
  const made = {
    description: keyDescription,
    expiresAt: null,
    ...(adminKey !== undefined && { key: adminKey }),
  };
  const { key } = await makeKey(db, context, { id, name: ADMIN_ACCOUNT }, made);
  return adminKey === undefined ? key : undefined;
}

/** Checks a chosen key. Keys are sent in headers, also as the user name of Basic authentication, which ends at a colon. */
function checkKey(key: string): void {
  if (!/^[\x21-\x39\x3b-\x7e]+$/.test(key)) {
    throw new Error("The admin key may contain only printable ASCII characters except spaces and colons");
  }
  if (key.length < MIN_KEY_LENGTH) {
    throw new Error(`The admin key must have at least ${MIN_KEY_LENGTH} characters`);
  }
}

/** Expiry of a key that does not expire, in the interface. */
export const NEVER = 0;

export async function recordNewAccount(
  db: Database,
  context: ActContext,
  { id, name, role, description }: { id: string; name: string; role: string; description?: string | null },
): Promise<void> {
  const after = { privilege: role, description };
  await recordChange(db, context, { type: "service_account.created", subject: { name, id }, after });
}

interface KeyOwner {
  id: string;
  name: string;
}

/** Returns the key; only its hash is stored. */
export async function makeKey(
  db: Database,
  context: ActContext,
  account: KeyOwner,
  made: Pick<NewKey, "description" | "expiresAt" | "key" | "scope" | "mayRotateItself">,
): Promise<{ id: string; key: string }> {
  const created = await createKey(db, { ...made, accountId: account.id, now: context.now });
  await recordChange(db, context, {
    type: "api_key.created",
    subject: { name: account.name, id: created.id },
    after: {
      description: made.description,
      expires_at: made.expiresAt ?? NEVER,
      ...(made.mayRotateItself && { may_rotate_itself: true }),
      ...made.scope,
    },
  });
  return created;
}

/** Revokes a key that is not yet revoked. */
export async function withdrawKey(
  db: Database,
  context: ActContext,
  account: Pick<KeyOwner, "name">,
  { id, description }: Pick<StoredKey, "id" | "description">,
): Promise<void> {
  await revokeKey(db, id, context.now);
  await record(db, context, {
    type: "api_key.revoked",
    subject: { name: account.name, id },
    data: { details: { description } },
  });
}

/** Name of the first organization, if none is given. */
export const DEFAULT_ORGANIZATION = "default";

/**
 * Creates an organization if it does not exist. Without a name, only if no organization exists.
 *
 * @throws Error for an invalid name, or an admin key that is weak or cannot be sent
 */
export async function ensureOrganization(
  store: Store,
  { org, adminKey, now }: { org: string | undefined } & Pick<NewOrganization, "adminKey" | "now">,
): Promise<string | undefined> {
  return store.write(async (db) => {
    const exists =
      org === undefined ? (await listOrganizations(db)).length > 0 : await findOrganization(db, org);
    if (exists) return undefined;
    const keyDescription = "made at the first start";
    return makeOrganization(db, { name: org ?? DEFAULT_ORGANIZATION, adminKey, keyDescription, now });
  });
}

/* Key commands. The audit log records them without key and address. */

interface KeyRequest extends Pick<NewKey, "description" | "expiresAt" | "now" | "scope" | "mayRotateItself"> {
  /** Default: the only organization. */
  org: string | undefined;
  /** Created if it does not exist. */
  account: string;
  /** Role of a new account. Default: reader. */
  role: Role | undefined;
}

/**
 * Creates a key, and its account if it does not exist. Returns the key.
 *
 * @throws Error for an ambiguous organization, or an account of another role or of a trust policy
 */
export async function createOnCommandLine(
  db: Database,
  { org, account: name, role, now, ...options }: KeyRequest,
): Promise<string> {
  const { id: orgId } = await soleOrganization(db, org);
  const context = commandLineContext(orgId, now);
  const account = await ensureServiceAccount(db, { orgId, name, role }, now);
  if (await isOfTrustPolicy(db, account.id)) {
    throw new Error(`The account '${name}' belongs to a trust policy, whose workflows need no key`);
  }
  if (account.created) await recordNewAccount(db, context, account);
  const { key } = await makeKey(db, context, account, options);
  return key;
}

/** Returns whether a key was revoked. */
export async function revokeOnCommandLine(db: Database, id: string, now: number): Promise<boolean> {
  const key = await listedKey(db, id, now);
  if (!key) return false;
  await withdrawKey(db, commandLineContext(key.orgId, now), { name: key.account }, key);
  return true;
}

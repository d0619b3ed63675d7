import { recordAct } from "../audit-log/record-act.ts";
import { changesBetween, NOTHING } from "../events/changes.ts";
import type { ActContext } from "../kernel/request-context.ts";
import { createKey, type NewKey, revokeKey, type StoredKey } from "../people/accounts/keys.ts";
import type { Database } from "../store/tables.ts";

/* What is done to accounts and keys over HTTP and on the command line alike, with its entry in the audit log. */

/** How the interface writes that a key does not expire. */
export const NEVER = 0;

/** Notes that an account was made. */
export async function recordNewAccount(
  db: Database,
  context: ActContext,
  {
    id,
    name,
    role,
    description = null,
  }: { id: string; name: string; role: string; description?: string | null },
): Promise<void> {
  const changes = changesBetween(NOTHING, { privilege: role, description });
  await recordAct(db, context, { act: "service_account.created", resource: { name, id }, changes });
}

/** The account whose key it is. */
interface KeyOwner {
  id: string;
  name: string;
}

/** Makes a key for an account. This is the one time that the key can be seen. */
export async function makeKey(
  db: Database,
  context: ActContext,
  account: KeyOwner,
  made: Pick<NewKey, "description" | "expiresAt" | "key" | "scope" | "mayRotateItself">,
): Promise<{ id: string; key: string }> {
  const created = await createKey(db, { ...made, accountId: account.id, now: context.now });
  await recordAct(db, context, {
    act: "api_key.created",
    resource: { name: account.name, id: created.id },
    changes: changesBetween(NOTHING, {
      description: made.description,
      expires_at: made.expiresAt ?? NEVER,
      ...(made.mayRotateItself && { may_rotate_itself: true }),
      ...made.scope,
    }),
  });
  return created;
}

/** Revokes a key for good, at once. It must not be revoked already. */
export async function withdrawKey(
  db: Database,
  context: ActContext,
  account: Pick<KeyOwner, "name">,
  { id, description }: Pick<StoredKey, "id" | "description">,
): Promise<void> {
  await revokeKey(db, id, context.now);
  await recordAct(db, context, {
    act: "api_key.revoked",
    resource: { name: account.name, id },
    details: { description },
  });
}

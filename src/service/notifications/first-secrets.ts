import { Conflict } from "../kernel/errors.ts";
import type { SecretBox } from "../operation/context.ts";
import { newSecret } from "../outgoing/signing-key.ts";
import { updateRows } from "../store/dialect.ts";
import type { Database, Tables } from "../store/tables.ts";
import { ensureKeyOfOrganization } from "./organization-key.ts";

/**
 * Makes secrets for the webhooks of an action that have none, and the key of its organization, so that their first
 * delivery is signed. A service without a key to keep them with makes none: rules go on working, unsigned.
 */
export async function makeFirstSecrets(
  db: Database,
  { id, org_id }: Pick<Tables["actions"], "id" | "org_id">,
  secrets: SecretBox,
): Promise<void> {
  const unsigned = await db
    .selectFrom("notification_targets")
    .select("id")
    .where("action_id", "=", id)
    .where("kind", "=", "webhook")
    .where("removed_at", "is", null)
    .where("secret", "is", null)
    .execute();
  if (unsigned.length === 0) return;
  try {
    const made = unsigned.map((target) => ({ id: target.id, secret: secrets.seal(target.id, newSecret()) }));
    await updateRows(db, "notification_targets", "id", made);
    await ensureKeyOfOrganization(db, org_id, secrets);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}

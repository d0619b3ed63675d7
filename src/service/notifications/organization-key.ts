import { createPublicKey } from "node:crypto";
import { PUBLIC_KEY_PREFIX } from "../../api/webhook-keys.ts";
import { Conflict } from "../kernel/errors.ts";
import type { SecretBox } from "../operation/context.ts";
import { newSigningKey, readSigningKey } from "../outgoing/signing-key.ts";
import type { Database } from "../store/tables.ts";

/** The public half of an organization's signing key, which is made when there is none. */
export async function publicKeyOfOrganization(
  db: Database,
  orgId: string,
  secrets: SecretBox,
): Promise<string> {
  const signing_key = await sealedKeyOf(db, orgId);
  return signing_key === null
    ? makeKeyOfOrganization(db, orgId, secrets)
    : publicKeyOf(secrets.open(orgId, signing_key));
}

/** The public half of a key that the service can sign with: one that it cannot open any more is replaced. */
export async function usablePublicKey(db: Database, orgId: string, secrets: SecretBox): Promise<string> {
  const signing_key = await sealedKeyOf(db, orgId);
  const privateKey = openedIn(secrets, orgId, signing_key);
  return privateKey === undefined ? makeKeyOfOrganization(db, orgId, secrets) : publicKeyOf(privateKey);
}

/** Makes the key with which an organization signs, unless it has one. */
export async function ensureKeyOfOrganization(
  db: Database,
  orgId: string,
  secrets: SecretBox,
): Promise<void> {
  if ((await sealedKeyOf(db, orgId)) === null) await makeKeyOfOrganization(db, orgId, secrets);
}

async function sealedKeyOf(db: Database, orgId: string): Promise<string | null> {
  const { signing_key } = await db
    .selectFrom("organizations")
    .select("signing_key")
    .where("id", "=", orgId)
    .executeTakeFirstOrThrow();
  return signing_key;
}

async function makeKeyOfOrganization(db: Database, id: string, secrets: SecretBox): Promise<string> {
  const { privateKey, publicKey } = newSigningKey();
  const signing_key = secrets.seal(id, privateKey);
  await db.updateTable("organizations").set({ signing_key }).where("id", "=", id).execute();
  return publicKey;
}

/** What was sealed, if the service has the key of then. */
export function openedIn(secrets: SecretBox, owner: string, sealed: string | null): string | undefined {
  try {
    return sealed === null ? undefined : secrets.open(owner, sealed);
  } catch (error) {
    if (error instanceof Conflict) return undefined;
    throw error;
  }
}

function publicKeyOf(privateKey: string): string {
  const { x = "" } = createPublicKey(readSigningKey(privateKey)).export({ format: "jwk" });
  return PUBLIC_KEY_PREFIX + Buffer.from(x, "base64url").toString("base64");
}

import { createPublicKey } from "node:crypto";
import { PUBLIC_KEY_PREFIX } from "../../../api/resources/verify-webhook.ts";
import { Conflict } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { SecretBox } from "../../operation/context.ts";
import { dialectOf, updateRows } from "../../store/dialect.ts";
import type { Store } from "../../store/store.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { addressKey, type TargetAddress, withAddressKeys } from "../../store/target-addresses.ts";
import { isSealed } from "../outgoing/sealed.ts";
import { newSecret, newSigningKey, readSigningKey } from "../outgoing/signature.ts";

/** The public signing key of an organization, created if there is none. */
export async function publicKeyOfOrganization(db: Database, orgId: string, secrets: SecretBox) {
  const signing_key = await sealedKeyOf(db, orgId);
  return signing_key === null
    ? makeKeyOfOrganization(db, orgId, secrets)
    : publicKeyOf(secrets.open(orgId, signing_key));
}

/** The public signing key, replaced if the service can no longer decrypt it. */
export async function usablePublicKey(db: Database, orgId: string, secrets: SecretBox): Promise<string> {
  const signing_key = await sealedKeyOf(db, orgId);
  const privateKey = openedIn(secrets, orgId, signing_key);
  return privateKey === undefined ? makeKeyOfOrganization(db, orgId, secrets) : publicKeyOf(privateKey);
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

/** The result of encrypting or decrypting; undefined without the key. */
export function withKey<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    if (error instanceof Conflict) return undefined;
    throw error;
  }
}

/** The decrypted text; undefined without the key that encrypted it. */
export function openedIn(secrets: SecretBox, owner: string, sealed: string | null): string | undefined {
  return sealed === null ? undefined : withKey(() => secrets.open(owner, sealed));
}

function publicKeyOf(privateKey: string): string {
  const { x = "" } = createPublicKey(readSigningKey(privateKey)).export({ format: "jwk" });
  return PUBLIC_KEY_PREFIX + Buffer.from(x, "base64url").toString("base64");
}

/**
 * Creates missing secrets and the signing key, so that the first delivery is signed. Without a sealing key, deliveries
 * are unsigned.
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
  const made = withKey(() =>
    unsigned.map((target) => ({ id: target.id, secret: secrets.seal(target.id, newSecret()) })),
  );
  if (made === undefined) return;
  await updateRows(db, "notification_targets", "id", made);
  if ((await sealedKeyOf(db, org_id)) === null) await makeKeyOfOrganization(db, org_id, secrets);
}

/** LIKE pattern of encrypted texts. */
const SEALED = "v1:%";

/** Whether the database has encrypted secrets. */
export async function hasSecrets(db: Database): Promise<boolean> {
  const target = await db
    .selectFrom("notification_targets")
    .select("id")
    .where(({ eb, or }) =>
      or([eb("secret", "is not", null), eb("token", "is not", null), eb("address", "like", SEALED)]),
    )
    .limit(1)
    .executeTakeFirst();
  if (target) return true;
  const signs = db.selectFrom("organizations").select("id").where("signing_key", "is not", null);
  return (await signs.limit(1).executeTakeFirst()) !== undefined;
}

/** Warns the operator if the stored secrets cannot be decrypted. Deliveries to encrypted addresses then fail. */
export async function warnOfUnopened({ read }: Store, secrets: SecretBox, log: Log): Promise<void> {
  for (const { owner, sealed } of await sealedSecrets(read)) {
    try {
      secrets.open(owner, sealed);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      const message =
        "Stored notification secrets cannot be decrypted. Deliveries to encrypted addresses fail, others are not signed. " +
        error.message;
      return log({ level: "warn", message });
    }
  }
}

/** The encrypted secrets of current targets and of organizations. */
async function sealedSecrets(db: Database): Promise<{ owner: string; sealed: string }[]> {
  const targets = await db
    .selectFrom("notification_targets")
    .select(["id", "secret", "token", "address"])
    .where("removed_at", "is", null)
    .where(({ eb, or }) =>
      or([eb("secret", "is not", null), eb("token", "is not", null), eb("address", "like", SEALED)]),
    )
    .execute();
  const signing = await db
    .selectFrom("organizations")
    .select(["id", "signing_key"])
    .where("signing_key", "is not", null)
    .execute();
  return [
    ...targets.map(({ id, secret, token, address }) => ({
      owner: id,
      secrets: [secret, token, isSealed(address) ? address : null],
    })),
    ...signing.map(({ id, signing_key }) => ({ owner: id, secrets: [signing_key] })),
  ].flatMap(({ owner, secrets }) =>
    secrets.flatMap((sealed) => (sealed === null ? [] : [{ owner, sealed }])),
  );
}

/** The stored address, encrypted if it is a URL and the service has a key, because anyone with the URL can post to it. */
export function storedAddress(
  targetId: string,
  { kind, address }: Pick<TargetAddress, "kind" | "address">,
  secrets: SecretBox,
): string {
  return kind === "email" ? address : (withKey(() => secrets.seal(targetId, address)) ?? address);
}

/** The address; undefined if it was encrypted with another key. */
export function openedAddress(
  { id, address }: Pick<Tables["notification_targets"], "id" | "address">,
  secrets: SecretBox,
): string | undefined {
  return isSealed(address) ? openedIn(secrets, id, address) : address;
}

const AT_ONCE = 500;

/** Encrypts addresses that were stored while the service had no key. */
export async function sealAddresses(store: Store, secrets: SecretBox, log: Log): Promise<void> {
  if ((await clearTargets(store.read, 1)).length === 0) return;
  try {
    secrets.seal("", "");
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const message = `Webhook addresses are stored unencrypted. ${error.message}`;
    return log({ level: "warn", message });
  }
  while ((await store.write((db) => sealSome(db, secrets))) === AT_ONCE);
}

async function sealSome(db: Database, secrets: SecretBox): Promise<number> {
  // Overwrites the unencrypted secrets in the file.
  await dialectOf(db).overwriteDeleted?.execute(db);
  const targets = await clearTargets(db, AT_ONCE);
  const hash = (text: string) => secrets.hash(text);
  const sealed = targets.map(({ id, kind, address }) => ({
    id,
    address: storedAddress(id, { kind, address }, secrets),
    address_key: addressKey({ kind, address }, hash),
  }));
  await updateRows(db, "notification_targets", "id", sealed);
  const newKeys = new Map(targets.map(({ address_key }, index) => [address_key, sealed[index]?.address_key]));
  for (const id of new Set(targets.map(({ action_id }) => action_id))) {
    const action = await db.selectFrom("actions").select("targets").where("id", "=", id).executeTakeFirst();
    if (action === undefined) continue;
    const column = withAddressKeys(JSON.parse(action.targets), (key) => newKeys.get(key) ?? key);
    await db
      .updateTable("actions")
      .set({ targets: JSON.stringify(column) })
      .where("id", "=", id)
      .execute();
  }
  return targets.length;
}

function clearTargets(db: Database, limit: number) {
  return db
    .selectFrom("notification_targets")
    .select(["id", "action_id", "kind", "address", "address_key"])
    .where("kind", "!=", "email")
    .where("address", "like", "http%")
    .limit(limit)
    .execute();
}

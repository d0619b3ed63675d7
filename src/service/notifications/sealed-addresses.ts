import { isSealed } from "../delivery/outgoing/sealed.ts";
import { Conflict } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { SecretBox } from "../operation/context.ts";
import { overwriteDeleted, updateRows } from "../store/dialect.ts";
import type { Store } from "../store/store.ts";
import type { Database } from "../store/tables.ts";
import { addressKey, type TargetAddress, withAddressKeys } from "../store/target-addresses.ts";
import { openedIn } from "./organization-key.ts";
import type { TargetRow } from "./targets-of-action.ts";

/**
 * The address of a target as it is stored: sealed if it is a web address and the service has a key. Anyone who has the
 * address of a webhook can post to it.
 */
export function storedAddress(
  targetId: string,
  { kind, address }: Pick<TargetAddress, "kind" | "address">,
  secrets: SecretBox,
): string {
  if (kind === "email") return address;
  try {
    return secrets.seal(targetId, address);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    return address;
  }
}

/** The address of a target; undefined when it was sealed with another key than the service has. */
export function openedAddress(
  { id, address }: Pick<TargetRow, "id" | "address">,
  secrets: SecretBox,
): string | undefined {
  return isSealed(address) ? openedIn(secrets, id, address) : address;
}

const AT_ONCE = 500;

/** Seals the addresses that are stored in clear, as earlier versions and services without a key stored them. */
export async function sealAddresses(store: Store, secrets: SecretBox, log: Log): Promise<void> {
  if ((await clearTargets(store.read, 1)).length === 0) return;
  try {
    secrets.seal("", "");
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const message = `The addresses of webhooks are stored in clear. ${error.message}`;
    return log({ level: "warn", message });
  }
  while ((await store.write((db) => sealSome(db, secrets))) === AT_ONCE);
}

async function sealSome(db: Database, secrets: SecretBox): Promise<number> {
  await overwriteDeleted(db);
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

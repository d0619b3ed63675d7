import { isSealed } from "../delivery/outgoing/sealed.ts";
import { Conflict } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { SecretBox } from "../operation/context.ts";
import type { Store } from "../store/store.ts";
import type { Database } from "../store/tables.ts";

/** As sealed texts begin, for a query. */
const SEALED = "v1:%";

/** Whether anything is on record that only the key can open which it was sealed with. */
export async function holdsSecrets(db: Database): Promise<boolean> {
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

/**
 * Warns the operator if the service cannot open the stored secrets. It then sends nothing to sealed addresses.
 */
export async function warnOfUnopened(
  { read }: Pick<Store, "read">,
  secrets: SecretBox,
  log: Log,
): Promise<void> {
  for (const { owner, sealed } of await sealedSecrets(read)) {
    try {
      secrets.open(owner, sealed);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      const message =
        "Stored secrets of notifications cannot be opened: deliveries to sealed addresses fail, others are not signed. " +
        error.message;
      return log({ level: "warn", message });
    }
  }
}

/** All that is sealed for targets that are named now, and for organizations. */
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
      kept: [secret, token, isSealed(address) ? address : null],
    })),
    ...signing.map(({ id, signing_key }) => ({ owner: id, kept: [signing_key] })),
  ].flatMap(({ owner, kept }) => kept.flatMap((sealed) => (sealed === null ? [] : [{ owner, sealed }])));
}

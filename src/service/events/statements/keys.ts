import { newStatementKey, type StatementKey } from "../../../evidence/provenance/statements/dsse.ts";
import type { Organization } from "../../kernel/caller.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Database } from "../../store/tables.ts";
import { commandLineContext } from "../audit-log/contexts.ts";
import { record } from "../record.ts";

/**
 * The key that signs statements of an organization. The first call creates it.
 *
 * @throws Conflict when the service has no key that could protect it
 */
export async function statementKeyOf(
  { store, secrets, now }: Pick<ServiceContext, "store" | "secrets" | "now">,
  orgId: string,
): Promise<Pick<StatementKey, "keyId" | "privateKey">> {
  const owner = `statements ${orgId}`;
  const { key_id: keyId, sealed_key } = (await keyInUse(store.read, orgId)) ?? (await makeKey());
  return { keyId, privateKey: secrets.open(owner, sealed_key) };

  /** @returns the key, which another instance may have made first */
  function makeKey() {
    const { keyId: key_id, publicKey: public_key, privateKey } = newStatementKey();
    const sealed_key = secrets.seal(owner, privateKey);
    const key = { org_id: orgId, key_id, public_key, sealed_key, created_at: now(), retired_at: null };
    return store.write(
      async (db) => {
        const known = await keyInUse(db, orgId);
        if (known !== undefined) return known;
        await db.insertInto("statement_keys").values(key).execute();
        return key;
      },
      { orgId },
    );
  }
}

function keyInUse(db: Database, orgId: string) {
  return db
    .selectFrom("statement_keys")
    .select(["key_id", "sealed_key"])
    .where("org_id", "=", orgId)
    .where("retired_at", "is", null)
    .executeTakeFirst();
}

/** Ends the use of a key. The next statement is signed by a new one. @returns the ID of the former key, if there was one */
export async function retireStatementKey(
  db: Database,
  org: Organization,
  now: number,
): Promise<string | undefined> {
  const retired = await db
    .updateTable("statement_keys")
    .set({ retired_at: now })
    .where("org_id", "=", org.id)
    .where("retired_at", "is", null)
    .returning("key_id")
    .executeTakeFirst();
  if (retired === undefined) return undefined;
  const { key_id } = retired;
  await record(db, commandLineContext(org.id, now), {
    type: "organization.statement_key_retired",
    subject: org,
    data: { details: { key_id } },
  });
  return key_id;
}

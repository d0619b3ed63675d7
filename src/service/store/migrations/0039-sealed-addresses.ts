import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { changeTables, overwriteDeleted, updateRows } from "../dialect.ts";
import type { TargetKind } from "../notification-tables.ts";
import { addressesOf, shownAddress, withAddressKeys } from "../target-addresses.ts";

/** What this step reads and fills. */
interface OldTables {
  actions: { id: string; targets: string };
  notification_targets: { id: string; kind: TargetKind; address: string; shown: string };
}

/**
 * Only the row of a target has its web address, so that it is sealed in one place. Its rule names it by its key. Sealing
 * needs the operator's key, so the service does it when it starts.
 */
export const sealedAddresses: Migration = {
  up: async (db: Kysely<OldTables>) => {
    await overwriteDeleted(db);
    await changeTables(db, "alter table notification_targets add column shown text not null default ''");
    const targets = await db.selectFrom("notification_targets").select(["id", "kind", "address"]).execute();
    const shown = targets.map(({ id, ...target }) => ({ id, shown: shownAddress(target) }));
    await updateRows(db, "notification_targets", "id", shown);
    const actions = await db.selectFrom("actions").select(["id", "targets"]).execute();
    const named = actions.map(({ id, targets: column }) => ({ id, targets: JSON.stringify(keysIn(column)) }));
    await updateRows(db, "actions", "id", named);
  },
};

function keysIn(column: string) {
  const targets: { type: string; webhook?: string }[] = JSON.parse(column);
  return withAddressKeys(targets, (webhook, target) => addressesOf([target])[0]?.key ?? webhook);
}

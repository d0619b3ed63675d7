import { createHash, randomUUID } from "node:crypto";
import { createOrganization } from "../../../../src/service/people/accounts/organizations.ts";
import { insertRows } from "../../../../src/service/store/dialect.ts";
import type { TargetKind } from "../../../../src/service/store/notification-tables.ts";
import type { Store } from "../../../../src/service/store/store.ts";

/* Rows as the domains write them, for tests that process them. */

interface TargetToAdd {
  readonly address: string;
  readonly kind?: TargetKind;
}

interface Added {
  readonly orgId: string;
  readonly actionId: string;
  readonly targetIds: readonly string[];
}

/** An organization with one notification rule for some targets. */
export function addTargets(store: Store, targets: readonly TargetToAdd[], now: number): Promise<Added> {
  return store.write(async (db) => {
    const orgId = await createOrganization(db, `org-${randomUUID()}`, now);
    const actionId = randomUUID();
    await insertRows(db, "actions", [
      {
        ...{ id: actionId, org_id: orgId, number: 1, type: "flow", name: "tell", targets: "[]", flows: "[]" },
        ...{
          environments: "[]",
          triggers: "[]",
          created_by: "tests",
          created_at: now,
          last_modified_at: now,
        },
      },
    ]);
    const rows = targets.map(({ address, kind = "webhook" }, position) => ({
      ...{ id: randomUUID(), org_id: orgId, action_id: actionId, position, kind, address, created_at: now },
      address_key: createHash("sha256").update(`${kind} ${address} ${position}`).digest("hex"),
    }));
    await insertRows(db, "notification_targets", rows);
    return { orgId, actionId, targetIds: rows.map(({ id }) => id) };
  });
}

interface EventsToAdd extends Added {
  readonly count: number;
  /** Unix seconds. */
  readonly at: number;
  /** The sequence number of the first one. */
  readonly first?: number;
  readonly wake?: () => void;
  /** Events with the same key become one message, this many seconds later. */
  readonly merge?: { readonly key: string; readonly seconds: number };
}

/** Adds events for every target in one write. */
export function addEvents(
  store: Pick<Store, "write">,
  { orgId, actionId, targetIds, count, at, first = 1, wake, merge }: EventsToAdd,
): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => ({
    ...{ id: randomUUID(), org_id: orgId, number: first + index, event_trigger: "ON_ATTESTATION" },
    ...{ payload: JSON.stringify({ version: "1.0", description: `event ${first + index}` }), created_at: at },
  }));
  const deliveries = events.flatMap(({ id: event_id }) =>
    targetIds.map((target_id) => ({
      ...{ id: randomUUID(), org_id: orgId, event_id, action_id: actionId, target_id },
      ...{ state: "pending" as const, due_at: at + (merge?.seconds ?? 0), created_at: at },
      merge_key: merge?.key ?? null,
    })),
  );
  return store.write(async (db) => {
    await insertRows(db, "notification_events", events);
    await insertRows(db, "notification_deliveries", deliveries);
    wake?.();
  });
}

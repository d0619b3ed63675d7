import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { changeTables, insertRows } from "../dialect.ts";
import { newId } from "../ids.ts";
import { addressesOf } from "../target-addresses.ts";

/** What this step reads and fills. */
interface OldTables {
  actions: { id: string; org_id: string; targets: string; last_modified_at: number };
  notification_targets: {
    id: string;
    org_id: string;
    action_id: string;
    position: number;
    kind: string;
    address: string;
    address_key: string;
    created_at: number;
  };
}

/**
 * What is told to whom: events, the deliveries that each of them causes, and the attempts of each. A target has a row
 * of its own since its action may be put again: whoever is told already stays who he is.
 *
 * Each attestation may add several deliveries, and waits for all of their indexes: there are no more than are read. So
 * nothing makes the database look for who names an event.
 *
 * The index of what is due begins with the target, so that one target with much to come hides nothing of the others.
 *
 * Actions of before get their targets. It relies on code that lives on, `target-addresses.ts`: the rows have to be those
 * that the service of this version would find again when the action is put.
 */
export const notifications: Migration = {
  up: async (db: Kysely<OldTables>) => {
    for (const statement of TABLES.split(";")) await changeTables(db, statement);
    const actions = await db
      .selectFrom("actions")
      .select(["id", "org_id", "targets", "last_modified_at"])
      .orderBy("id")
      .execute();
    const rows = actions.flatMap(({ id, org_id, targets, last_modified_at }) =>
      addressesOf(JSON.parse(targets)).map(({ kind, address, key }, position) => ({
        id: newId(),
        org_id,
        action_id: id,
        position,
        kind,
        address,
        address_key: key,
        created_at: last_modified_at,
      })),
    );
    await insertRows(db, "notification_targets", rows);
  },
};

const TABLES = `
alter table organizations add column last_event_number integer not null default 0;
alter table organizations add column signing_key text;

create table notification_targets (
  id text primary key,
  org_id text not null references organizations (id),
  action_id text not null,
  position integer not null,
  kind text not null,
  address text not null,
  address_key text not null,
  secret text,
  former_secret text,
  former_secret_until double precision,
  secret_shown_at double precision,
  token text,
  created_at double precision not null,
  removed_at double precision,
  failures integer not null default 0,
  failing_since double precision,
  paused_until double precision,
  last_success_at double precision,
  last_failure_at double precision,
  last_failure text,
  ended_at double precision,
  ended_because text,
  unique (action_id, address_key)
);
create index notification_targets_org on notification_targets (org_id);
create index notification_targets_removed on notification_targets (removed_at) where removed_at is not null;
create index notification_targets_failing on notification_targets (failing_since) where failing_since is not null;

create table notification_events (
  id text primary key,
  org_id text not null references organizations (id),
  number integer not null,
  event_trigger text not null,
  payload text not null,
  created_at double precision not null,
  unique (org_id, number)
);
create index notification_events_time on notification_events (created_at, id);

create table notification_deliveries (
  id text primary key,
  org_id text not null references organizations (id),
  event_id text not null,
  action_id text not null,
  target_id text not null references notification_targets (id),
  state text not null,
  is_example integer not null default 0,
  attempts integer not null default 0,
  due_at double precision,
  leased_by text,
  leased_until double precision,
  outcome text,
  created_at double precision not null,
  ended_at double precision
);
create index notification_deliveries_due on notification_deliveries (target_id, due_at, id) where due_at is not null;
create index notification_deliveries_log on notification_deliveries (action_id, created_at, id);
create index notification_deliveries_ended on notification_deliveries (action_id, state, created_at, id)
  where ended_at is not null;

create table notification_attempts (
  delivery_id text not null references notification_deliveries (id),
  number integer not null,
  started_at double precision not null,
  duration_ms double precision not null,
  outcome text not null,
  status integer,
  request_headers text not null,
  answer text,
  manual integer not null,
  primary key (delivery_id, number)
)
`;

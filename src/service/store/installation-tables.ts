import { flag, index, integer, table, text, time } from "./schema.ts";

export const INSTALLATION_TABLES = {
  /** One row: what tells this database from others. */
  database_identity: table({
    only_row: integer.key.check("only_row = 1"),
    id: text,
    /** What tells its place for attachments from others; null before it has one. */
    place_id: text.nullable,
    /** Random id of the last sweep; null before the first one. */
    sweep_generation: text.nullable,
    /** The generation of a sweep that has not moved the place yet, or was interrupted. */
    next_sweep_generation: text.nullable,
  }),

  /** Files at the place for attachments that no record named when somebody looked. */
  orphaned_attachments: table(
    {
      sha256: text.key,
      marked_at: time,
      /** Since when one of the instances is removing it; null before. */
      removing_since: time.nullable,
    },
    index("orphaned_attachments_age", ["marked_at"]),
  ),

  /** The processes that serve the records, each until it stops or is not seen any more. */
  instances: table({
    id: text.key,
    version: text,
    host: text,
    started_at: time,
    seen_at: time,
  }),

  /** Work that one instance at a time does. */
  leases: table({
    name: text.key,
    holder: text,
    expires_at: time,
    /** When it was done last; null before. */
    ended_at: time.nullable,
  }),

  /** The migrations that the tables have gone through, the first of which made them. */
  schema_migrations: table({
    name: text.key,
    /** 1 for one after which no older version can work on the records. */
    is_breaking: flag,
  }),

  /** One row: of all instances on PostgreSQL, the one that locks it writes. */
  write_lock: table({ only_row: integer.key.check("only_row = 1") }),
};

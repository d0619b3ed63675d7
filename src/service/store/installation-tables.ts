import { flag, index, integer, table, text, time } from "./schema.ts";

export const INSTALLATION_TABLES = {
  /** One row that identifies this database. */
  database_identity: table({
    only_row: integer.key.check("only_row = 1"),
    id: text,
    /** Identifies the place for its attachments; null before it has one. */
    place_id: text.nullable,
    /** Random id of the last sweep; null before the first one. */
    sweep_generation: text.nullable,
    /** The generation of a sweep that has not moved the place yet, or was interrupted. */
    next_sweep_generation: text.nullable,
  }),

  /** Files at the place for attachments that no record named at the last check. */
  orphaned_attachments: table(
    {
      sha256: text.key,
      marked_at: time,
      /** Time at which an instance began to remove it; null before. */
      removing_since: time.nullable,
    },
    index("orphaned_attachments_age", ["marked_at"]),
  ),

  /** The processes that serve the records, each until it stops or is no longer seen. */
  instances: table({
    id: text.key,
    version: text,
    host: text,
    started_at: time,
    seen_at: time,
  }),

  /** Work that only one instance does at a time. */
  leases: table({
    name: text.key,
    holder: text,
    expires_at: time,
    /** Time at which the work last ended; null before. */
    ended_at: time.nullable,
  }),

  /** Migrations applied to the tables. The first one created them. */
  schema_migrations: table({
    name: text.key,
    /** 1 if no older version can use the records after it. */
    is_breaking: flag,
  }),
};

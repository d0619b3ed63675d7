import { flag, index, integer, json, primaryKey, real, table, text, time, unique } from "./schema.ts";

/** What a target is, as its address says: of the kinds on the wire, or one that the address of a webhook stands for. */
export type TargetKind = "webhook" | "slack" | "teams" | "github" | "email";

/** A delivery waits, or has ended: the target took it, it will not be tried again, or nobody is told any more. */
export type DeliveryState = "pending" | "delivered" | "failed" | "cancelled";

export const NOTIFICATION_TABLES = {
  actions: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      number: integer,
      type: text,
      name: text,
      targets: json,
      flows: json,
      environments: json.default("[]"),
      triggers: json,
      created_by: text,
      created_at: time,
      last_modified_at: time,
    },
    unique("org_id", "number"),
    unique("org_id", "type", "name"),
  ),

  notification_targets: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      action_id: text,
      position: integer,
      kind: text.of<TargetKind>(),
      address: text,
      shown: text.default(""),
      address_key: text,
      /** What signs its deliveries, sealed. */
      secret: text.nullable,
      /** The secret before, which signs as well until its time is over. */
      former_secret: text.nullable,
      former_secret_until: time.nullable,
      /** When somebody was shown the secret; it is shown once. */
      secret_shown_at: time.nullable,
      /** What opens the address, sealed: a bearer token. */
      token: text.nullable,
      created_at: time,
      /** When its action ceased to name it, or was deleted. Nothing that still waits is sent to it. */
      removed_at: time.nullable,
      failures: integer.default(0),
      /** Since when all have failed. */
      failing_since: time.nullable,
      /** Nothing is sent before. */
      paused_until: time.nullable,
      last_success_at: time.nullable,
      last_failure_at: time.nullable,
      last_failure: text.nullable,
      /** When it was switched off, and why. */
      ended_at: time.nullable,
      ended_because: text.nullable,
    },
    unique("action_id", "address_key"),
    index("notification_targets_failing", ["failing_since"], { where: "failing_since is not null" }),
    index("notification_targets_org", ["org_id"]),
    index("notification_targets_removed", ["removed_at"], { where: "removed_at is not null" }),
  ),

  notification_events: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      number: integer,
      event_trigger: text,
      /** As `NotificationPayload` says, without `sequence`. Written once, so that each repeat is equal. */
      payload: json,
      created_at: time,
    },
    unique("org_id", "number"),
    index("notification_events_time", ["created_at", "id"]),
  ),

  notification_deliveries: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      event_id: text,
      action_id: text,
      target_id: text.references("notification_targets"),
      state: text.of<DeliveryState>(),
      is_example: flag.default(0),
      attempts: integer.default(0),
      /** When it is next tried. Null when it is not. */
      due_at: time.nullable,
      leased_by: text.nullable,
      leased_until: time.nullable,
      outcome: text.nullable,
      created_at: time,
      ended_at: time.nullable,
    },
    index("notification_deliveries_due", ["target_id", "due_at", "id"], { where: "due_at is not null" }),
    index("notification_deliveries_ended", ["action_id", "state", "created_at", "id"], {
      where: "ended_at is not null",
    }),
    index("notification_deliveries_log", ["action_id", "created_at", "id"]),
  ),

  notification_attempts: table(
    {
      delivery_id: text.references("notification_deliveries"),
      number: integer,
      started_at: time,
      duration_ms: real,
      outcome: text,
      status: integer.nullable,
      /** What was sent beside the body, without signatures and tokens. */
      request_headers: json,
      answer: text.nullable,
      manual: flag,
    },
    primaryKey("delivery_id", "number"),
  ),
};

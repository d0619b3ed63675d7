import { flag, index, integer, json, primaryKey, real, table, text, time, unique } from "./schema.ts";

/** The kind of a target, by its address: a kind of the interface, or one recognized by its webhook address. */
export type TargetKind = "webhook" | "slack" | "teams" | "github" | "email";

/**
 * A delivery is pending, or has ended: delivered, failed for good, canceled because its target is gone, or muted with its
 * rule.
 */
export type DeliveryState = "pending" | "delivered" | "failed" | "cancelled" | "muted";

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
      /** Until this time, deliveries are recorded and not sent. */
      muted_until: time.nullable,
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
      /** The sealed secret that signs its deliveries. */
      secret: text.nullable,
      /** The previous secret, which also signs until it expires. */
      former_secret: text.nullable,
      former_secret_until: time.nullable,
      /** Time at which the secret was shown; it is shown once. */
      secret_shown_at: time.nullable,
      /** The sealed bearer token for the address. */
      token: text.nullable,
      created_at: time,
      /** Time at which the target or its rule was deleted. Pending deliveries are not sent. */
      removed_at: time.nullable,
      failures: integer.default(0),
      /** Time since which all deliveries have failed. */
      failing_since: time.nullable,
      /** No delivery is sent before this time. */
      paused_until: time.nullable,
      last_success_at: time.nullable,
      last_failure_at: time.nullable,
      last_failure: text.nullable,
      /** Time of, and reason for, disabling the target. */
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
      /** A `NotificationPayload` without `sequence`. Written once, so that every repeat is identical. */
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
      /** Time of the next attempt. Null if there is none. */
      due_at: time.nullable,
      leased_by: text.nullable,
      leased_until: time.nullable,
      outcome: text.nullable,
      created_at: time,
      ended_at: time.nullable,
      /** Deliveries to people with the same key become one message. */
      merge_key: text.nullable,
      /** The delivery whose message contains this event. It has the schedule of both. */
      merged_into: text.nullable,
    },
    index("notification_deliveries_due", ["target_id", "due_at", "id"], { where: "due_at is not null" }),
    index("notification_deliveries_ended", ["action_id", "state", "created_at", "id"], {
      where: "ended_at is not null",
    }),
    index("notification_deliveries_log", ["action_id", "created_at", "id"]),
    index("notification_deliveries_merge", ["target_id", "merge_key"], {
      where: "merge_key is not null and due_at is not null",
    }),
    index("notification_deliveries_merged", ["merged_into"], { where: "merged_into is not null" }),
  ),

  notification_attempts: table(
    {
      delivery_id: text.references("notification_deliveries"),
      number: integer,
      started_at: time,
      duration_ms: real,
      outcome: text,
      status: integer.nullable,
      /** Headers of the request, without signatures and tokens. */
      request_headers: json,
      answer: text.nullable,
      manual: flag,
    },
    primaryKey("delivery_id", "number"),
  ),

  /** The latest result in a notification, so that each change is reported once. */
  notified_results: table(
    {
      /** The id of a trail, or the digest of what a gate checked. */
      subject_id: text.key,
      org_id: text.references("organizations"),
      /** A compliance state, or the digest of the reasons of a gate. Empty before the first notification. */
      result: text.default(""),
      /** Time at which an incomplete trail counts as quiet. */
      quiet_at: time.nullable,
      noted_at: time,
    },
    index("notified_results_quiet", ["quiet_at"], { where: "quiet_at is not null" }),
    index("notified_results_noted", ["noted_at"]),
  ),
};

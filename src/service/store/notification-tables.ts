import type { Generated } from "kysely";

type Flag = number;
type Json = string;

/** What a target is, as its address says: of the kinds on the wire, or one that the address of a webhook stands for. */
export type TargetKind = "webhook" | "slack" | "teams" | "github" | "email";

/** A delivery waits, or has ended: the target took it, it will not be tried again, or nobody is told any more. */
export type DeliveryState = "pending" | "delivered" | "failed" | "cancelled";

/** Who is told of what happened, and how that went. */
export interface NotificationTables {
  /** Where the deliveries of an action go. One that the action names no more is kept as long as its log. */
  notification_targets: {
    id: string;
    org_id: string;
    action_id: string;
    /** Its place among the targets of the action, from 0. */
    position: number;
    kind: TargetKind;
    /** A web address, sealed, or one mail address. Each mail address of a target has its own row and deliveries. */
    address: string;
    /** The part of the address that may be shown. */
    shown: Generated<string>;
    /** sha256 of kind and address, in hex, keyed for a web address: what it is found again by when the action is put. */
    address_key: string;
    /** What signs its deliveries, sealed. */
    secret: string | null;
    /** The secret before, which signs as well until its time is over. */
    former_secret: string | null;
    former_secret_until: number | null;
    /** When somebody was shown the secret; it is shown once. */
    secret_shown_at: number | null;
    /** What opens the address, sealed: a bearer token. */
    token: string | null;
    created_at: number;
    /** When its action ceased to name it, or was deleted. Nothing that still waits is sent to it. */
    removed_at: number | null;
    /** Attempts that failed one after the other. */
    failures: Generated<number>;
    /** Since when all have failed. */
    failing_since: number | null;
    /** Nothing is sent before. */
    paused_until: number | null;
    last_success_at: number | null;
    last_failure_at: number | null;
    last_failure: string | null;
    /** When it was switched off, and why. */
    ended_at: number | null;
    ended_because: string | null;
  };
  notification_events: {
    id: string;
    org_id: string;
    /** Counts up in the organization. */
    number: number;
    event_trigger: string;
    /** As `NotificationPayload` says, without `sequence`. Written once, so that each repeat is equal. */
    payload: Json;
    created_at: number;
  };
  notification_deliveries: {
    id: string;
    org_id: string;
    event_id: string;
    action_id: string;
    target_id: string;
    state: DeliveryState;
    /** Whether somebody had it sent to see whether it arrives. It is not tried again. */
    is_example: Generated<Flag>;
    attempts: Generated<number>;
    /** When it is next tried. Null when it is not. */
    due_at: number | null;
    leased_by: string | null;
    leased_until: number | null;
    /** How the latest attempt ended. */
    outcome: string | null;
    created_at: number;
    ended_at: number | null;
  };
  notification_attempts: {
    delivery_id: string;
    /** From 1. */
    number: number;
    started_at: number;
    duration_ms: number;
    outcome: string;
    status: number | null;
    /** What was sent beside the body, without signatures and tokens. */
    request_headers: Json;
    /** The beginning of the answer. */
    answer: string | null;
    /** Whether somebody asked for it. */
    manual: Flag;
  };
}

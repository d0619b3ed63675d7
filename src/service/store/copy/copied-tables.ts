import type { Tables } from "../tables.ts";

/** How the rows of a table are copied. */
export interface CopiedTable<Name extends keyof Tables & string = keyof Tables & string> {
  readonly name: Name;
  /** The columns by which its rows are read, one portion after the other. No two rows have the same in all of them. */
  readonly key: readonly (keyof Tables[Name] & string)[];
  /** A column that names rows which may come later: it is filled when all are there. */
  readonly later?: keyof Tables[Name] & string;
  /** A column that counts up by itself. */
  readonly counts?: keyof Tables[Name] & string;
}

function table<Name extends keyof Tables & string>(
  name: Name,
  key: CopiedTable<Name>["key"],
  more: Pick<CopiedTable<Name>, "later" | "counts"> = {},
): CopiedTable {
  // The columns are checked against the table here; what copies rows takes all tables alike.
  return { name, key, ...more } as CopiedTable;
}

/**
 * What instances do at the moment, who is signed in, and what is said of the place for attachments: a copy starts with
 * none of it.
 */
export const EMPTY_IN_COPIES = [
  "instances",
  "leases",
  "sessions",
  "access_tokens",
  "orphaned_attachments",
] as const;

/** The tables of which no row belongs to a copy: it also has its own history of the tables, and its own identity. */
export const NOT_COPIED: readonly (keyof Tables)[] = [
  ...EMPTY_IN_COPIES,
  "breaking_steps",
  "database_identity",
];

/** All others, each after those that its rows refer to. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  table("organizations", ["id"]),
  table("service_accounts", ["id"], { later: "created_by_id" }),
  table("api_keys", ["id"]),
  table("trust_policies", ["id"]),
  table("origins", ["id"]),
  table("used_tokens", ["issuer", "token_id"]),
  table("record_origins", ["record_kind", "record_id"]),
  table("answered_requests", ["answered_at", "api_key_id", "request_hash", "subject"]),
  table("tags", ["resource_type", "resource_id", "key"]),
  table("repos", ["id"]),
  table("flows", ["id"]),
  table("former_flow_names", ["org_id", "name"]),
  table("trails", ["id"]),
  table("trail_repos", ["trail_id", "repo_id"]),
  table("trail_events", ["sequence"], { counts: "sequence" }),
  table("artifacts", ["sequence"], { counts: "sequence" }),
  table("attestation_series", ["id"]),
  table("attestations", ["sequence"], { counts: "sequence" }),
  table("latest_attestations", [
    ...(["trail_id", "fingerprint", "artifact_name", "commit_sha"] as const),
    ...(["name", "type", "control"] as const),
  ]),
  table("attestation_targets", ["attestation_id", "artifact_name"]),
  table("attachments", ["attestation_id", "position"]),
  table("custom_attestation_types", ["id"]),
  table("custom_attestation_type_versions", ["type_id", "version"]),
  table("controls", ["id"]),
  table("control_versions", ["control_id", "version"]),
  table("control_decisions", ["attestation_id"]),
  table("policies", ["id"]),
  table("policy_versions", ["policy_id", "version"]),
  table("policy_events", ["policy_id", "number"]),
  table("policy_controls", ["policy_id", "control_id"]),
  table("environments", ["id"], { later: "latest_snapshot_id" }),
  table("share_links", ["id"]),
  table("environment_members", ["environment_id", "member_id"]),
  table("environment_policies", ["environment_id", "policy_id"]),
  table("allowlists", ["id"]),
  table("snapshots", ["id"]),
  table("running_intervals", ["id"], { counts: "id" }),
  table("approvals", ["id"]),
  table("actions", ["id"]),
  table("notification_targets", ["id"]),
  table("notification_events", ["id"]),
  table("notification_deliveries", ["id"]),
  table("notification_attempts", ["delivery_id", "number"]),
  table("audit_log", ["sequence"], { counts: "sequence" }),
];

import type { Tables } from "../tables.ts";

type Name = keyof Tables & string;
type Columns<Table extends Name> = keyof Tables[Table] & string;

/** A column that refers to a row of another table, with or without a foreign key. */
export interface Reference {
  readonly table: Name;
  readonly column: string;
  /** The table and column that it refers to. */
  readonly to: Name;
  readonly by: string;
  /** Columns that repeat a value of the other row, each with that row's column. */
  readonly same: Readonly<Record<string, string>>;
  /** Set if the reference applies only to rows of this `resource_type`. */
  readonly resourceType: string | undefined;
}

interface More<Table extends Name, To extends Name> {
  by?: Columns<To>;
  same?: { readonly [Column in Columns<Table>]?: Columns<To> };
  resourceType?: string;
}

function reference<Table extends Name, To extends Name>(
  table: Table,
  column: Columns<Table>,
  to: To,
  { by, same, resourceType }: More<Table, To> = {},
): Reference {
  return { table, column, to, by: by ?? "id", same: { ...same }, resourceType };
}

const ORG = { org_id: "org_id" } as const;

export const REFERENCES: readonly Reference[] = [
  reference("service_accounts", "org_id", "organizations"),
  reference("service_accounts", "created_by_id", "service_accounts"),
  reference("api_keys", "service_account_id", "service_accounts"),
  reference("service_accounts", "person_id", "people"),
  reference("sessions", "api_key_id", "api_keys"),
  reference("sessions", "person_id", "people"),
  reference("device_logins", "person_id", "people"),
  reference("people", "org_id", "organizations"),
  reference("identities", "person_id", "people"),
  reference("memberships", "account_id", "service_accounts"),
  reference("invitations", "org_id", "organizations"),
  reference("invitations", "created_by_id", "service_accounts"),
  reference("login_providers", "org_id", "organizations"),
  reference("scim_tokens", "org_id", "organizations"),
  reference("scim_resources", "org_id", "organizations"),
  reference("scim_resources", "person_id", "people"),
  reference("scim_group_members", "group_id", "scim_resources"),
  reference("scim_group_members", "user_id", "scim_resources"),
  reference("hooks", "org_id", "organizations"),
  reference("logs", "org_id", "organizations"),
  reference("log_tiles", "org_id", "organizations"),
  reference("log_keys", "org_id", "organizations"),
  reference("statement_keys", "org_id", "organizations"),
  reference("statements", "org_id", "organizations"),
  reference("statements", "trail_id", "trails", { same: ORG }),
  reference("hooks", "account_id", "service_accounts", { same: ORG }),
  reference("hooks", "api_key_id", "api_keys"),
  reference("trust_policies", "org_id", "organizations"),
  reference("trust_policies", "key_id", "api_keys"),
  reference("origins", "org_id", "organizations"),
  reference("access_tokens", "key_id", "api_keys"),
  reference("access_tokens", "origin_id", "origins"),
  reference("record_origins", "origin_id", "origins"),
  reference("share_links", "org_id", "organizations"),
  reference("share_links", "flow_id", "flows", { same: ORG }),
  reference("share_links", "trail_id", "trails", { same: ORG }),
  reference("share_links", "environment_id", "environments", { same: ORG }),
  reference("answered_requests", "api_key_id", "api_keys"),
  reference("tags", "org_id", "organizations"),
  reference("tags", "resource_id", "flows", { same: ORG, resourceType: "flow" }),
  reference("tags", "resource_id", "environments", { same: ORG, resourceType: "environment" }),
  reference("tags", "resource_id", "controls", { same: ORG, resourceType: "control" }),
  reference("tags", "resource_id", "repos", { same: ORG, resourceType: "repo" }),
  reference("repos", "org_id", "organizations"),
  reference("flows", "org_id", "organizations"),
  reference("former_flow_names", "flow_id", "flows", { same: ORG }),
  reference("trails", "flow_id", "flows", { same: ORG }),
  reference("trail_repos", "trail_id", "trails"),
  reference("trail_repos", "repo_id", "repos"),
  reference("events", "org_id", "organizations"),
  reference("events", "trail_id", "trails", { same: ORG }),
  reference("events", "by_id", "service_accounts", { same: ORG }),
  reference("artifacts", "flow_id", "flows", { same: ORG }),
  reference("artifacts", "trail_id", "trails", { same: { ...ORG, flow_id: "flow_id" } }),
  reference("artifacts", "repo_id", "repos", { same: ORG }),
  reference("search_documents", "flow_id", "flows", { same: ORG }),
  reference("search_documents", "trail_id", "trails", { same: { ...ORG, flow_id: "flow_id" } }),
  reference("attestation_series", "flow_id", "flows", { same: ORG }),
  reference("attestations", "trail_id", "trails", { same: { ...ORG, flow_id: "flow_id" } }),
  reference("attestations", "series_id", "attestation_series", {
    // Types are compared elsewhere, because overrides are filed under their own type.
    same: { ...ORG, flow_id: "flow_id", name: "name", is_compliant: "is_compliant" },
  }),
  reference("attestations", "overridden_id", "attestations", { same: { trail_id: "trail_id" } }),
  reference("attestations", "repo_id", "repos", { same: ORG }),
  reference("latest_attestations", "trail_id", "trails"),
  reference("latest_attestations", "attestation_sequence", "attestations", {
    by: "sequence",
    same: { trail_id: "trail_id", name: "name", type: "type" },
  }),
  reference("attestation_targets", "attestation_id", "attestations", {
    same: { trail_id: "trail_id", commit_sha: "commit_sha" },
  }),
  reference("attachments", "attestation_id", "attestations"),
  reference("custom_attestation_types", "org_id", "organizations"),
  reference("custom_attestation_type_versions", "type_id", "custom_attestation_types"),
  reference("decision_policies", "org_id", "organizations"),
  reference("decision_policy_versions", "policy_id", "decision_policies"),
  reference("controls", "org_id", "organizations"),
  reference("control_versions", "control_id", "controls"),
  reference("control_decisions", "attestation_id", "attestations", {
    same: { ...ORG, is_compliant: "is_compliant", artifact_fingerprint: "artifact_fingerprint" },
  }),
  reference("evaluations", "org_id", "organizations"),
  reference("evaluations", "attestation_id", "attestations", { same: ORG }),
  reference("evaluations", "environment_id", "environments", { same: ORG }),
  reference("policies", "org_id", "organizations"),
  reference("policy_versions", "policy_id", "policies"),
  reference("policy_events", "policy_id", "policies"),
  reference("policy_controls", "policy_id", "policies"),
  reference("policy_controls", "control_id", "controls"),
  reference("environments", "org_id", "organizations"),
  reference("environments", "latest_snapshot_id", "snapshots", { same: { id: "environment_id" } }),
  reference("environment_members", "environment_id", "environments"),
  reference("environment_members", "member_id", "environments"),
  reference("environment_policies", "environment_id", "environments"),
  reference("environment_policies", "policy_id", "policies"),
  reference("allowlists", "environment_id", "environments"),
  reference("admission_webhooks", "org_id", "organizations"),
  reference("admission_webhooks", "environment_id", "environments", { same: ORG }),
  reference("admission_webhooks", "account_id", "service_accounts", { same: ORG }),
  reference("admission_webhooks", "api_key_id", "api_keys"),
  reference("snapshots", "environment_id", "environments"),
  reference("running_intervals", "environment_id", "environments"),
  reference("approvals", "flow_id", "flows"),
  reference("actions", "org_id", "organizations"),
  // A target's action may be deleted; its deliveries stay in the log.
  reference("notification_targets", "org_id", "organizations"),
  reference("notification_events", "org_id", "organizations"),
  reference("notification_deliveries", "event_id", "notification_events", { same: ORG }),
  reference("notification_deliveries", "target_id", "notification_targets", {
    same: { ...ORG, action_id: "action_id" },
  }),
  reference("notification_attempts", "delivery_id", "notification_deliveries"),
  reference("notified_results", "org_id", "organizations"),
  reference("audit_log", "org_id", "organizations"),
];

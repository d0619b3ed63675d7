import type { Tables } from "../tables.ts";

/** The columns that hold JSON, or nothing where they may. */
export const JSON_COLUMNS: { readonly [Table in keyof Tables]?: readonly (keyof Tables[Table] & string)[] } =
  {
    api_keys: ["scope"],
    trust_policies: ["claims"],
    origins: ["claims"],
    answered_requests: ["answer"],
    flows: ["template"],
    trails: ["git_commit_info", "external_urls", "user_data", "template"],
    trail_events: ["git_commit_info", "details"],
    artifacts: ["details"],
    attestations: ["details"],
    custom_attestation_type_versions: ["type_schema", "evaluator", "summary"],
    controls: ["links"],
    control_versions: ["links"],
    policy_versions: ["definition"],
    policy_events: ["data"],
    snapshots: ["policies"],
    running_intervals: ["origins", "instances", "decisions", "flows"],
    approvals: ["commits", "reviews", "user_data"],
    actions: ["targets", "flows", "environments", "triggers"],
    notification_events: ["payload"],
    notification_attempts: ["request_headers"],
    audit_log: ["details", "changes"],
  };

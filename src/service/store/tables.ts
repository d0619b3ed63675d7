import type { Generated, Kysely, Selectable } from "kysely";
import type { AccountTables } from "./account-tables.ts";
import type { EnvironmentTables } from "./environment-tables.ts";
import type { InstanceTables } from "./instance-tables.ts";
import type { NotificationTables } from "./notification-tables.ts";

/*
 * Types that every database the service runs on has: times are Unix seconds with a fraction, booleans 0 or 1,
 * JSON is text in the shape of the wire. `sequence` counts up with each record, so the latest is the highest. This
 * holds while writes come one after the other: a store with several writers at a time takes a `sequence` only while it
 * holds the organization of the record.
 */

type Flag = number;
type Json = string;

/** What a trail, or an artifact in it, was judged to be. */
export type ComplianceState = "COMPLIANT" | "NON-COMPLIANT" | "INCOMPLETE";

export interface Tables extends AccountTables, EnvironmentTables, InstanceTables, NotificationTables {
  flows: {
    id: string;
    org_id: string;
    name: string;
    description: string;
    visibility: string;
    repo_url: string | null;
    template: Json;
    /** The template as its author wrote it: YAML, or for an older flow a JSON array of names. */
    template_source: string | null;
    created_at: number;
    last_modified_at: number;
    archived_at: number | null;
    /** The number that the latest approval got. */
    last_approval_number: Generated<number>;
  };
  /** Names that flows had before they were renamed, until another flow takes them. */
  former_flow_names: { org_id: string; name: string; flow_id: string };
  tags: { org_id: string; resource_type: string; resource_id: string; key: string; value: string };
  trails: {
    id: string;
    org_id: string;
    flow_id: string;
    name: string;
    description: string;
    git_commit_info: Json | null;
    origin_url: string | null;
    external_urls: Json | null;
    user_data: Json;
    /** The template as it was when the trail began. */
    template: Json;
    template_source: string | null;
    /** What its records were judged to be when the last of them was added. */
    compliance_state: ComplianceState;
    /** Since when that is its state. */
    compliance_since: number;
    /** What keeps it from being compliant, in short; null when nothing does. */
    compliance_reason: string | null;
    created_by: string;
    created_at: number;
    last_modified_at: number;
  };
  trail_repos: { trail_id: string; repo_id: string };
  /** What happened to a trail, in the order in which it happened. */
  trail_events: {
    sequence: Generated<number>;
    trail_id: string;
    type: string;
    git_commit_info: Json | null;
    repo_id: string | null;
    /** The fields of its type. */
    details: Json;
    created_at: number;
  };
  artifacts: {
    sequence: Generated<number>;
    id: string;
    org_id: string;
    flow_id: string;
    trail_id: string | null;
    fingerprint: string;
    filename: string;
    template_name: string | null;
    commit_sha: string | null;
    /** The branch that its commit was made on. */
    branch: string | null;
    is_compliant: Flag | null;
    build_url: string;
    commit_url: string;
    repo_url: string | null;
    repo_id: string | null;
    /** The fields that are only ever shown. */
    details: Json;
    /** As of trails. Null without a trail: then its flow's template alone decides, and is asked when it is read. */
    compliance_state: ComplianceState | null;
    compliance_since: number | null;
    compliance_reason: string | null;
    created_by: string;
    created_at: number;
  };
  attestations: {
    sequence: Generated<number>;
    id: string;
    org_id: string;
    flow_id: string;
    trail_id: string;
    /** What it has in common with others, for lists. */
    series_id: string;
    /** The attestation that this one overrides. */
    overridden_id: string | null;
    name: string;
    type: string;
    is_compliant: Flag;
    artifact_fingerprint: string | null;
    commit_sha: string | null;
    repo_id: string | null;
    /** The fields that are only ever shown. */
    details: Json;
    created_by: string;
    created_at: number;
  };
  /**
   * The attestations that count: of each name, type and control about one thing in a trail the one made last. One that
   * is for several artifacts of the template has a row for each.
   */
  latest_attestations: {
    trail_id: string;
    /** The artifact it is about; empty when it names none. */
    fingerprint: string;
    /** Without a fingerprint: the artifact's name in the template. Empty when it is about the trail. */
    artifact_name: string;
    /** The commit of the artifact that is named so; empty else. */
    commit_sha: string;
    name: string;
    type: string;
    /** The control that it decides about; empty when it is no decision. */
    control: string;
    attestation_sequence: number;
  };
  /** The flow, name, type and outcome that attestations have in common. */
  attestation_series: {
    id: string;
    org_id: string;
    flow_id: string;
    name: string;
    type: string;
    is_compliant: Flag;
  };
  custom_attestation_types: {
    id: string;
    org_id: string;
    name: string;
    description: string | null;
    archived_at: number | null;
    /** The number of the latest version. */
    last_version: Generated<number>;
    created_by: string;
    created_at: number;
    last_modified_at: number;
  };
  custom_attestation_type_versions: {
    type_id: string;
    /** Counts from 1 for each type. */
    version: number;
    /** A JSON Schema, as it was uploaded. */
    type_schema: Json | null;
    evaluator: Json;
    summary: Json | null;
    created_by: string;
    created_at: number;
  };
  /** References to artifacts by their name in the template and their commit. */
  attestation_targets: {
    attestation_id: string;
    trail_id: string;
    artifact_name: string;
    commit_sha: string | null;
  };
  attachments: {
    attestation_id: string;
    position: number;
    name: string;
    size: number;
    media_type: string;
    sha256: string;
  };
  /** Files at the place for attachments that no record named when somebody looked. */
  orphaned_attachments: {
    sha256: string;
    marked_at: number;
    /** Since when one of the instances is removing it; null before. */
    removing_since: number | null;
  };
  /** One row: what tells this database from others. */
  database_identity: {
    only_row: number;
    id: string;
    /** What tells its place for attachments from others; null before it has one. */
    place_id: string | null;
    /** Random id of the last sweep; null before the first one. */
    sweep_generation: string | null;
    /** The generation of a sweep that has not moved the place yet, or was interrupted. */
    next_sweep_generation: string | null;
  };
  repos: {
    id: string;
    org_id: string;
    /** As it was given, whether or not it is a known one. Empty when unknown. */
    provider: string;
    repo_id: string | null;
    name: string;
    url: string;
    description: string | null;
    namespace_path: Json | null;
    additional_info: Json | null;
    created_at: number;
    latest_activity_at: number;
  };
  actions: {
    id: string;
    org_id: string;
    number: number;
    type: string;
    name: string;
    targets: Json;
    flows: Json;
    environments: Generated<Json>;
    triggers: Json;
    created_by: string;
    created_at: number;
    last_modified_at: number;
  };
  controls: {
    id: string;
    org_id: string;
    identifier: string;
    name: string;
    description: string;
    /** Addresses by label. */
    links: Json;
    /** Counts up with each change. */
    version: number;
    archived_at: number | null;
    created_by: string;
    created_at: number;
  };
  control_versions: {
    control_id: string;
    version: number;
    name: string;
    description: string;
    links: Json;
    /** What made the version: `created`, `edited`, `archived` or `unarchived`. */
    status: string;
    created_by: string;
    created_at: number;
  };
  /** Attestations that decide about a control, by the control. */
  control_decisions: {
    attestation_id: string;
    org_id: string;
    /** The identifier of the control, which need not exist. */
    control: string;
    /** The version that the control had then; null when there was no such control. */
    control_version: number | null;
    is_compliant: Flag;
    artifact_fingerprint: string | null;
    created_at: number;
  };
  policies: {
    id: string;
    org_id: string;
    name: string;
    description: string;
    /** The number of the latest version. */
    version: number;
    /** The number that the latest event got. */
    last_event_number: Generated<number>;
    created_by: string;
    created_at: number;
    last_modified_at: number;
  };
  policy_versions: {
    policy_id: string;
    version: number;
    comment: string;
    /** YAML, as it was uploaded. */
    source: string;
    /** What it asks for, as snapshots show it. */
    definition: Json;
    created_by: string;
    created_at: number;
  };
  policy_events: {
    policy_id: string;
    /** Counts from 1 for each policy. */
    number: number;
    type: string;
    data: Json;
    created_by: string;
    created_at: number;
  };
  /** The controls that the latest version of a policy asks for decisions about. */
  policy_controls: { policy_id: string; control_id: string };
  environment_policies: { environment_id: string; policy_id: string };
  approvals: {
    id: string;
    flow_id: string;
    /** Counts from 1 in each flow, without gaps. */
    number: number;
    artifact_fingerprint: string;
    artifact_name: string;
    /** The fingerprint of the artifact that the approved commits come after; empty when it is not known. */
    base_artifact: string;
    environment: string | null;
    description: string;
    commits: Json;
    reviews: Json;
    state: "APPROVED" | "UNAPPROVED" | "PENDING";
    user_data: Json | null;
    created_by: string;
    created_at: number;
    last_modified_at: number;
  };
  /** Requests that were answered, so that a repeat is answered alike and recorded once. */
  answered_requests: {
    api_key_id: string;
    idempotency_key: string | null;
    request_hash: string;
    /** What the request was about; a later record about the same makes an equal request a new one. */
    subject: string;
    answer: Json;
    answered_at: number;
  };
}

export type Database = Kysely<Tables>;
export type AttestationRow = Selectable<Tables["attestations"]>;

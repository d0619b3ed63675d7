import type { Generated, Kysely, Selectable } from "kysely";

/*
 * Types that every database the service runs on has: times are Unix seconds with a fraction, booleans 0 or 1,
 * JSON is text in the shape of the wire. `sequence` counts up with each record, so the latest is the highest.
 */

type Flag = number;
type Json = string;

export interface Tables {
  organizations: { id: string; name: string; created_at: number };
  service_accounts: { id: string; org_id: string; name: string; role: string; created_at: number };
  api_keys: {
    id: string;
    service_account_id: string;
    /** sha256 of the key, in hex. The key itself is nowhere. */
    key_hash: string;
    description: string;
    created_at: number;
    expires_at: number | null;
    revoked_at: number | null;
  };
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
  };
  trails: {
    id: string;
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
    created_by: string;
    created_at: number;
    last_modified_at: number;
  };
  trail_repos: { trail_id: string; repo_id: string };
  artifacts: {
    sequence: Generated<number>;
    id: string;
    flow_id: string;
    trail_id: string | null;
    fingerprint: string;
    filename: string;
    template_name: string | null;
    commit_sha: string | null;
    is_compliant: Flag | null;
    build_url: string;
    commit_url: string;
    repo_url: string | null;
    repo_id: string | null;
    /** The fields that are only ever shown. */
    details: Json;
    created_by: string;
    created_at: number;
  };
  attestations: {
    sequence: Generated<number>;
    id: string;
    trail_id: string;
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
  /** Claims for artifacts by their name in the template and their commit. */
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
  repos: {
    id: string;
    org_id: string;
    /** Empty when unknown. */
    provider: string;
    repo_id: string | null;
    name: string;
    url: string;
    description: string | null;
    created_at: number;
    latest_activity_at: number;
  };
  environments: {
    id: string;
    org_id: string;
    name: string;
    type: string;
    description: string;
    include_scaling: Flag;
    require_provenance: Flag;
    created_at: number;
    last_modified_at: number;
    last_reported_at: number | null;
  };
  environment_members: { environment_id: string; member_id: string };
  snapshots: {
    id: string;
    environment_id: string;
    /** Counts from 1 in each environment, without gaps. */
    number: number;
    /** Digest of the set of (artifact name, fingerprint): equal sets have equal digests. */
    artifact_set: string;
    created_at: number;
  };
  snapshot_artifacts: { snapshot_id: string; name: string; fingerprint: string; pods: Json };
  actions: {
    id: string;
    org_id: string;
    number: number;
    type: string;
    name: string;
    targets: Json;
    flows: Json;
    triggers: Json;
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

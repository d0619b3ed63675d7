import { flag, index, integer, json, primaryKey, sequence, table, text, time, unique } from "./schema.ts";

/** The compliance result of a trail, or of an artifact in it. */
export type ComplianceState = "COMPLIANT" | "NON-COMPLIANT" | "INCOMPLETE";

export interface Modification {
  last_modified_at: number;
  modified_minute: number;
}

/** Columns of a trail that is changed at this time. */
export function modifiedAt(now: number): Modification {
  return { last_modified_at: now, modified_minute: Math.floor(now / 60) };
}

/** The type of override records in their series. In a template, the overridden type counts. */
export const OVERRIDE = "override";

export const EVIDENCE_TABLES = {
  tags: table(
    {
      org_id: text.references("organizations"),
      resource_type: text,
      resource_id: text,
      key: text,
      value: text,
    },
    primaryKey("resource_type", "resource_id", "key"),
    index("tags_value", ["org_id", "resource_type", "key", "value", "resource_id"]),
  ),

  repos: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      /** As it was sent, known or not. Empty if unknown. */
      provider: text,
      repo_id: text.nullable,
      name: text,
      url: text,
      description: text.nullable,
      namespace_path: json.nullable,
      additional_info: json.nullable,
      /** The host of `url` in lower case, without `www.` and with a port that is not the default. */
      host: text.default(""),
      /** `group/subgroup`: of `namespace_path`, otherwise of the name. Empty for none. */
      namespace: text.default(""),
      created_at: time,
      latest_activity_at: time,
    },
    index("repos_external", ["org_id", "provider", "repo_id"], {
      isUnique: true,
      where: "repo_id is not null",
    }),
    index("repos_name", ["org_id", "name", "id"]),
    index("repos_without_id", ["org_id", "provider", "name"], { isUnique: true, where: "repo_id is null" }),
  ),

  flows: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      name: text,
      description: text,
      visibility: text,
      repo_url: text.nullable,
      template: json,
      /** The template as its author wrote it: YAML, or a JSON array of names for older flows. */
      template_source: text.nullable,
      created_at: time,
      last_modified_at: time,
      archived_at: time.nullable,
      last_approval_number: integer.default(0),
    },
    unique("org_id", "name"),
  ),

  /** Former names of renamed flows, until another flow takes them. */
  former_flow_names: table(
    {
      org_id: text.references("organizations"),
      name: text,
      flow_id: text.references("flows"),
    },
    primaryKey("org_id", "name"),
    index("former_flow_names_flow", ["flow_id"]),
  ),

  trails: table(
    {
      id: text.key,
      org_id: text,
      flow_id: text.references("flows"),
      name: text,
      description: text,
      git_commit_info: json.nullable,
      origin_url: text.nullable,
      external_urls: json.nullable,
      user_data: json,
      /** The template at the time when the trail began. */
      template: json,
      template_source: text.nullable,
      /** The result after the latest record of the trail. */
      compliance_state: text.of<ComplianceState>(),
      /** Time of the last change of the state. */
      compliance_since: time,
      /** A short reason why the trail is not compliant; null if it is. */
      compliance_reason: text.nullable,
      created_by: text,
      created_at: time,
      last_modified_at: time,
      /**
       * The minute of the last change, in the index instead of the time: an update that changes no indexed column is
       * cheap in PostgreSQL.
       */
      modified_minute: integer,
    },
    unique("flow_id", "name"),
    index("trails_flow_activity", ["flow_id", "modified_minute"]),
    index("trails_flow_age", ["flow_id", "created_at", "id"]),
    index("trails_flow_state", ["flow_id", "compliance_state", "created_at", "id"]),
    index("trails_org_age", ["org_id", "created_at", "id"]),
    index("trails_org_state", ["org_id", "compliance_state", "created_at", "id"]),
  ),

  trail_repos: table(
    {
      trail_id: text.references("trails"),
      repo_id: text.references("repos"),
    },
    primaryKey("trail_id", "repo_id"),
    index("trail_repos_repo", ["repo_id"]),
  ),

  /** Recorded actions, in order. Append-only: rows are never changed or removed. */
  events: table(
    {
      sequence,
      id: text.unique,
      org_id: text,
      /** `attestation.recorded` */
      type: text,
      at: time,
      /** The account's name at the time. */
      by: text,
      /** The account's id; null for the command line and the service itself. */
      by_id: text.nullable,
      /** The id of the affected resource; null if it has only a name. */
      subject_id: text.nullable,
      /** The resource's name before the action. */
      subject_name: text,
      trail_id: text.nullable.references("trails"),
      /** The fields of the event's type, in canonical form. */
      data: json,
      /** 16 random bytes in hex, so that the digest does not reveal the event's content. */
      salt: text,
      /** The sha256 of the event without its number, in hex. See `events/digest.ts`. */
      digest: text,
    },
    index("events_trail", ["trail_id", "at", "sequence"]),
    index("events_log", ["org_id", "sequence"]),
    index("events_place", ["org_id", "subject_id"], { where: "trail_id is null" }),
  ),

  artifacts: table(
    {
      sequence: sequence,
      id: text.unique,
      org_id: text,
      flow_id: text.references("flows"),
      trail_id: text.nullable.references("trails"),
      fingerprint: text,
      /** Whether it is the organization's first report of the fingerprint: a build. */
      is_build: flag,
      filename: text,
      template_name: text.nullable,
      commit_sha: text.nullable,
      /** The branch of the commit. */
      branch: text.nullable,
      is_compliant: flag.nullable,
      build_url: text,
      commit_url: text,
      repo_url: text.nullable,
      repo_id: text.nullable.references("repos"),
      /** Fields that are only displayed. */
      details: json,
      /** As for trails. Null without a trail: then the flow's template alone decides, and is read on demand. */
      compliance_state: text.of<ComplianceState>().nullable,
      compliance_since: time.nullable,
      compliance_reason: text.nullable,
      created_by: text,
      created_at: time,
    },
    index("artifacts_builds", ["org_id", "created_at", "sequence"], { where: "is_build = 1" }),
    index("artifacts_commit", ["org_id", "commit_sha"]),
    index("artifacts_fingerprint", ["fingerprint"]),
    index("artifacts_flow", ["flow_id", "fingerprint"]),
    index("artifacts_flow_age", ["flow_id", "sequence"]),
    index("artifacts_flow_branch", ["flow_id", "branch", "sequence"]),
    index("artifacts_flow_commit", ["flow_id", "commit_sha"]),
    index("artifacts_latest", ["org_id", "fingerprint", "flow_id", "sequence"]),
    index("artifacts_org_age", ["org_id", "sequence"]),
    index("artifacts_repo_age", ["repo_id", "sequence"]),
    index("artifacts_repo_builds", ["repo_id", "created_at", "sequence"], { where: "is_build = 1" }),
    index("artifacts_trail", ["trail_id", "fingerprint"]),
  ),

  /** The flow, name, type and outcome that attestations have in common. */
  attestation_series: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      flow_id: text.references("flows"),
      name: text,
      type: text,
      is_compliant: flag,
    },
    unique("flow_id", "name", "type", "is_compliant"),
    index("attestation_series_name", ["org_id", "name"]),
    index("attestation_series_type", ["org_id", "type"]),
  ),

  attestations: table(
    {
      sequence: sequence,
      id: text.unique,
      org_id: text,
      flow_id: text,
      trail_id: text.references("trails"),
      series_id: text,
      /** The attestation that this one overrides. */
      overridden_id: text.nullable,
      name: text,
      type: text,
      is_compliant: flag,
      artifact_fingerprint: text.nullable,
      commit_sha: text.nullable,
      repo_id: text.nullable.references("repos"),
      /** Fields that are only displayed. */
      details: json,
      created_by: text,
      created_at: time,
    },
    index("attestations_artifact", ["artifact_fingerprint", "name"], {
      where: "artifact_fingerprint is not null",
    }),
    index("attestations_commit", ["org_id", "commit_sha"], { where: "commit_sha is not null" }),
    index("attestations_flow_age", ["flow_id", "created_at", "sequence"]),
    index("attestations_org_age", ["org_id", "created_at", "sequence"]),
    index("attestations_series_age", ["series_id", "created_at", "sequence"]),
    index("attestations_trail", ["trail_id", "name"]),
  ),

  /** Newest attestation of each name, type and control. One for several artifacts has a row for each. */
  latest_attestations: table(
    {
      trail_id: text.references("trails"),
      /** The fingerprint of the artifact; empty if the attestation names none. */
      fingerprint: text,
      /** Without a fingerprint, the artifact's name in the template. Empty if the attestation is about the trail. */
      artifact_name: text,
      /** The commit of the artifact with that name; otherwise empty. */
      commit_sha: text,
      name: text,
      type: text,
      control: text,
      /** Taken from the row of the attestation, so no check of the database is needed. */
      attestation_sequence: integer,
    },
    primaryKey("trail_id", "fingerprint", "artifact_name", "commit_sha", "name", "type", "control"),
    index("latest_attestations_fingerprint", ["fingerprint", "control"]),
  ),

  /** References to artifacts by name in the template and commit. */
  attestation_targets: table(
    {
      attestation_id: text.references("attestations"),
      trail_id: text.references("trails"),
      artifact_name: text,
      commit_sha: text.nullable,
    },
    primaryKey("attestation_id", "artifact_name"),
    index("attestation_targets_claim", ["trail_id", "artifact_name", "commit_sha"]),
  ),

  attachments: table(
    {
      attestation_id: text.references("attestations"),
      position: integer,
      name: text,
      size: integer,
      media_type: text,
      sha256: text,
    },
    primaryKey("attestation_id", "position"),
    index("attachments_sha256", ["sha256"]),
  ),

  approvals: table(
    {
      id: text.key,
      flow_id: text.references("flows"),
      number: integer,
      artifact_fingerprint: text,
      artifact_name: text,
      /** The fingerprint of the artifact that the approved commits follow; empty if unknown. */
      base_artifact: text,
      environment: text.nullable,
      description: text,
      commits: json,
      reviews: json,
      state: text.of<"APPROVED" | "UNAPPROVED" | "PENDING">(),
      user_data: json.nullable,
      created_by: text,
      created_at: time,
      last_modified_at: time,
    },
    unique("flow_id", "number"),
    index("approvals_artifact", ["flow_id", "artifact_fingerprint", "number"]),
  ),
};

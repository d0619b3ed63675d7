import { flag, index, integer, json, primaryKey, table, text, time, unique } from "./schema.ts";

export const RULE_TABLES = {
  custom_attestation_types: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      name: text,
      description: text.nullable,
      archived_at: time.nullable,
      last_version: integer.default(0),
      created_by: text,
      created_at: time,
      last_modified_at: time,
    },
    unique("org_id", "name"),
  ),

  custom_attestation_type_versions: table(
    {
      type_id: text.references("custom_attestation_types"),
      version: integer,
      type_schema: json.nullable,
      evaluator: json,
      summary: json.nullable,
      created_by: text,
      created_at: time,
    },
    primaryKey("type_id", "version"),
  ),

  /** Rego policies that decide about controls. */
  decision_policies: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      /** Never changes, so other records name the policy by it. */
      identifier: text,
      /** Increases with each change. */
      version: integer,
      archived_at: time.nullable,
      created_by: text,
      created_at: time,
    },
    unique("org_id", "identifier"),
  ),

  decision_policy_versions: table(
    {
      policy_id: text.references("decision_policies"),
      version: integer,
      description: text,
      /** The text of each file by path. */
      files: json,
      digest: text,
      warn_only: flag,
      /** Denials before this time only warn. */
      effective_from: time.nullable,
      created_by: text,
      created_at: time,
    },
    primaryKey("policy_id", "version"),
  ),

  controls: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      identifier: text,
      name: text,
      description: text,
      links: json,
      /** The identifier of the only decision policy that decides about it; null if any decision counts. */
      decision_policy: text.nullable,
      /** Increases with each change. */
      version: integer,
      archived_at: time.nullable,
      created_by: text,
      created_at: time,
    },
    unique("org_id", "identifier"),
  ),

  control_versions: table(
    {
      control_id: text.references("controls"),
      version: integer,
      name: text,
      description: text,
      links: json,
      decision_policy: text.nullable,
      /** The change that created the version: `created`, `edited`, `archived` or `unarchived`. */
      status: text,
      created_by: text,
      created_at: time,
    },
    primaryKey("control_id", "version"),
  ),

  /** Attestations that decide about a control, by control. */
  control_decisions: table(
    {
      attestation_id: text.key.references("attestations"),
      org_id: text.references("organizations"),
      /** The identifier of the control, which need not exist. */
      control: text,
      /** The version of the control at the time; null if there was no such control. */
      control_version: integer.nullable,
      /** The decision policy by which the service evaluated it, and its version; null for a submitted decision. */
      decision_policy: text.nullable,
      decision_policy_version: integer.nullable,
      is_compliant: flag,
      artifact_fingerprint: text.nullable,
      created_at: time,
    },
    index("control_decisions_artifact", ["org_id", "artifact_fingerprint"]),
    index("control_decisions_control", ["org_id", "control", "created_at", "attestation_id"]),
  ),

  policies: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      name: text,
      description: text,
      version: integer,
      last_event_number: integer.default(0),
      created_by: text,
      created_at: time,
      last_modified_at: time,
    },
    unique("org_id", "name"),
  ),

  policy_versions: table(
    {
      policy_id: text.references("policies"),
      version: integer,
      comment: text,
      /** The YAML as uploaded. */
      source: text,
      definition: json,
      created_by: text,
      created_at: time,
    },
    primaryKey("policy_id", "version"),
  ),

  policy_events: table(
    {
      policy_id: text.references("policies"),
      number: integer,
      type: text,
      data: json,
      created_by: text,
      created_at: time,
    },
    primaryKey("policy_id", "number"),
  ),

  /** Controls for which the latest version of a policy requires decisions. */
  policy_controls: table(
    {
      policy_id: text.references("policies"),
      control_id: text.references("controls"),
    },
    primaryKey("policy_id", "control_id"),
    index("policy_controls_control", ["control_id"]),
  ),
};

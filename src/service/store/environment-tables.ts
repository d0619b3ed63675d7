import type { AdmissionMode } from "../../api/resources/admission.ts";
import type { ShareKind } from "./account-tables.ts";
import { flag, index, integer, json, primaryKey, sequence, table, text, time, unique } from "./schema.ts";

export const ENVIRONMENT_TABLES = {
  environments: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      name: text,
      type: text,
      description: text,
      include_scaling: flag,
      require_provenance: flag,
      created_at: time,
      last_modified_at: time,
      last_reported_at: time.nullable,
      archived_at: time.nullable,
      latest_snapshot_id: text.nullable.references("snapshots"),
    },
    unique("org_id", "name"),
  ),

  environment_members: table(
    {
      environment_id: text.references("environments"),
      member_id: text.references("environments"),
    },
    primaryKey("environment_id", "member_id"),
    index("environment_members_member", ["member_id"]),
  ),

  environment_policies: table(
    {
      environment_id: text.references("environments"),
      policy_id: text.references("policies"),
    },
    primaryKey("environment_id", "policy_id"),
    index("environment_policies_policy", ["policy_id"]),
  ),

  /** Artifacts that may run in an environment regardless of its policies. */
  allowlists: table(
    {
      id: text.key,
      environment_id: text.references("environments"),
      fingerprint: text,
      artifact_name: text,
      description: text,
      created_by: text,
      created_at: time,
    },
    unique("environment_id", "fingerprint"),
  ),

  /** Addresses to which the API servers of clusters send reviews of pods. */
  admission_webhooks: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      environment_id: text.references("environments"),
      name: text,
      /** sha256 of the token in the address, in hex. The token itself is not stored. */
      token_hash: text.unique,
      mode: text.of<AdmissionMode>(),
      unpinned: text.of<"deny" | "warn">(),
      /** The account and key that created it. */
      account_id: text.references("service_accounts"),
      api_key_id: text.references("api_keys"),
      created_by: text,
      created_at: time,
      expires_at: time.nullable,
      /** Days of the last warning before the expiry. */
      expiry_told_days: integer.nullable,
      last_used_at: time.nullable,
    },
    unique("org_id", "name"),
  ),

  snapshots: table(
    {
      id: text.key,
      environment_id: text.references("environments"),
      /** Counts from 1 in each environment, without gaps. */
      number: integer,
      /** Digest of the set of (artifact name, fingerprint): equal sets have equal digests. */
      artifact_set: text,
      /** Digest of compliance, provenance and policies: equal ones have equal digests. */
      conditions: text,
      compliant: flag,
      state: flag.nullable,
      /** The policies that applied, each with its violations. */
      policies: json,
      created_at: time,
    },
    unique("environment_id", "number"),
    index("snapshots_age", ["environment_id", "created_at", "number", "state"]),
  ),

  /**
   * One row for each period in which an artifact ran in one state. Snapshot `k` has the rows with
   * `since <= k` and `until` null or greater than `k`.
   */
  running_intervals: table(
    {
      id: sequence,
      environment_id: text.references("environments"),
      name: text,
      /** Empty if the artifact is unknown. */
      fingerprint: text,
      since: integer,
      /** The number of the first snapshot without this state; null while it lasts. */
      until: integer.nullable,
      /** The type of the event that the first snapshot caused; null if it caused none. */
      change: text.nullable,
      /** 0 when the artifact started with the first snapshot. */
      instances_before: integer,
      /**
       * Whether this is a deployment: the fingerprint did not run in the previous snapshot under any name. If
       * several names start together, one of them is the deployment.
       */
      is_deployment: flag,
      instance_count: integer,
      /** Whether the artifact stopped running at `until`. */
      ended: flag,
      compliant: flag.nullable,
      /** Allowed to run regardless of the policies. */
      allowed: flag,
      /** Origins of the artifact's latest reports: equal texts for equal origins. */
      origins: json,
      instances: json,
      /** The result of each policy. */
      decisions: json,
      /** The flows of the artifact, each as a `KeptFlow`. Other facts about them are read on demand. */
      flows: json,
    },
    // With all that finding and sorting deployments needs.
    index("running_intervals_deployments", ["environment_id", "since", "fingerprint", "compliant"], {
      where: "is_deployment = 1",
    }),
    index("running_intervals_fingerprint", ["fingerprint", "environment_id", "since", "is_deployment"]),
    index("running_intervals_now", ["environment_id", "fingerprint", "name"], {
      isUnique: true,
      where: "until is null",
    }),
    // With all that counting events needs.
    index("running_intervals_since", ["environment_id", "since"], { where: "change is not null" }),
    index("running_intervals_until", ["environment_id", "until", "ended"]),
  ),

  /** Links that show one resource, until they expire, to people without an account. */
  share_links: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      /** sha256 of the token in the link, in hex. The token itself is not stored. */
      token_hash: text.unique,
      kind: text.of<ShareKind>(),
      /** The name of the flow or environment when the link was created. */
      place: text,
      /** The name of the trail or the fingerprint of the artifact; null if `place` is enough. */
      name: text.nullable,
      /** Null for an environment. */
      flow_id: text.nullable.references("flows"),
      trail_id: text.nullable.references("trails"),
      environment_id: text.nullable.references("environments"),
      description: text,
      created_by: text,
      created_at: time,
      expires_at: time,
      revoked_at: time.nullable,
    },
    index("share_links_org", ["org_id", "created_at", "id"]),
  ),

  /** Evaluations of Rego policies of the last days. */
  evaluations: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      /** The instance that evaluates. If it stops first, the evaluation fails. */
      instance_id: text,
      status: text.of<"pending" | "completed" | "failed">(),
      result: json.nullable,
      error: json.nullable,
      /** The attestation with the decision. */
      attestation_id: text.nullable.references("attestations"),
      /** Flows whose records the policy read, as a list of ids. */
      flow_ids: json,
      environment_id: text.nullable.references("environments"),
      requested_at: time,
      /** Null while it is pending. */
      recorded_at: time.nullable,
    },
    index("evaluations_age", ["requested_at"]),
    index("evaluations_pending", ["instance_id"], { where: "recorded_at is null" }),
  ),
};

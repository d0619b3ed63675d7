import type { Kysely } from "kysely";

/** The tables that this step reads and writes, as they were: only the columns that it uses. */
export interface OldTables {
  environments: { id: string; org_id: string; latest_snapshot_id: string | null };
  flows: { id: string; org_id: string; name: string };
  former_flow_names: { org_id: string; name: string; flow_id: string };
  trails: { id: string; name: string };
  trail_events: { type: string };
  artifacts: {
    sequence: number;
    id: string;
    org_id: string;
    flow_id: string;
    trail_id: string | null;
    fingerprint: string;
    template_name: string | null;
    commit_sha: string | null;
    commit_url: string;
    details: string;
  };
  snapshots: {
    id: string;
    environment_id: string;
    number: number;
    artifact_set: string;
    conditions: string;
    compliant: number;
    state: number | null;
    policies: string;
    created_at: number;
  };
  snapshot_artifacts: {
    snapshot_id: string;
    name: string;
    fingerprint: string;
    instances: string;
    compliant: number | null;
    details: string;
  };
  unfiled_snapshots: {
    environment_id: string;
    number: number;
    artifact_set: string;
    conditions: string;
    content: string;
    created_at: number;
  };
  running_intervals: {
    environment_id: string;
    name: string;
    fingerprint: string;
    since: number;
    until: number | null;
    change: string | null;
    instances_before: number;
    instance_count: number;
    ended: number;
    compliant: number | null;
    allowed: number;
    origins: string;
    instances: string;
    decisions: string;
    flows: string;
  };
}

export type OldDatabase = Kysely<OldTables>;

import type { Generated } from "kysely";

type Flag = number;
type Json = string;

/** What runs: environments and what was reported of them. Types as in `tables.ts`. */
export interface EnvironmentTables {
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
    archived_at: number | null;
    latest_snapshot_id: string | null;
  };
  environment_members: { environment_id: string; member_id: string };
  snapshots: {
    id: string;
    environment_id: string;
    /** Counts from 1 in each environment, without gaps. */
    number: number;
    /** Digest of the set of (artifact name, fingerprint): equal sets have equal digests. */
    artifact_set: string;
    /** Digest of compliance, provenance and policies: equal ones have equal digests. */
    conditions: string;
    compliant: Flag;
    /** Null without policies. */
    state: Flag | null;
    /** The policies that held, each with what fails it. */
    policies: Json;
    created_at: number;
  };
  /** What ran in a snapshot. What stopped is only among its events. */
  snapshot_artifacts: {
    snapshot_id: string;
    name: string;
    /** Empty when it is not known what runs. */
    fingerprint: string;
    /** What runs it: pods, tasks or plain instances. */
    instances: Json;
    /** Null without policies. */
    compliant: Flag | null;
    /** Its flows and the decisions of the policies, as they were. */
    details: Json;
  };
  /** What changed with a snapshot, by artifact. */
  snapshot_events: {
    snapshot_id: string;
    name: string;
    fingerprint: string;
    type: string;
    instances_before: number;
    instances_after: number;
  };
  /** Snapshots that nobody has looked at since they were reported: their rows in the three tables above are to come. */
  unfiled_snapshots: {
    sequence: Generated<number>;
    environment_id: string;
    number: number;
    artifact_set: string;
    conditions: string;
    /** All else that the snapshot is made of. */
    content: Json;
    created_at: number;
  };
  /** Artifacts that may run in an environment whatever its policies say. */
  allowlists: {
    id: string;
    environment_id: string;
    fingerprint: string;
    artifact_name: string;
    description: string;
    created_by: string;
    created_at: number;
  };
}

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
  /**
   * What ran, and from which snapshot to which: one row for each time that an artifact ran in one state. Snapshot `k`
   * of an environment is what has `since <= k` and `until` null or greater than `k`.
   */
  running_intervals: {
    id: Generated<number>;
    environment_id: string;
    name: string;
    /** Empty when it is not known what runs. */
    fingerprint: string;
    /** The number of the first snapshot. */
    since: number;
    /** The number of the first snapshot for which it no longer holds; null while it holds. */
    until: number | null;
    /** What changed with the first snapshot, as the type of an event; null when nothing did that is an event. */
    change: string | null;
    /** 0 when the artifact started with the first snapshot. */
    instances_before: number;
    instance_count: number;
    /** Whether the artifact no longer ran from `until` on. */
    ended: Flag;
    /** Null without policies. */
    compliant: Flag | null;
    /** It may run whatever the policies say. */
    allowed: Flag;
    /** Where the latest reports of the artifact come from: equal texts for equal origins. */
    origins: string;
    /** What runs it: pods, tasks or plain instances. */
    instances: Json;
    /** What each policy said of it. */
    decisions: Json;
    /** The flows it comes from, each as a `KeptFlow`: all else about them is read when it is asked for. */
    flows: Json;
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

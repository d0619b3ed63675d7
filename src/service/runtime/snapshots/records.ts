import type { Selectable } from "kysely";
import { newIdOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";

export interface AppliedPolicy {
  id: string;
  name: string;
  version: number;
  failingArtifacts: readonly { name: string; fingerprint: string }[];
}

export interface NewSnapshot {
  environmentId: string;
  number: number;
  artifactSet: string;
  conditions: string;
  /** Null without policies. */
  state: boolean | null;
  policies: readonly AppliedPolicy[];
}

export type SnapshotRow = Selectable<Tables["snapshots"]>;

/** Returns the id. */
export async function insertSnapshot(db: Database, snapshot: NewSnapshot, now: number): Promise<string> {
  const id = newIdOf(now);
  await db
    .insertInto("snapshots")
    .values({
      id,
      environment_id: snapshot.environmentId,
      number: snapshot.number,
      artifact_set: snapshot.artifactSet,
      conditions: snapshot.conditions,
      compliant: Number(snapshot.state === true),
      state: snapshot.state === null ? null : Number(snapshot.state),
      policies: JSON.stringify(snapshot.policies.map(policyColumn)),
      created_at: now,
    })
    .execute();
  return id;
}

function policyColumn({ id, name, version, failingArtifacts }: AppliedPolicy) {
  return { id, name, version, failing_artifacts: failingArtifacts };
}

/** The policies of a snapshot, in the versions that it was evaluated with. */
export function policiesOf({ policies }: Pick<SnapshotRow, "policies">): AppliedPolicy[] {
  const stored: (Omit<AppliedPolicy, "failingArtifacts"> & {
    failing_artifacts: AppliedPolicy["failingArtifacts"];
  })[] = JSON.parse(policies);
  return stored.map(({ failing_artifacts, ...policy }) => ({
    ...policy,
    failingArtifacts: failing_artifacts,
  }));
}

import { artifactKey, evaluatePolicies } from "../policies/evaluate-environment.ts";
import { allowedFingerprints } from "../records/allowlists.ts";
import { provenanceOf } from "../records/artifact-provenance.ts";
import { attachedPolicies, type PolicyVersion } from "../records/policies.ts";
import {
  artifactsOf,
  findSnapshot,
  insertSnapshot,
  type SnapshotArtifactRecord,
  type SnapshotRow,
} from "../records/snapshots.ts";
import type { Database, Tables } from "../store/tables.ts";
import { type Change, changesBetween } from "./changes.ts";
import { deployedFlows } from "./deployment.ts";
import {
  appliedPolicies,
  digestOfConditions,
  isCompliant,
  provenanceText,
  satisfied,
  stateOf,
} from "./judgement.ts";
import { digestOfArtifacts, instanceName, type RunningArtifact } from "./running.ts";
import { noteRunning } from "./trail-notes.ts";

/** A snapshot that was made, and what it changed. */
export interface TakenSnapshot {
  id: string;
  number: number;
  changes: readonly Change[];
  artifacts: readonly SnapshotArtifactRecord[];
  /** Whether all that runs may run, before and now. Null without policies; undefined before the first snapshot. */
  stateBefore: boolean | null | undefined;
  state: boolean | null;
}

interface SnapshotRequest {
  orgId: string;
  environment: Pick<Tables["environments"], "id" | "name" | "include_scaling" | "latest_snapshot_id">;
  /** Unix seconds. */
  now: number;
}

/**
 * Judges what runs in an environment, and makes a snapshot unless the latest one still holds: the same artifacts
 * run, as compliant as before, from the same flows, under the same policies.
 */
export async function takeSnapshot(
  db: Database,
  running: readonly RunningArtifact[],
  { orgId, environment, now }: SnapshotRequest,
): Promise<TakenSnapshot | undefined> {
  const latest =
    environment.latest_snapshot_id === null
      ? undefined
      : await findSnapshot(db, environment.latest_snapshot_id);
  const policies = await attachedPolicies(db, environment.id);
  const judged = await judge(db, running, { orgId, environmentId: environment.id, policies });
  const artifactSet = digestOfArtifacts(running, environment.include_scaling === 1);
  const conditions = digestOfConditions(policies, judged);
  if (latest?.artifact_set === artifactSet && latest.conditions === conditions) return undefined;

  const before = latest ? ((await artifactsOf(db, [latest.id])).get(latest.id) ?? []) : [];
  const deployed = deployedFlows(judged, before, now);
  const artifacts = judged.map((artifact) => {
    const flows = deployed.get(artifactKey(artifact)) ?? [];
    return { ...artifact, flows };
  });
  const changes = changesBetween(before.map(withState), artifacts.map(withState));
  const number = (latest?.number ?? 0) + 1;
  const state = stateOf(policies, artifacts);
  const id = await insertSnapshot(
    db,
    {
      environmentId: environment.id,
      number,
      artifactSet,
      conditions,
      state,
      policies: appliedPolicies(policies, artifacts),
      artifacts,
      changes,
    },
    now,
  );
  await noteRunning(db, { environment, number, changes, before, after: artifacts }, now);
  return { id, number, changes, artifacts, stateBefore: stateBefore(latest), state };
}

/**
 * Judges again what runs in an environment, as its policies or what it allows have changed. Nothing is made when
 * nothing was reported yet.
 */
export async function judgeAgain(db: Database, request: SnapshotRequest): Promise<TakenSnapshot | undefined> {
  const latestId = request.environment.latest_snapshot_id;
  if (latestId === null) return undefined;
  const running = (await artifactsOf(db, [latestId])).get(latestId) ?? [];
  const taken = await takeSnapshot(db, running, request);
  if (taken) {
    await db
      .updateTable("environments")
      .set({ latest_snapshot_id: taken.id })
      .where("id", "=", request.environment.id)
      .execute();
  }
  return taken;
}

interface Judges {
  orgId: string;
  environmentId: string;
  policies: readonly PolicyVersion[];
}

async function judge(
  db: Database,
  running: readonly RunningArtifact[],
  { orgId, environmentId, policies }: Judges,
): Promise<SnapshotArtifactRecord[]> {
  const fingerprints = new Set(running.map(({ fingerprint }) => fingerprint));
  // What is not known cannot have been built here.
  fingerprints.delete("");
  const provenance = await provenanceOf(db, orgId, [...fingerprints]);
  const decisions =
    policies.length === 0
      ? new Map()
      : await evaluatePolicies(db, { orgId, environmentId, artifacts: running });
  const failing = [...decisions.values()].some((each) => !each.every(satisfied));
  const allowed = failing ? await allowedFingerprints(db, environmentId) : new Set<string>();
  return running.map(({ name, fingerprint, instances }) => {
    const policyDecisions = decisions.get(artifactKey({ name, fingerprint })) ?? [];
    const isAllowed = allowed.has(fingerprint);
    const flows = (provenance.get(fingerprint) ?? []).map((flow) => ({
      ...flow,
      deploymentDiff: null,
      commitLeadTime: null,
    }));
    return {
      name,
      fingerprint,
      instances,
      flows,
      policyDecisions,
      allowed: isAllowed,
      compliant: isCompliant(policyDecisions, isAllowed),
    };
  });
}

function withState(artifact: SnapshotArtifactRecord) {
  return {
    name: artifact.name,
    fingerprint: artifact.fingerprint,
    compliant: artifact.compliant,
    instances: artifact.instances.map(instanceName),
    provenance: provenanceText(artifact),
  };
}

function stateBefore(latest: SnapshotRow | undefined): boolean | null | undefined {
  if (!latest) return undefined;
  return latest.state === null ? null : latest.state === 1;
}

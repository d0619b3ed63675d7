import type { PolicyEvaluation } from "../../api/policy-evaluations.ts";
import type { PatternAnswers } from "../patterns/pattern-answers.ts";
import { artifactKey, evaluatePolicies } from "../policies/evaluate-environment.ts";
import { allowedFingerprints } from "../records/allowlists.ts";
import { latestOriginsOf, latestReportsOf, type Origin } from "../records/latest-reports.ts";
import { attachedPolicies, type PolicyVersion } from "../records/policies.ts";
import { artifactsOf } from "../records/snapshots.ts";
import { insertUnfiled, type JudgedArtifact, latestMark } from "../records/unfiled-snapshots.ts";
import type { Database, Tables } from "../store/tables.ts";
import { fileOldestSnapshot } from "./file-snapshot.ts";
import { appliedPolicies, digestOfConditions, isCompliant, satisfied, stateOf } from "./judgement.ts";
import { digestOfArtifacts, knownFingerprints, type RunningArtifact } from "./running.ts";

/** What it takes to judge what runs. */
export interface Judging {
  /** What is known of the patterns of policies. */
  patterns: PatternAnswers;
  /** Unix seconds. */
  now: number;
}

interface SnapshotRequest extends Judging {
  orgId: string;
  environment: Pick<Tables["environments"], "id" | "include_scaling" | "latest_snapshot_id">;
}

/**
 * Judges what runs in an environment, and makes a snapshot unless the latest one still holds: the same artifacts
 * run, as compliant as before, from the same flows, under the same policies. It is yet to be filed.
 *
 * @returns the number of the snapshot that was made
 * @throws UnansweredPatterns
 */
export async function takeSnapshot(
  db: Database,
  running: readonly RunningArtifact[],
  { orgId, environment, patterns, now }: SnapshotRequest,
): Promise<number | undefined> {
  const latest = await latestMark(db, environment);
  const policies = await attachedPolicies(db, environment.id);
  const { artifacts, origins } = await judge(db, running, {
    orgId,
    environmentId: environment.id,
    policies,
    patterns,
  });
  const artifactSet = digestOfArtifacts(running, environment.include_scaling === 1);
  const conditions = digestOfConditions(policies, artifacts, origins);
  if (latest?.artifactSet === artifactSet && latest.conditions === conditions) return undefined;
  const number = (latest?.number ?? 0) + 1;
  const content = {
    state: stateOf(policies, artifacts),
    policies: appliedPolicies(policies, artifacts),
    artifacts,
  };
  await insertUnfiled(db, {
    environmentId: environment.id,
    number,
    artifactSet,
    conditions,
    content,
    takenAt: now,
  });
  return number;
}

/**
 * Judges again what runs in an environment, as its policies or what it allows have changed, and files what comes of
 * it. Nothing is made when nothing was reported yet.
 *
 * @throws UnansweredPatterns
 */
export async function judgeAgain(
  db: Database,
  { orgId, environmentId, patterns, now }: { orgId: string; environmentId: string } & Judging,
): Promise<void> {
  await fileAll(db);
  const environment = await db
    .selectFrom("environments")
    .select(["id", "include_scaling", "latest_snapshot_id"])
    .where("id", "=", environmentId)
    .executeTakeFirstOrThrow();
  const latestId = environment.latest_snapshot_id;
  if (latestId === null) return;
  const running = (await artifactsOf(db, [latestId])).get(latestId) ?? [];
  await takeSnapshot(db, running, { orgId, environment, patterns, now });
  await fileAll(db);
}

async function fileAll(db: Database): Promise<void> {
  while (await fileOldestSnapshot(db));
}

interface Judges {
  orgId: string;
  environmentId: string;
  policies: readonly PolicyVersion[];
  patterns: PatternAnswers;
}

async function judge(
  db: Database,
  running: readonly RunningArtifact[],
  { orgId, environmentId, policies, patterns }: Judges,
): Promise<{ artifacts: JudgedArtifact[]; origins: readonly Origin[] }> {
  const fingerprints = knownFingerprints(running);
  if (policies.length === 0) {
    const artifacts = running.map((artifact) => judged(artifact, [], false));
    return { artifacts, origins: await latestOriginsOf(db, orgId, fingerprints) };
  }
  const reports = await latestReportsOf(db, orgId, fingerprints);
  const decisions = await evaluatePolicies(db, { orgId, policies, artifacts: running, reports, patterns });
  const failing = [...decisions.values()].some((each) => !each.every(satisfied));
  const allowed = failing ? await allowedFingerprints(db, environmentId) : new Set<string>();
  const artifacts = running.map((artifact) =>
    judged(artifact, decisions.get(artifactKey(artifact)) ?? [], allowed.has(artifact.fingerprint)),
  );
  return { artifacts, origins: reports };
}

function judged(
  { name, fingerprint, instances }: RunningArtifact,
  policyDecisions: readonly PolicyEvaluation[],
  allowed: boolean,
): JudgedArtifact {
  const compliant = isCompliant(policyDecisions, allowed);
  return { name, fingerprint, instances, policyDecisions, allowed, compliant };
}

import type { PolicyEvaluation } from "../../../api/resources/policy-evaluations.ts";
import { record } from "../../events/record.ts";
import { latestOriginsOf, latestReportsOf, type Origin } from "../../evidence/compliance/latest-reports.ts";
import type { PatternAnswers } from "../../judging/patterns/pattern-answers.ts";
import { artifactKey } from "../../kernel/artifact-key.ts";
import type { ActContext, Organization } from "../../kernel/caller.ts";
import { inSlices, letOthersIn } from "../../kernel/slices.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { allowedFingerprints } from "../environments/allowlists.ts";
import { evaluatePolicies } from "../policies/evaluate-environment.ts";
import { attachedPolicies, type PolicyVersion } from "../policies/versions.ts";
import { digestOfArtifacts, knownFingerprints, type RunningArtifact } from "../running/artifact.ts";
import {
  asBoolean,
  type EvaluatedArtifact,
  type Opening,
  runningArtifact,
  runningNow,
  type StateRow,
  writeIntervals,
} from "../running/intervals.ts";
import { appliedPolicies, digestOfConditions, isCompliant, satisfied, stateOf } from "./compliance.ts";
import { differenceBetween, withFlows } from "./deployment.ts";
import { insertSnapshot, type SnapshotRow } from "./records.ts";

export interface EvaluationContext {
  /** Known matches of policy patterns. */
  patterns: PatternAnswers;
  by: ActContext;
}

interface SnapshotRequest extends EvaluationContext {
  org: Organization;
  environment: Pick<Tables["environments"], "id" | "name">;
  policies: readonly PolicyVersion[];
  /** Undefined before the first report. */
  latest: Pick<SnapshotRow, "number" | "artifact_set" | "conditions" | "state"> | undefined;
  /** False for a reevaluation. */
  reported: boolean;
}

interface Verdict {
  number: number;
  /** Null without policies. */
  compliant: boolean | null;
}

/**
 * Evaluates the running artifacts. Creates a snapshot unless artifacts, states, provenance and policies equal the latest.
 *
 * @returns the new snapshot; the caller stores it as the environment's latest
 * @throws UnansweredPatterns
 */
export async function takeSnapshot(
  db: Database,
  running: readonly RunningArtifact[],
  { org, environment, policies, latest, reported, patterns, by }: SnapshotRequest,
): Promise<(Verdict & { id: string }) | undefined> {
  const environmentId = environment.id;
  const orgId = org.id;
  const { artifacts, origins } = await evaluate(db, running, { orgId, environmentId, policies, patterns });
  const artifactSet = digestOfArtifacts(running);
  await letOthersIn();
  const conditions = await digestOfConditions(policies, artifacts, origins);
  if (latest?.artifact_set === artifactSet && latest.conditions === conditions) return undefined;
  // Concurrent reports contend for the environment's row, which names its latest snapshot.
  const number = (latest?.number ?? 0) + 1;
  const states = await runningNow(db, environmentId);
  const before = new Map<string, StateRow>();
  for (const row of states) before.set(artifactKey(row), row);
  const byFingerprint = Map.groupBy(origins, ({ fingerprint }) => fingerprint);
  await letOthersIn();
  const { opened, closed, runningOn } = await differenceBetween(before, artifacts, byFingerprint);
  const compliant = stateOf(policies, artifacts);
  const id = await insertSnapshot(
    db,
    {
      environmentId,
      number,
      artifactSet,
      conditions,
      state: compliant,
      policies: await appliedPolicies(policies, artifacts),
    },
    by.now,
  );
  await writeIntervals(db, {
    environmentId,
    number,
    ranBefore: states.map(({ fingerprint }) => fingerprint),
    opened: await withFlows(db, opened, { before, runningOn, origins: byFingerprint, now: by.now }),
    closed,
  });
  await record(db, by, {
    type: "snapshot.taken",
    subject: { id, name: environment.name },
    data: {
      environment_id: environmentId,
      number,
      reported,
      is_compliant: compliant,
      was_compliant: latest && asBoolean(latest.state),
      started: await startedIn(opened),
      artifacts: artifactSet,
      conditions,
    },
    seen: {
      environment,
      artifacts,
      opened,
      exited: states.filter((row) => !runningOn.has(row.id)),
    },
  });
  return { id, number, compliant };
}

function startedIn(opened: readonly Opening[]) {
  return inSlices(opened, (slice) =>
    slice.flatMap(({ before, artifact: { name, fingerprint } }) => (before ? [] : [{ name, fingerprint }])),
  );
}

/**
 * Reevaluates after a change of policies or allowlist. Does nothing before the first report.
 *
 * @returns the current snapshot, if any
 * @throws UnansweredPatterns
 */
export async function reevaluate(
  db: Database,
  { org, environmentId, ...evaluation }: { org: Organization; environmentId: string } & EvaluationContext,
): Promise<Verdict | undefined> {
  const latest = await db
    .selectFrom("environments")
    .innerJoin("snapshots", "snapshots.id", "environments.latest_snapshot_id")
    .select(["snapshots.number", "snapshots.artifact_set", "snapshots.conditions", "snapshots.state"])
    .select("environments.name")
    .where("environments.id", "=", environmentId)
    .executeTakeFirst();
  if (!latest) return undefined;
  const running = (await runningNow(db, environmentId)).map(runningArtifact);
  const { name, number, state } = latest;
  const environment = { id: environmentId, name };
  const policies = await attachedPolicies(db, environmentId);
  const snapshot = await takeSnapshot(db, running, {
    ...{ org, environment, policies, latest, reported: false, ...evaluation },
  });
  if (!snapshot) return { number, compliant: asBoolean(state) };
  await db
    .updateTable("environments")
    .set({ latest_snapshot_id: snapshot.id })
    .where("id", "=", environmentId)
    .execute();
  return snapshot;
}

/** Shared, so that equal rows are serialized once. */
const NO_DECISIONS: readonly PolicyEvaluation[] = [];

interface EvaluationInput {
  orgId: string;
  environmentId: string;
  policies: readonly PolicyVersion[];
  patterns: PatternAnswers;
}

async function evaluate(
  db: Database,
  running: readonly RunningArtifact[],
  { orgId, environmentId, policies, patterns }: EvaluationInput,
): Promise<{ artifacts: EvaluatedArtifact[]; origins: readonly Origin[] }> {
  const fingerprints = knownFingerprints(running);
  if (policies.length === 0) {
    const origins = await latestOriginsOf(db, orgId, fingerprints);
    const plain = (artifact: RunningArtifact) => evaluatedArtifact(artifact, NO_DECISIONS, false);
    return { artifacts: await inSlices(running, (slice) => slice.map(plain)), origins };
  }
  const reports = await latestReportsOf(db, orgId, fingerprints);
  const decisions = await evaluatePolicies(db, { orgId, policies, artifacts: running, reports, patterns });
  const failing = [...decisions.values()].some((each) => !each.every(satisfied));
  const allowances = failing ? await allowedFingerprints(db, environmentId) : new Set<string>();
  const artifacts = await inSlices(running, (slice) =>
    slice.map((artifact) => {
      const allowed = allowances.has(artifact.fingerprint);
      return evaluatedArtifact(artifact, decisions.get(artifactKey(artifact)) ?? [], allowed);
    }),
  );
  return { artifacts, origins: reports };
}

function evaluatedArtifact(
  { name, fingerprint, instances }: RunningArtifact,
  policyDecisions: readonly PolicyEvaluation[],
  allowed: boolean,
): EvaluatedArtifact {
  const compliant = isCompliant(policyDecisions, allowed);
  return { name, fingerprint, instances, policyDecisions, allowed, compliant };
}

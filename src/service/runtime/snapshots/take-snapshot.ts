import type { PolicyEvaluation } from "../../../api/resources/policy-evaluations.ts";
import { differenceBetween } from "../../environments/snapshots/difference.ts";
import { snapshotTaken } from "../../events/projections/environment-notifications.ts";
import { raise } from "../../events/projections/raise.ts";
import { rulesOf } from "../../events/projections/rules.ts";
import { latestOriginsOf, latestReportsOf, type Origin } from "../../evidence/compliance/latest-reports.ts";
import type { PatternAnswers } from "../../judging/patterns/pattern-answers.ts";
import { artifactKey } from "../../kernel/artifact-key.ts";
import type { Organization } from "../../kernel/organization.ts";
import { inSlices, letOthersIn } from "../../kernel/slices.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { together } from "../../store/together.ts";
import { allowedFingerprints } from "../environments/allowlists.ts";
import { evaluatePolicies } from "../policies/evaluate-environment.ts";
import { attachedPolicies, type PolicyVersion } from "../policies/versions.ts";
import { digestOfArtifacts, knownFingerprints, type RunningArtifact } from "../running/artifact.ts";
import {
  asBoolean,
  type JudgedArtifact,
  runningArtifact,
  runningNow,
  type StateRow,
  writeIntervals,
} from "../running/intervals.ts";
import { withFlows } from "./deployment.ts";
import { appliedPolicies, digestOfConditions, isCompliant, satisfied, stateOf } from "./judgement.ts";
import { insertSnapshot, type SnapshotRow } from "./records.ts";

/** What it takes to judge what runs, and to tell rules of it. */
export interface Judging {
  /** What is known of the patterns of policies. */
  patterns: PatternAnswers;
  context: Pick<ServiceContext, "links" | "deliveries">;
  /** Unix seconds. */
  now: number;
}

interface SnapshotRequest extends Judging {
  org: Organization;
  environment: Pick<Tables["environments"], "id" | "name">;
  /** Those attached to it. */
  policies: readonly PolicyVersion[];
  /** The environment's latest snapshot, when it has one. */
  latest: Pick<SnapshotRow, "number" | "artifact_set" | "conditions" | "state"> | undefined;
}

/** A snapshot as its number and verdict tell of it. */
interface Verdict {
  number: number;
  /** Whether all that runs may run. Null without policies. */
  compliant: boolean | null;
}

/**
 * Judges what runs in an environment, and makes a snapshot unless the latest one still holds: the same artifacts
 * run, as compliant as before, from the same flows, under the same policies.
 *
 * @returns the snapshot that was made, which has yet to become the environment's latest
 * @throws UnansweredPatterns
 */
export async function takeSnapshot(
  db: Database,
  running: readonly RunningArtifact[],
  { org, environment, policies, latest, patterns, context, now }: SnapshotRequest,
): Promise<(Verdict & { id: string }) | undefined> {
  const environmentId = environment.id;
  const orgId = org.id;
  const { artifacts, origins } = await judge(db, running, { orgId, environmentId, policies, patterns });
  const artifactSet = digestOfArtifacts(running);
  await letOthersIn();
  const conditions = await digestOfConditions(policies, artifacts, origins);
  if (latest?.artifact_set === artifactSet && latest.conditions === conditions) return undefined;
  // The environment's row names its latest snapshot, so it is what two reports at the same time would contend for.
  const number = (latest?.number ?? 0) + 1;
  const [states, rules] = await together([runningNow(db, environmentId), rulesOf(db, orgId, "env")]);
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
    now,
  );
  await writeIntervals(db, {
    environmentId,
    number,
    opened: await withFlows(db, opened, { before, runningOn, origins: byFingerprint, now }),
    closed,
  });
  if (rules.length > 0) {
    const raising = { org, deliveries: context.deliveries, now };
    const exited = states.filter((row) => !runningOn.has(row.id));
    const taken = { before: latest && asBoolean(latest.state), number, compliant, artifacts, opened, exited };
    const place = { org, links: context.links, environment };
    await raise(db, raising, rules, await snapshotTaken(db, place, taken));
  }
  return { id, number, compliant };
}

/**
 * Judges again what runs in an environment, as its policies or what it allows have changed. Nothing is made when
 * nothing was reported yet.
 *
 * @returns the snapshot that holds now, when there is one
 * @throws UnansweredPatterns
 */
export async function judgeAgain(
  db: Database,
  { org, environmentId, ...judging }: { org: Organization; environmentId: string } & Judging,
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
  const snapshot = await takeSnapshot(db, running, { org, environment, policies, latest, ...judging });
  if (!snapshot) return { number, compliant: asBoolean(state) };
  await db
    .updateTable("environments")
    .set({ latest_snapshot_id: snapshot.id })
    .where("id", "=", environmentId)
    .execute();
  return snapshot;
}

/** One for all: what is the same in all rows is written once. */
const NO_DECISIONS: readonly PolicyEvaluation[] = [];

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
    const origins = await latestOriginsOf(db, orgId, fingerprints);
    const plain = (artifact: RunningArtifact) => judged(artifact, NO_DECISIONS, false);
    return { artifacts: await inSlices(running, (slice) => slice.map(plain)), origins };
  }
  const reports = await latestReportsOf(db, orgId, fingerprints);
  const decisions = await evaluatePolicies(db, { orgId, policies, artifacts: running, reports, patterns });
  const failing = [...decisions.values()].some((each) => !each.every(satisfied));
  const allowances = failing ? await allowedFingerprints(db, environmentId) : new Set<string>();
  const artifacts = await inSlices(running, (slice) =>
    slice.map((artifact) => {
      const allowed = allowances.has(artifact.fingerprint);
      return judged(artifact, decisions.get(artifactKey(artifact)) ?? [], allowed);
    }),
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

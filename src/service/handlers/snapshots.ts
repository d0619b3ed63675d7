import type { getSnapshot, listSnapshots } from "../../api/snapshot-records.ts";
import { parseInterval } from "../environments/interval.ts";
import { pageWindow } from "../environments/page-window.ts";
import { parseSnapshotExpression } from "../environments/snapshot-expression.ts";
import type { Handler } from "../http/handler.ts";
import { HttpError } from "../http-error.ts";
import { requireEnvironment } from "../records/environments.ts";
import {
  entriesBetween,
  type History,
  type HistoryEntry,
  historyOf,
  indexOf,
  snapshotsAt,
} from "../records/histories.ts";
import { policyDumps } from "../records/policy-dumps.ts";
import { snapshotContent } from "../records/snapshot-content.ts";
import { type AppliedPolicy, policiesOf, type SnapshotRow } from "../records/snapshots.ts";
import type { Database } from "../store/tables.ts";
import { findEntry } from "./snapshot-lookup.ts";
import { artifactView } from "./snapshot-view.ts";

export const handleListSnapshots: Handler<typeof listSnapshots> = async ({ org, params }, { store, now }) => {
  const time = now();
  const { page, perPage, reverse } = params;
  const interval = parseInterval(params.interval === "" ? "1..NOW" : params.interval, time);
  if (!interval) throw new HttpError(400, `Invalid interval value: ${params.interval}`);
  return store.readTogether(async (db) => {
    const environment = await requireEnvironment(db, org, params.envName);
    const history = await historyOf(db, environment);
    const first = Math.max(1, await indexOf(db, history, interval.start));
    const last = Math.min(history.length, await indexOf(db, history, interval.end));
    const window = pageWindow({ first, last }, { page, perPage, newestFirst: !reverse });
    const inside = window.last >= window.first;
    // One more, whose beginning is the end of the last.
    const entries = inside ? await entriesBetween(db, history, window.first, window.last + 1) : [];
    const compliance = await complianceOf(db, history, entries);
    const items = entries.slice(0, window.last - window.first + 1).map(({ index, snapshot }, i) => {
      const from = snapshot.created_at;
      const next = entries[i + 1]?.snapshot.created_at;
      const compliant = compliance.get(index) ?? false;
      // The clock may have been set back between the two.
      return { index, from, to: next ?? 0, compliant, duration: Math.max(0, (next ?? time) - from) };
    });
    return { status: 200, body: reverse ? items : items.reverse() };
  });
};

/** Whether the whole was compliant at each of some entries, which follow each other. */
async function complianceOf(
  db: Database,
  history: History,
  entries: readonly HistoryEntry[],
): Promise<ReadonlyMap<number, boolean>> {
  const [first] = entries;
  if (!first) return new Map();
  const latest = new Map(await snapshotsAt(db, history, first));
  return new Map(
    entries.map(({ index, snapshot }) => {
      latest.set(snapshot.environment_id, snapshot);
      return [index, isCompliant([...latest.values()])];
    }),
  );
}

function isCompliant(snapshots: readonly SnapshotRow[]): boolean {
  return snapshots.every(({ compliant }) => compliant === 1);
}

export const handleGetSnapshot: Handler<typeof getSnapshot> = async (
  { org, params },
  { store, links, now },
) => {
  const { envName, snapshotExpression: text } = params;
  const expression = parseSnapshotExpression(text, now());
  if (!expression) throw new HttpError(400, `Bad snappish '${text}'`);
  return store.readTogether(async (db) => {
    const shown = /^[~@#]/.test(text) ? `${envName}${text}` : `${envName}#${text}`;
    const { history, entry, next } = await findEntry(db, org, {
      environmentName: envName,
      expression,
      shown,
    });
    const { snapshots, running, exited } = await snapshotContent(db, history, entry);
    const policies = mergePolicies(snapshots.flatMap(policiesOf));
    const dumps = await policyDumps(db, policies);
    const view = { org: org.name, links, logical: history.logical };
    return {
      status: 200,
      body: {
        index: entry.index,
        isLatest: next === undefined,
        nextSnapshotTimestamp: next?.snapshot.created_at ?? null,
        artifactComplianceCount: {
          true: running.filter(({ compliant }) => compliant === true).length,
          false: running.filter(({ compliant }) => compliant === false).length,
          null: running.filter(({ compliant }) => compliant === null).length,
        },
        timestamp: entry.snapshot.created_at,
        type: history.environment.type,
        compliant: isCompliant(snapshots),
        htmlUrl: links.snapshot(org.name, envName, entry.index),
        artifacts: [...running, ...exited].map((artifact) => artifactView(artifact, view)),
        appliedPolicies: policies.map(({ failingArtifacts, ...policy }) => ({
          ...policy,
          policy_dump: dumps.get(policy.id)?.get(policy.version) ?? null,
          failing_artifacts: failingArtifacts,
        })),
      },
    };
  });
};

/** The policies of several environments, each version once, with all that fails it. */
function mergePolicies(policies: readonly AppliedPolicy[]): AppliedPolicy[] {
  const groups = Map.groupBy(policies, ({ id, version }) => `${id} ${version}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first
      ? [{ ...first, failingArtifacts: group.flatMap(({ failingArtifacts }) => failingArtifacts) }]
      : [];
  });
}

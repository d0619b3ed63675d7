import { MAX_ARTIFACTS_PER_PAGE } from "../../../api/resources/snapshots.ts";
import { originsOf, withOrigin } from "../../evidence/origins/origins.ts";
import { Invalid } from "../../kernel/errors.ts";
import { pageHeaders, sliceOf, withinRange } from "../../kernel/paging.ts";
import type { Handler } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { requireEnvironment } from "../environments/records.ts";
import { policyDumps } from "../policies/versions.ts";
import { commonState } from "../running/compliance.ts";
import { asBoolean } from "../running/intervals.ts";
import { artifactsAmong, snapshotContent } from "./content.ts";
import { parseSnapshotExpression } from "./expression.ts";
import {
  entriesBetween,
  findEntry,
  type History,
  type HistoryEntry,
  historyOf,
  indexOf,
  snapshotsAt,
} from "./histories.ts";
import { parseInterval } from "./interval.ts";
import { type AppliedPolicy, policiesOf, type SnapshotRow } from "./records.ts";
import { artifactView } from "./view.ts";

export const listSnapshots: Handler<"listSnapshots"> = async ({ org, params }, { store, now }) => {
  const time = now();
  const { reverse } = params;
  const interval = parseInterval(params.interval === "" ? "1..NOW" : params.interval, time);
  if (!interval) throw new Invalid("request.field_invalid", `Invalid interval value: ${params.interval}`);
  return store.readTogether(async (db) => {
    const environment = await requireEnvironment(db, org, params.envName);
    const history = await historyOf(db, environment);
    const first = Math.max(1, await indexOf(db, history, interval.start));
    const last = Math.min(history.length, await indexOf(db, history, interval.end));
    const window = withinRange({ first, last }, sliceOf(params), { newestFirst: !reverse });
    const inside = window.last >= window.first;
    // Reads one more, because its start is the end of the last one.
    const entries = inside ? await entriesBetween(db, history, window.first, window.last + 1) : [];
    const compliance = await complianceOf(db, history, entries);
    const items = entries.slice(0, window.last - window.first + 1).map(({ index, snapshot }, i) => {
      const from = snapshot.created_at;
      const next = entries[i + 1]?.snapshot.created_at;
      // The clock may have been set back between the two.
      const end = Math.max(from, next ?? time);
      const current = compliance.get(index) ?? { compliant: false, state: null };
      return { index, from, to: next === undefined ? 0 : end, ...current, duration: end - from };
    });
    return { status: 200, body: reverse ? items : items.reverse() };
  });
};

/** State at each of consecutive entries. */
async function complianceOf(db: Database, history: History, entries: readonly HistoryEntry[]) {
  const [first] = entries;
  if (!first) return new Map<number, SnapshotCompliance>();
  const latest = new Map(await snapshotsAt(db, history, first));
  return new Map(
    entries.map(({ index, snapshot }) => {
      latest.set(snapshot.environment_id, snapshot);
      return [index, snapshotCompliance([...latest.values()])];
    }),
  );
}

interface SnapshotCompliance {
  compliant: boolean;
  /** Null without policies. */
  state: boolean | null;
}

function snapshotCompliance(snapshots: readonly SnapshotRow[]): SnapshotCompliance {
  return {
    compliant: snapshots.every(({ compliant }) => compliant === 1),
    state: commonState(snapshots.map(({ state }) => asBoolean(state))),
  };
}

/** Artifacts in a streamed slice. Smaller responses are sent whole. */
const ARTIFACTS_AT_ONCE = 200;

export const getSnapshot: Handler<"getSnapshot"> = async ({ org, params }, { store, links, now }) => {
  const { envName, snapshotExpression: text } = params;
  const expression = parseSnapshotExpression(text, now());
  if (!expression) throw new Invalid("snapshot.reference_invalid", `Bad snappish '${text}'`);
  const found = await store.readTogether(async (db) => {
    const shown = /^[~@#]/.test(text) ? `${envName}${text}` : `${envName}#${text}`;
    const { history, entry, next } = await findEntry(db, org, {
      environmentName: envName,
      expression,
      shown,
    });
    const snapshots = await snapshotsAt(db, history, entry);
    const policies = mergePolicies([...snapshots.values()].flatMap(policiesOf));
    const origins = await originsOf(db, "snapshot", [entry.snapshot.id]);
    const origin = origins.get(entry.snapshot.id);
    return { history, entry, next, snapshots, policies, origin, dumps: await policyDumps(db, policies) };
  });
  const { history, entry, next, snapshots, policies, origin, dumps } = found;
  // Snapshots never change, so separate reads are consistent.
  const content = await snapshotContent(store.read, history, entry, snapshots);
  const view = { org: org.name, links, logical: history.logical };
  const artifacts = async (start: number, end: number) =>
    (await artifactsAmong(store.read, content.groups, { start, end })).map((each) =>
      artifactView(each, view),
    );
  const page = pageOf(params, content.total);
  const { start, end } = page ?? { start: 0, end: content.total };
  const isLong = end - start > ARTIFACTS_AT_ONCE;
  return {
    status: 200,
    ...(page && {
      // Uses the number, because `-1` or `@{now}` may refer to another snapshot for the next page.
      headers: pageHeaders({ ...page, total: content.total }, (paging) =>
        links.api(["snapshots", org.name, envName, String(entry.index)], paging),
      ),
    }),
    body: {
      index: entry.index,
      isLatest: next === undefined,
      nextSnapshotTimestamp: next?.snapshot.created_at ?? null,
      artifactComplianceCount: content.compliance,
      timestamp: entry.snapshot.created_at,
      type: history.environment.type,
      ...snapshotCompliance([...snapshots.values()]),
      htmlUrl: links.snapshot(org.name, envName, entry.index),
      ...withOrigin(origin),
      artifacts: isLong ? [] : await artifacts(start, end),
      appliedPolicies: policies.map(({ failingArtifacts, ...policy }) => ({
        ...policy,
        policy_dump: dumps.get(policy.id)?.get(policy.version) ?? null,
        failing_artifacts: failingArtifacts,
      })),
    },
    ...(isLong && { streamed: { artifacts: slices({ start, end }, artifacts) } }),
  };
};

/** The page to return; undefined without paging. */
function pageOf(
  { page, perPage }: { page?: number | undefined; perPage?: number | undefined },
  total: number,
) {
  if (page === undefined && perPage === undefined) return undefined;
  const paging = { page: page ?? 1, perPage: perPage ?? MAX_ARTIFACTS_PER_PAGE };
  const { offset, limit } = sliceOf(paging);
  return { ...paging, start: offset, end: Math.min(offset + limit, total) };
}

async function* slices<Item>(
  { start, end }: { start: number; end: number },
  read: (start: number, end: number) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  for (let from = start; from < end; from += ARTIFACTS_AT_ONCE) {
    yield await read(from, Math.min(from + ARTIFACTS_AT_ONCE, end));
  }
}

/** Merges equal policy versions and their failing artifacts. */
function mergePolicies(policies: readonly AppliedPolicy[]): AppliedPolicy[] {
  const groups = Map.groupBy(policies, ({ id, version }) => `${id} ${version}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first
      ? [{ ...first, failingArtifacts: group.flatMap(({ failingArtifacts }) => failingArtifacts) }]
      : [];
  });
}

import type { Database } from "../../store/tables.ts";
import { readIntervals, type SnapshotArtifactRecord } from "../running/intervals.ts";
import { snapshotList } from "../running/snapshot-lists.ts";
import type { History, HistoryEntry } from "./histories.ts";
import type { SnapshotRow } from "./records.ts";

interface Annotation {
  type: string;
  was: number;
  now: number;
}

export interface ShownArtifact extends SnapshotArtifactRecord {
  environmentName: string;
  annotation: Annotation;
}

/** Interval ids of artifacts that are shown in the same way, sorted by name. */
interface Group {
  environmentName: string;
  /** Stopped with this snapshot. */
  exited: boolean;
  /** The snapshot whose changes they show. Absent if another part changed. */
  number: number | undefined;
  ids: readonly number[];
}

/** The content of a snapshot without the artifacts, which may be many. */
export interface SnapshotContent {
  /** By environment: running artifacts, then stopped ones. */
  groups: readonly Group[];
  total: number;
  /** Running artifacts by state; null means without policies. */
  compliance: { true: number; false: number; null: number };
}

/** @param snapshots the current one of each part of the environment */
export async function snapshotContent(
  db: Database,
  history: History,
  entry: HistoryEntry,
  snapshots: ReadonlyMap<string, SnapshotRow>,
): Promise<SnapshotContent> {
  const groups: Group[] = [];
  const compliance = { true: 0, false: 0, null: 0 };
  for (const { id, name } of history.parts) {
    const snapshot = snapshots.get(id);
    if (!snapshot) continue;
    const list = await snapshotList(db, snapshot);
    for (const word of ["true", "false", "null"] as const) compliance[word] += list.compliance[word];
    const number = snapshot.id === entry.snapshot.id ? snapshot.number : undefined;
    groups.push({ environmentName: name, exited: false, number, ids: list.running });
  }
  const source = history.parts.find(({ id }) => id === entry.snapshot.environment_id);
  const { ended } = await snapshotList(db, entry.snapshot);
  groups.push({
    environmentName: source?.name ?? "",
    exited: true,
    number: entry.snapshot.number,
    ids: ended,
  });
  return { groups, total: groups.reduce((sum, { ids }) => sum + ids.length, 0), compliance };
}

/** `from` is inclusive, `to` exclusive. */
export async function artifactsAmong(
  db: Database,
  groups: readonly Group[],
  { start, end }: { start: number; end: number },
): Promise<ShownArtifact[]> {
  const shown: ShownArtifact[] = [];
  let passed = 0;
  for (const { environmentName, exited, number, ids } of groups) {
    const some = ids.slice(Math.max(0, start - passed), Math.max(0, end - passed));
    passed += ids.length;
    const found = await readIntervals(db, some);
    for (const { row, record } of found) {
      const now = row.instance_count;
      const annotation = exited
        ? { type: "exited", was: now, now: 0 }
        : row.since === number && row.change !== null
          ? { type: row.change, was: row.instances_before, now }
          : { type: "unchanged", was: now, now };
      shown.push({ ...record, environmentName, annotation });
    }
  }
  return shown;
}

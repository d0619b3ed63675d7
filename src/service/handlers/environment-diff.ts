import type { diffSnapshots } from "../../api/snapshot-records.ts";
import { diffSnapshots as differencesBetween } from "../environments/snapshot-diff.ts";
import { parseSnappish } from "../environments/snapshot-expression.ts";
import type { Handler } from "../http/handler.ts";
import { HttpError } from "../http-error.ts";
import { snapshotsAt } from "../records/histories.ts";
import type { Organization } from "../records/organizations.ts";
import { artifactsIn, type SnapshotArtifactRecord } from "../records/running-intervals.ts";
import type { Database } from "../store/tables.ts";
import { findEntry } from "./snapshot-lookup.ts";

export const handleDiffSnapshots: Handler<typeof diffSnapshots> = async ({ org, params }, { store, now }) => {
  const time = now();
  const [name1, name2] = [parse(params.snappish1, time), parse(params.snappish2, time)];
  return store.readTogether(async (db) => {
    const first = await whatRan(db, org, name1);
    const second = await whatRan(db, org, name2);
    const { onlyFirst, onlySecond, changed, unchanged } = differencesBetween(
      first.artifacts,
      second.artifacts,
    );
    return {
      status: 200,
      body: {
        snappish1: { snapshotId: first.snapshotId, artifacts: onlyFirst },
        snappish2: { snapshotId: second.snapshotId, artifacts: onlySecond },
        changed: { snapshotId: null, artifacts: changed },
        notChanged: { snapshotId: null, artifacts: unchanged },
      },
    };
  });
};

type Snappish = NonNullable<ReturnType<typeof parseSnappish>>;

function parse(text: string, now: number): Snappish {
  const snappish = parseSnappish(text, now);
  if (!snappish) throw new HttpError(400, `Bad snappish '${text}'`);
  return snappish;
}

async function whatRan(
  db: Database,
  org: Organization,
  { environment, expression, suffix }: Snappish,
): Promise<{ snapshotId: string; artifacts: SnapshotArtifactRecord[] }> {
  const shown = `${environment}${suffix}`;
  const { history, entry } = await findEntry(db, org, { environmentName: environment, expression, shown });
  const snapshots = await snapshotsAt(db, history, entry);
  const artifacts: SnapshotArtifactRecord[] = [];
  for (const snapshot of snapshots.values()) {
    for (const artifact of await artifactsIn(db, snapshot)) artifacts.push(artifact);
  }
  return { snapshotId: `${environment}#${entry.index}`, artifacts };
}

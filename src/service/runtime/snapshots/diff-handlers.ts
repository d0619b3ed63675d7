import type { diffSnapshots } from "../../../api/resources/snapshots.ts";
import { diffSnapshots as differencesBetween } from "../../environments/snapshots/diff.ts";
import { findEntry } from "../../environments/snapshots/lookup.ts";
import { Invalid } from "../../kernel/errors.ts";
import type { Organization } from "../../kernel/organization.ts";
import type { Handler } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { artifactsIn, type SnapshotArtifactRecord } from "../running/intervals.ts";
import { parseSnappish } from "./expression.ts";
import { snapshotsAt } from "./histories.ts";
import type { SnapshotRow } from "./records.ts";

export const handleDiffSnapshots: Handler<typeof diffSnapshots> = async ({ org, params }, { store, now }) => {
  const time = now();
  const [name1, name2] = [parse(params.snappish1, time), parse(params.snappish2, time)];
  const [found1, found2] = await store.readTogether(
    async (db): Promise<[Meant, Meant]> => [
      await snapshotsMeant(db, org, name1),
      await snapshotsMeant(db, org, name2),
    ],
  );
  // What ran in a snapshot never changes, so it need not be read in one go.
  const { onlyFirst, onlySecond, changed, unchanged } = differencesBetween(
    await whatRan(store.read, found1.snapshots),
    await whatRan(store.read, found2.snapshots),
  );
  return {
    status: 200,
    body: {
      snappish1: { snapshotId: found1.snapshotId, artifacts: onlyFirst },
      snappish2: { snapshotId: found2.snapshotId, artifacts: onlySecond },
      changed: { snapshotId: null, artifacts: changed },
      notChanged: { snapshotId: null, artifacts: unchanged },
    },
  };
};

type Snappish = NonNullable<ReturnType<typeof parseSnappish>>;

function parse(text: string, now: number): Snappish {
  const snappish = parseSnappish(text, now);
  if (!snappish) throw new Invalid(`Bad snappish '${text}'`);
  return snappish;
}

interface Meant {
  snapshotId: string;
  /** One; of a logical environment one for each member that had any. */
  snapshots: readonly SnapshotRow[];
}

async function snapshotsMeant(
  db: Database,
  org: Organization,
  { environment, expression, suffix }: Snappish,
): Promise<Meant> {
  const shown = `${environment}${suffix}`;
  const { history, entry } = await findEntry(db, org, { environmentName: environment, expression, shown });
  const snapshots = await snapshotsAt(db, history, entry);
  return { snapshotId: `${environment}#${entry.index}`, snapshots: [...snapshots.values()] };
}

async function whatRan(db: Database, snapshots: readonly SnapshotRow[]): Promise<SnapshotArtifactRecord[]> {
  const artifacts: SnapshotArtifactRecord[] = [];
  for (const snapshot of snapshots) {
    for (const artifact of await artifactsIn(db, snapshot)) artifacts.push(artifact);
  }
  return artifacts;
}

import { NotFound } from "../../kernel/errors.ts";
import type { Organization } from "../../kernel/organization.ts";
import { requireEnvironment } from "../../runtime/environments/records.ts";
import type { SnapshotExpression } from "../../runtime/snapshots/expression.ts";
import {
  entriesBetween,
  type History,
  type HistoryEntry,
  historyOf,
  indexOf,
} from "../../runtime/snapshots/histories.ts";
import type { Database } from "../../store/tables.ts";

interface Named {
  environmentName: string;
  expression: SnapshotExpression;
  /** The expression as it is shown: `prod#-1`. */
  shown: string;
}

/**
 * The snapshot that an expression means, with the history it is part of and the one after it.
 *
 * @throws NotFound
 */
export async function findEntry(
  db: Database,
  org: Organization,
  { environmentName, expression, shown }: Named,
): Promise<{ history: History; entry: HistoryEntry; next: HistoryEntry | undefined }> {
  const environment = await requireEnvironment(db, org, environmentName);
  const history = await historyOf(db, environment);
  const index = await indexOf(db, history, expression);
  const [entry, next] = index < 1 ? [] : await entriesBetween(db, history, index, index + 1);
  if (!entry) {
    throw new NotFound(
      `Org: '${org.name}'. Snapshot '${shown}' resolves to '${environmentName}#${index}'. len(snapshots) == ${history.length}. Indexes are 1-based`,
    );
  }
  return { history, entry, next };
}

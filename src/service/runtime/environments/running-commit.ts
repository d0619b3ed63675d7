import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";

interface RunningFrom {
  flowId: string;
  environmentId: string;
}

/**
 * The commit of a flow's artifact that runs in an environment or its members. If there are several, the one that started
 * last. Null if none runs or its commit is unknown.
 */
export async function runningCommit(db: Database, { flowId, environmentId }: RunningFrom) {
  const [latest] = (await runningArtifacts(db, { flowId, environmentId })).sort(
    (a, b) => b.startedAt - a.startedAt,
  );
  if (!latest) return null;
  const artifact = await db
    .selectFrom("artifacts")
    .select("commit_sha")
    .where("flow_id", "=", flowId)
    .where("fingerprint", "=", latest.fingerprint)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return artifact?.commit_sha ?? null;
}

async function runningArtifacts(db: Database, { flowId, environmentId }: RunningFrom) {
  const members = await db
    .selectFrom("environment_members")
    .select("member_id")
    .where("environment_id", "=", environmentId)
    .execute();
  const rows = await db
    .selectFrom("environments")
    .innerJoin("running_intervals as running", "running.environment_id", "environments.id")
    .select(["running.fingerprint", "running.instances"])
    .where("environments.id", "in", listed([environmentId, ...members.map(({ member_id }) => member_id)]))
    .where("running.until", "is", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("artifacts")
          .select("artifacts.id")
          .where("artifacts.flow_id", "=", flowId)
          .whereRef("artifacts.fingerprint", "=", "running.fingerprint"),
      ),
    )
    .orderBy("running.fingerprint")
    .execute();
  return rows.map(({ fingerprint, instances }) => ({ fingerprint, startedAt: startOf(instances) }));
}

/** Start of the first instance, because later ones may be replacements. */
function startOf(column: string): number {
  const instances: { creationTimestamp: number }[] = JSON.parse(column);
  return instances.reduce((start, { creationTimestamp }) => Math.min(start, creationTimestamp), Infinity);
}

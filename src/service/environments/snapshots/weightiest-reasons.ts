import { asBoolean, type JudgedArtifact } from "../../runtime/running/intervals.ts";
import { reasonsForIncompliance } from "../../runtime/snapshots/judgement.ts";
import type { Database } from "../../store/tables.ts";

const MOST_REASONS = 5;

type Judged = Pick<JudgedArtifact, "name" | "compliant" | "policyDecisions">;

/** Why artifacts may not run: the reasons that hold for most of them first. */
export function weightiestReasons(artifacts: readonly Judged[]): string[] {
  const byReason = new Map<string, { first: string; count: number }>();
  for (const artifact of artifacts) {
    for (const reason of new Set(reasonsForIncompliance(artifact))) {
      const known = byReason.get(reason);
      if (known) known.count++;
      else byReason.set(reason, { first: artifact.name, count: 1 });
    }
  }
  return [...byReason]
    .sort(([, a], [, b]) => b.count - a.count)
    .slice(0, MOST_REASONS)
    .map(([reason, { first, count }]) => `'${first}'${count > 1 ? ` and ${count - 1} more` : ""}: ${reason}`);
}

/** Why what runs in an environment now may not, as it was judged. */
export async function keptReasons(db: Database, environmentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("running_intervals")
    .select(["name", "compliant", "decisions"])
    .where("environment_id", "=", environmentId)
    .where("until", "is", null)
    .where("compliant", "=", 0)
    .orderBy("id")
    .execute();
  return weightiestReasons(
    rows.map(({ name, compliant: flag, decisions }) => ({
      name,
      compliant: asBoolean(flag),
      policyDecisions: JSON.parse(decisions),
    })),
  );
}

import { policyReasons } from "../../../api/resources/assert-failures.ts";
import type { Database } from "../../store/tables.ts";
import { asBoolean, type EvaluatedArtifact, type SnapshotArtifactRecord } from "./intervals.ts";

const MOST_REASONS = 5;

type Artifact = Pick<EvaluatedArtifact, "name" | "compliant" | "policyDecisions">;

/** Reasons in words, sorted by the number of artifacts that have them. */
export function weightiestReasons(artifacts: readonly Artifact[]): string[] {
  const byReason = new Map<string, { first: string; count: number }>();
  for (const artifact of artifacts) {
    for (const reason of new Set(reasonsInWords(artifact))) {
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

/** The reasons in the latest snapshot. */
export async function storedReasons(db: Database, environmentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("running_intervals")
    .select(["name", "compliant", "decisions"])
    .where("environment_id", "=", environmentId)
    .where("until", "is", null)
    .where("ended", "=", 0)
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

function reasonsInWords({ compliant, policyDecisions }: Artifact): string[] {
  return compliant === false ? policyDecisions.flatMap(policyReasons) : [];
}

/** One line for each unsatisfied rule. */
export function reasonsForIncompliance({
  compliant,
  policyDecisions,
}: Pick<SnapshotArtifactRecord, "compliant" | "policyDecisions">): string[] {
  if (compliant !== false) return [];
  return policyDecisions.flatMap(({ policyName, ruleEvaluations = [] }) =>
    ruleEvaluations
      .filter((evaluation) => evaluation.satisfied === false)
      .map(({ rule, resolutions = [] }) => {
        const failures = resolutions
          .map(({ type }) => type)
          .filter((type) => type !== "rule_satisfied" && type !== "rule_not_applicable");
        return `policy '${policyName}': ${rule.type}: ${[...new Set(failures)].join(", ")}`;
      }),
  );
}

/** False if any is false, true if all are. */
export function commonState(states: readonly (boolean | null)[]): boolean | null {
  if (states.includes(false)) return false;
  return states.length === 0 || states.includes(null) ? null : true;
}

/**
 * The new state of an environment if its compliance changed. A first snapshot or a first policy counts as a change only
 * if it is non-compliant.
 */
export function turnOf(before: boolean | null | undefined, after: boolean | null): boolean | undefined {
  if (after === false && before !== false) return false;
  return after === true && before === false ? true : undefined;
}

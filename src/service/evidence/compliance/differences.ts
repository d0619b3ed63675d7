import { isDeepStrictEqual } from "node:util";
import type { AttestationFact } from "../../judging/compliance/evaluate.ts";
import type { Template } from "../../judging/compliance/template.ts";
import { type Verdict, verdictsOf } from "../../judging/compliance/trail-verdict.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import { inSteps, type Moments } from "../../store/consistency/in-steps.ts";
import { listed } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { artifactFact } from "./facts.ts";
import { attestationFact } from "./latest.ts";

/** A stored state that differs from the evaluation of all records. */
export interface Difference {
  trailId: string;
  /** Absent for a difference of the trail. */
  artifactId?: string;
  stored: unknown;
  found: unknown;
}

const TRAILS_AT_A_TIME = 100;

/**
 * Evaluates trails and artifacts from all records and yields differences from the stored state. None are expected. Times
 * of state changes are not compared, because replaced templates are not stored.
 *
 * @param onCompared receives the number of trails of each step
 */
export async function* complianceDifferences(
  records: Moments,
  onCompared: (trails: number) => void = () => {},
): AsyncGenerator<Difference> {
  yield* inSteps(records, { start: "", onCompared }, async (db, last) => {
    const trails = await db
      .selectFrom("trails")
      .select(["id", "template", "compliance_state", "compliance_reason"])
      .where("id", ">", last)
      .orderBy("id")
      .limit(TRAILS_AT_A_TIME)
      .execute();
    const found: Difference[] = [];
    for (const trail of trails) found.push(...(await differencesOf(db, trail)));
    const next = trails.length < TRAILS_AT_A_TIME ? undefined : trails.at(-1)?.id;
    return { found, compared: trails.length, next };
  });
}

type TrailRow = Pick<Tables["trails"], "id" | "template" | "compliance_state" | "compliance_reason">;

async function differencesOf(db: Database, trail: TrailRow): Promise<Difference[]> {
  const template = templateOf(trail);
  if (template === undefined) {
    return [
      { trailId: trail.id, stored: verdictIn(trail), found: "nothing, because its template is invalid" },
    ];
  }
  const reports = await db.selectFrom("artifacts").selectAll().where("trail_id", "=", trail.id).execute();
  const made = await attestationsOf(db, trail.id);
  const verdicts = verdictsOf({
    template,
    artifacts: reports.map(artifactFact),
    attestations: made.map(({ fact }) => fact),
  });
  const compared = [
    { stored: verdictIn(trail), found: verdicts.trail },
    ...reports.map((row, index) => ({
      artifactId: row.id,
      stored: verdictIn(row),
      found: verdicts.artifacts[index],
    })),
    { stored: await storedLatest(db, trail.id), found: latestOf(made) },
  ];
  return compared
    .filter(({ stored, found }) => !isDeepStrictEqual(stored, found))
    .map((difference) => ({ trailId: trail.id, ...difference }));
}

function templateOf({ template }: TrailRow): Template | undefined {
  try {
    return JSON.parse(template);
  } catch {
    return undefined;
  }
}

function verdictIn({
  compliance_state: state,
  compliance_reason: reason,
}: Pick<Tables["artifacts"], "compliance_state" | "compliance_reason">): Partial<Verdict> | null {
  return state === null ? null : { state, reason };
}

interface RecordedAttestation {
  fact: AttestationFact;
  control: string;
}

/** Oldest first. */
async function attestationsOf(db: Database, trailId: string): Promise<RecordedAttestation[]> {
  const rows = await db
    .selectFrom("attestations")
    .leftJoin("control_decisions as decision", "decision.attestation_id", "attestations.id")
    .select(["sequence", "id", "name", "type", "attestations.is_compliant", "commit_sha", "overridden_id"])
    .select(["attestations.artifact_fingerprint", "decision.control"])
    .where("trail_id", "=", trailId)
    .orderBy("sequence")
    .execute();
  const targets = await targetsOf(db, idsOf(rows));
  return rows.map((row) => ({
    fact: attestationFact(row, row.artifact_fingerprint, targets.get(row.id) ?? []),
    control: row.control ?? "",
  }));
}

async function targetsOf(db: Database, attestationIds: readonly string[]) {
  const rows = await db
    .selectFrom("attestation_targets")
    .select(["attestation_id", "artifact_name"])
    .where("attestation_id", "in", listed(attestationIds))
    .execute();
  return valuesByKey(rows, ({ attestation_id, artifact_name }) => [attestation_id, artifact_name]);
}

/** Sequence numbers of the attestations that count, by slot. */
type Latest = Record<string, number>;

function latestOf(made: readonly RecordedAttestation[]): Latest {
  const latest: Latest = {};
  for (const { fact, control } of made) {
    const { fingerprint, targets, commitSha, name, type, sequence } = fact;
    const subjects =
      fingerprint !== null || targets.length === 0
        ? [[fingerprint ?? "", "", ""]]
        : targets.map((target) => ["", target, commitSha ?? ""]);
    for (const subject of subjects) latest[JSON.stringify([...subject, name, type, control])] = sequence;
  }
  return latest;
}

async function storedLatest(db: Database, trailId: string): Promise<Latest> {
  const rows = await db
    .selectFrom("latest_attestations")
    .selectAll()
    .where("trail_id", "=", trailId)
    .execute();
  return Object.fromEntries(
    rows.map((row) => [
      JSON.stringify([
        ...[row.fingerprint, row.artifact_name, row.commit_sha],
        ...[row.name, row.type, row.control],
      ]),
      row.attestation_sequence,
    ]),
  );
}

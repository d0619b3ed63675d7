import type { TrailRecords } from "../../evidence/compliance/trail-records.ts";
import { type Verdict, verdictsOf } from "../../judging/compliance/trail-verdict.ts";
import { updateRows } from "../../store/dialect.ts";
import { type Modification, modifiedAt } from "../../store/evidence-tables.ts";
import { type Given, prepared, together } from "../../store/prepared.ts";
import type { Database, Tables } from "../../store/tables.ts";
import type { Projection, RecordedEvent } from "../types/event-types.ts";
import type { LatestAttestation, TrailEvaluation } from "../types/evidence.ts";

export const compliance: Projection = {
  "trail.updated": async (db, { seen, by }) => seen.evaluation && keepVerdicts(db, seen.evaluation, by.now),
  "artifact.reported": async (db, { seen, by }) =>
    seen.evaluation && keepVerdicts(db, seen.evaluation, by.now),
  "attestation.recorded": keepAttestation,
  "attestation.overridden": keepAttestation,
};

function keepAttestation(
  db: Database,
  { seen, by }: RecordedEvent<"attestation.recorded" | "attestation.overridden">,
) {
  return together([keepLatest(db, seen.latest), keepVerdicts(db, seen.evaluation, by.now)]);
}

/** Evaluates a trail with all its records and returns it before and after. */
export function evaluateTrail(before: TrailRecords): TrailEvaluation {
  const verdicts = verdictsOf(before);
  const artifacts = before.artifacts.map((artifact, index) => ({
    ...artifact,
    verdict: verdicts.artifacts[index] ?? artifact.verdict,
  }));
  return { before, after: { ...before, artifacts, verdict: verdicts.trail } };
}

const noteChange = prepared((db, given: Given<{ id: string } & Modification>) =>
  db
    .updateTable("trails")
    .set({ last_modified_at: given("last_modified_at"), modified_minute: given("modified_minute") })
    .where("id", "=", given("id")),
);

async function keepVerdicts(db: Database, { before, after }: TrailEvaluation, now: number): Promise<void> {
  const { id } = before;
  const changes = before.artifacts.flatMap(({ sequence, verdict: was }, index) => {
    const verdict = after.artifacts[index]?.verdict;
    return verdict && !isSame(was, verdict) ? [{ sequence, was, verdict }] : [];
  });
  const isOtherState = ({ was, verdict }: Change) => was?.state !== verdict.state;
  const states = changes.filter(isOtherState).map(({ sequence, verdict }) => ({
    sequence,
    compliance_state: verdict.state,
    compliance_since: now,
    compliance_reason: verdict.reason,
  }));
  const reasons = changes
    .filter((each) => !isOtherState(each))
    .map(({ sequence, verdict }) => ({ sequence, compliance_reason: verdict.reason }));
  await together([
    isSame(before.verdict, after.verdict)
      ? noteChange(db, { id, ...modifiedAt(now) })
      : db
          .updateTable("trails")
          .set({ ...modifiedAt(now), ...changedColumns(before.verdict, after.verdict, now) })
          .where("id", "=", id)
          .execute(),
    updateRows(db, "artifacts", "sequence", states),
    updateRows(db, "artifacts", "sequence", reasons),
  ]);
}

interface Change {
  was: Verdict | null;
  verdict: Verdict;
}

/** The verdict columns of a trail; empty when its verdict is unchanged. */
function changedColumns(before: Verdict, after: Verdict, now: number) {
  return {
    compliance_reason: after.reason,
    ...(before.state === after.state ? {} : { compliance_state: after.state, compliance_since: now }),
  };
}

function isSame(before: Verdict | null, after: Verdict): boolean {
  return before?.state === after.state && before.reason === after.reason;
}

type Subject = Omit<Tables["latest_attestations"], "attestation_sequence">;

const upsertLatest = prepared((db, given: Given<Subject & { id: string }>) => {
  const made = db.selectFrom("attestations").select("sequence").where("id", "=", given("id"));
  return db
    .insertInto("latest_attestations")
    .values({
      trail_id: given("trail_id"),
      fingerprint: given("fingerprint"),
      artifact_name: given("artifact_name"),
      commit_sha: given("commit_sha"),
      name: given("name"),
      type: given("type"),
      control: given("control"),
      attestation_sequence: made,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["trail_id", "fingerprint", "artifact_name", "commit_sha", "name", "type", "control"])
        .doUpdateSet({ attestation_sequence: (eb) => eb.ref("excluded.attestation_sequence") }),
    );
});

async function keepLatest(db: Database, { id, ...attestation }: LatestAttestation): Promise<void> {
  await together(subjectsOf(attestation).map((subject) => upsertLatest(db, { ...subject, id })));
}

function subjectsOf({
  fingerprint,
  targets,
  commitSha,
  control,
  ...attestation
}: Omit<LatestAttestation, "id">): Subject[] {
  const subject = {
    trail_id: attestation.trailId,
    fingerprint: fingerprint ?? "",
    artifact_name: "",
    commit_sha: "",
    name: attestation.name,
    type: attestation.type,
    control: control ?? "",
  };
  if (fingerprint !== null || targets.length === 0) return [subject];
  return [...new Set(targets)].map((target) => ({
    ...subject,
    artifact_name: target,
    commit_sha: commitSha ?? "",
  }));
}

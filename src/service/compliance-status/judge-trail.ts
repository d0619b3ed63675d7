import type { TrailRecords } from "../evidence/compliance/trail-records.ts";
import { type Verdict, verdictsOf } from "../judging/compliance/trail-verdict.ts";
import { updateRows } from "../store/dialect.ts";
import { type Given, prepared } from "../store/prepared.ts";
import type { Database } from "../store/tables.ts";

const noteChange = prepared((db, given: Given<{ id: string; now: number }>) =>
  db
    .updateTable("trails")
    .set({ last_modified_at: given("now") })
    .where("id", "=", given("id")),
);

/**
 * Judges a trail to which something was just added, and keeps what it and its artifacts are now.
 *
 * @param trail with what was added, and with what it was judged to be before
 * @returns the trail with what it is judged to be now
 */
export async function judgeTrail(db: Database, trail: TrailRecords, now: number): Promise<TrailRecords> {
  const verdicts = verdictsOf(trail);
  if (isSame(trail.verdict, verdicts.trail)) await noteChange(db, { id: trail.id, now });
  else {
    await db
      .updateTable("trails")
      .set({ last_modified_at: now, ...changedColumns(trail.verdict, verdicts.trail, now) })
      .where("id", "=", trail.id)
      .execute();
  }
  const changes = trail.artifacts.flatMap(({ sequence, verdict: before }, index) => {
    const after = verdicts.artifacts[index];
    return after && !isSame(before, after) ? [{ sequence, before, after }] : [];
  });
  const isOtherState = ({ before, after }: Change) => before?.state !== after.state;
  const [states, reasons] = [changes.filter(isOtherState), changes.filter((each) => !isOtherState(each))];
  await updateRows(
    db,
    "artifacts",
    "sequence",
    states.map(({ sequence, after }) => ({
      sequence,
      compliance_state: after.state,
      compliance_since: now,
      compliance_reason: after.reason,
    })),
  );
  await updateRows(
    db,
    "artifacts",
    "sequence",
    reasons.map(({ sequence, after }) => ({ sequence, compliance_reason: after.reason })),
  );
  return { ...trail, verdict: verdicts.trail };
}

interface Change {
  before: Verdict | null;
  after: Verdict;
}

/** The columns of a trail that say what it was judged to be, when that is another verdict than before. */
function changedColumns(before: Verdict, after: Verdict, now: number) {
  return {
    compliance_reason: after.reason,
    ...(before.state === after.state ? {} : { compliance_state: after.state, compliance_since: now }),
  };
}

function isSame(before: Verdict | null, after: Verdict): boolean {
  return before?.state === after.state && before.reason === after.reason;
}

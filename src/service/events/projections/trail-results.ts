import type { ComplianceStatus } from "../../judging/compliance/evaluate.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database } from "../../store/tables.ts";
import { flowContent, type NotifiedPlace, type PlaceInFlow } from "./flow-content.ts";
import { mergedByTrail, type Occurrence, type Trigger } from "./raise.ts";
import { isFor, type Rule } from "./rules.ts";

/** Time without an event after which an incomplete trail is reported, because its run has ended or is stuck. */
const QUIET_SECONDS = 10 * 60;

const TRIGGERS = {
  COMPLIANT: "ON_COMPLIANT_TRAIL",
  "NON-COMPLIANT": "ON_NON_COMPLIANT_TRAIL",
  INCOMPLETE: "ON_INCOMPLETE_TRAIL",
} as const satisfies Record<ComplianceStatus, Trigger>;

const WORDS = {
  COMPLIANT: "became compliant",
  "NON-COMPLIANT": "became non-compliant",
  INCOMPLETE: `is incomplete, with no event for ${QUIET_SECONDS / 60} minutes`,
} as const satisfies Record<ComplianceStatus, string>;

type PlaceWithTrail = NotifiedPlace & Required<Pick<PlaceInFlow, "trail">>;

/**
 * The change of a trail's result by an event, if it was not reported before. An incomplete trail is only noted, because
 * its run is usually under way.
 *
 * @param before absent for a new trail, whose first result is no change
 */
export async function changedResult(
  db: Database,
  place: NotifiedPlace,
  { before, rules, now }: { before: ComplianceStatus | undefined; rules: readonly Rule[]; now: number },
): Promise<Occurrence[]> {
  const { org, flow, trail } = place;
  if (!trail || !isWatched(rules, flow.name)) return [];
  const { id, verdict } = trail.records;
  if (verdict.state === "INCOMPLETE") {
    await noteQuiet(db, { id, orgId: org.id, quietAt: now + QUIET_SECONDS, now });
    return [];
  }
  if (before === undefined || before === verdict.state) return [];
  const isNew = await noteResult(db, { id, orgId: org.id, result: verdict.state, now });
  return isNew ? [resultOf({ ...place, trail })] : [];
}

function isWatched(rules: readonly Rule[], place: string): boolean {
  return Object.values(TRIGGERS).some((trigger) => rules.some((rule) => isFor(rule, { trigger, place })));
}

/** The notification about the trail's present result. */
export function resultOf(place: PlaceWithTrail): Occurrence {
  const { flow, trail } = place;
  const state = trail?.records.verdict.state ?? "INCOMPLETE";
  return {
    trigger: TRIGGERS[state],
    place: flow.name,
    merge: mergedByTrail(trail?.records.id),
    each: () => [
      flowContent(place, { description: `Trail '${trail?.name}' of flow '${flow.name}' ${WORDS[state]}.` }),
    ],
  };
}

interface Noted {
  readonly id: string;
  readonly orgId: string;
  readonly result: string;
  readonly now: number;
  /** Seconds after which an equal result is reported again. Default: never. */
  readonly after?: number;
}

/** Notes a result that is reported. @returns false if it was reported before */
export async function noteResult(
  db: Database,
  { id, orgId, result, now, after = Number.POSITIVE_INFINITY }: Noted,
): Promise<boolean> {
  const noted = { result, quiet_at: null, noted_at: now };
  const rows = await db
    .insertInto("notified_results")
    .values({ subject_id: id, org_id: orgId, ...noted })
    .onConflict((conflict) =>
      conflict
        .column("subject_id")
        .doUpdateSet(noted)
        .where(({ or, eb }) =>
          or([
            eb("notified_results.result", "!=", result),
            ...(Number.isFinite(after) ? [eb("notified_results.noted_at", "<=", now - after)] : []),
          ]),
        ),
    )
    .returning("subject_id")
    .execute();
  return rows.length > 0;
}

interface Quiet {
  id: string;
  orgId: string;
  quietAt: number;
  now: number;
}

/** Postpones the report of an incomplete trail. One that was reported is not reported again. */
const noteQuiet = prepared((db, given: Given<Quiet>) =>
  db
    .insertInto("notified_results")
    .values({
      subject_id: given("id"),
      org_id: given("orgId"),
      quiet_at: given("quietAt"),
      noted_at: given("now"),
    })
    .onConflict((conflict) =>
      conflict
        .column("subject_id")
        .doUpdateSet((eb) => ({
          quiet_at: eb.ref("excluded.quiet_at"),
          noted_at: eb.ref("excluded.noted_at"),
        }))
        .where("notified_results.result", "!=", "INCOMPLETE"),
    ),
);

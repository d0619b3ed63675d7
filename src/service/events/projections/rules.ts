import type { RawBuilder } from "kysely";
import type { TargetKind } from "../../store/notification-tables.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database } from "../../store/tables.ts";

export type ActionType = "flow" | "env" | "org";

/** One target of an action. */
export interface Rule {
  readonly action_id: string;
  readonly target_id: string;
  readonly kind: TargetKind;
  /** Flow or environment names as JSON. Empty means all. */
  readonly flows: string;
  readonly environments: string;
  /** JSON. Empty means all. */
  readonly triggers: string;
  readonly muted_until: number | null;
}

interface Wanted {
  orgId: string;
  type: ActionType;
}

export function selectRules(
  db: Database,
  { orgId, type }: { [Name in keyof Wanted]: RawBuilder<Wanted[Name]> },
) {
  return db
    .selectFrom("actions")
    .innerJoin("notification_targets as target", "target.action_id", "actions.id")
    .select(["target.action_id", "target.id as target_id", "target.kind"])
    .select(["actions.flows", "actions.environments", "actions.triggers", "actions.muted_until"])
    .where("actions.org_id", "=", orgId)
    .where("actions.type", "=", type)
    .where("target.removed_at", "is", null)
    .where("target.ended_at", "is", null)
    .orderBy("actions.number")
    .orderBy("target.position");
}

const rules = prepared((db, given: Given<Wanted>) =>
  selectRules(db, { orgId: given("orgId"), type: given("type") }),
);

export function rulesOf(db: Database, orgId: string, type: ActionType): Promise<readonly Rule[]> {
  return rules(db, { orgId, type });
}

export function isFor(
  { triggers, flows, environments }: Rule,
  { trigger, place }: { trigger: string; place: string },
): boolean {
  return holds(triggers, trigger) && holds(flows, place) && holds(environments, place);
}

function holds(column: string, name: string): boolean {
  if (column === "[]") return true;
  const names: string[] = JSON.parse(column);
  return names.includes(name);
}

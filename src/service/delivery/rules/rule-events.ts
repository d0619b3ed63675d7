import { serviceContext } from "../../events/audit-log/contexts.ts";
import { type Changes, changesBetween, isChanged, NOTHING, type State } from "../../events/changes.ts";
import type { ActionType } from "../../events/projections/rules.ts";
import { record } from "../../events/record.ts";
import type { deliveryEvents } from "../../events/types/delivery.ts";
import type { ActContext } from "../../kernel/caller.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { requestContextOf, type Sender } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { listActions, requireAction, type StoredAction, type WrittenAction } from "./records.ts";
import { numberOf, type TargetRow, targetRowsOf } from "./targets.ts";
import { shownTargets } from "./view.ts";

/** Changes the action that a call names, in one write. @throws NotFound */
export function changeRule<T>(
  call: Sender & { readonly params: { readonly actionNumber: number } },
  context: ServiceContext,
  change: (db: Database, action: StoredAction, by: ActContext) => Promise<T>,
): Promise<T> {
  return context.store.write(async (db) => {
    const action = await requireAction(db, { orgId: call.org.id, number: call.params.actionNumber });
    return change(db, action, requestContextOf(call, context));
  });
}

export function recordOfRule(
  db: Database,
  by: ActContext,
  { name, number, type: watches }: StoredAction,
  { type, details, changes }: { type: keyof typeof deliveryEvents; details?: State; changes?: Changes },
): Promise<void> {
  const subject = { name, id: String(number) };
  return record(db, by, { type, subject, data: { details: { type: watches, ...details }, changes } });
}

/** Records the changes of a rule, if any. */
export async function recordWrittenRule(
  db: Database,
  by: ActContext,
  { before, after }: WrittenAction,
): Promise<void> {
  const changes = changesBetween(before ? stateOf(before) : NOTHING, stateOf(after));
  if (!isChanged(changes)) return;
  // Compared whole, and stored without secrets.
  if (changes["targets"]) {
    const rows = await targetRowsOf(db, after.id);
    changes["targets"] = { from: before ? shownTargets(before, rows) : null, to: shownTargets(after, rows) };
  }
  const type = before ? "action.changed" : "action.created";
  await recordOfRule(db, by, before ?? after, { type, changes });
}

export async function recordDeletedRule(db: Database, by: ActContext, rule: StoredAction): Promise<void> {
  const targets = shownTargets(rule, await targetRowsOf(db, rule.id));
  await recordOfRule(db, by, rule, { type: "action.deleted", details: { ...stateOf(rule), targets } });
}

type EndedTarget = Pick<TargetRow, "org_id" | "kind" | "position" | "ended_because">;

/** Records that a target was disabled. Its address is a secret. */
export function recordEndedTarget(
  db: Database,
  { name, number }: Pick<StoredAction, "name" | "number">,
  { org_id, kind, ended_because, ...target }: EndedTarget,
  at: number,
): Promise<void> {
  return record(db, serviceContext(org_id, at), {
    type: "action.target_ended",
    subject: { name, id: String(number) },
    data: { details: { target: numberOf(target), kind, reason: ended_because } },
  });
}

function stateOf({ name, type, targets, flows, environments, triggers, muted_until }: StoredAction) {
  return {
    name,
    ...(type === "flow" ? { flows: JSON.parse(flows) } : {}),
    ...(type === "env" ? { environments: JSON.parse(environments) } : {}),
    triggers: JSON.parse(triggers),
    ...(muted_until === null ? {} : { muted_until }),
    targets: JSON.parse(targets),
  };
}

interface Renaming {
  readonly type: Exclude<ActionType, "org">;
  readonly from: string;
  readonly to: string;
}

/** Updates the rules that name a renamed flow or environment. */
export async function renameInRules(
  db: Database,
  by: ActContext,
  { type, from, to }: Renaming,
): Promise<void> {
  if (from === to) return;
  const column = type === "flow" ? "flows" : "environments";
  for (const before of await listActions(db, { orgId: by.orgId, type })) {
    const names: string[] = JSON.parse(before[column]);
    if (!names.includes(from)) continue;
    const changed = new Set(names.map((name) => (name === from ? to : name)));
    const after = await db
      .updateTable("actions")
      .set({ [column]: JSON.stringify([...changed]), last_modified_at: by.now })
      .where("id", "=", before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordWrittenRule(db, by, { before, after });
  }
}

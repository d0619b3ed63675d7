import { recordAct } from "../audit-log/record-act.ts";
import type { StoredAction, WrittenAction } from "../delivery/rules/records.ts";
import { shownTargets } from "../delivery/rules/view.ts";
import { changesBetween, isChanged, NOTHING } from "../events/changes.ts";
import type { ActContext } from "../kernel/request-context.ts";
import type { Database } from "../store/tables.ts";
import { targetRowsOf } from "./targets-of-action.ts";

/** Adds to the audit log what was made or changed of an action. Nothing that was changed leaves no entry. */
export async function recordActionChange(
  db: Database,
  context: ActContext,
  { before, after }: WrittenAction,
): Promise<void> {
  const changes = changesBetween(before ? stateOf(before) : NOTHING, stateOf(after));
  if (!isChanged(changes)) return;
  // Compared whole, and written down without what is secret.
  const { targets, ...others } = changes;
  const rows = targets ? await targetRowsOf(db, after.id) : [];
  await recordAct(db, context, {
    act: before ? "action.changed" : "action.created",
    ...subjectOf(before ?? after),
    changes: targets
      ? {
          ...others,
          targets: { from: before ? shownTargets(before, rows) : null, to: shownTargets(after, rows) },
        }
      : others,
  });
}

/** Adds to the audit log that an action was deleted, with what it said. */
export async function recordActionDeletion(
  db: Database,
  context: ActContext,
  action: StoredAction,
): Promise<void> {
  const { resource, details } = subjectOf(action);
  const said = { ...stateOf(action), targets: shownTargets(action, await targetRowsOf(db, action.id)) };
  await recordAct(db, context, { act: "action.deleted", resource, details: { ...details, ...said } });
}

export function subjectOf({ name, number, type }: StoredAction) {
  return { resource: { name, id: String(number) }, details: { type } };
}

function stateOf({ name, type, targets, flows, environments, triggers }: StoredAction) {
  return {
    name,
    ...(type === "flow" ? { flows: JSON.parse(flows) } : {}),
    ...(type === "env" ? { environments: JSON.parse(environments) } : {}),
    triggers: JSON.parse(triggers),
    targets: JSON.parse(targets),
  };
}

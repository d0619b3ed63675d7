import type { ActionType } from "../../events/projections/rules.ts";
import type { RequestContext } from "../../kernel/caller.ts";
import { Invalid, invalidInput, NotFound } from "../../kernel/errors.ts";
import type { SecretBox } from "../../operation/context.ts";
import { nextNumber } from "../../store/counters.ts";
import { countRows, ROW_COUNT } from "../../store/dialect.ts";
import { newId } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { addressesOf, type NamedTarget, withAddressKeys } from "../../store/target-addresses.ts";
import { removeTargets, syncTargets } from "./targets.ts";

export interface ActionFields {
  type: ActionType;
  name: string;
  targets: readonly NamedTarget[];
  /** Names of flows or environments; empty for all. */
  watched: readonly string[];
  triggers: readonly string[];
  /** Undefined keeps the present value. */
  mutedUntil: number | null | undefined;
}

export type StoredAction = Omit<Tables["actions"], "environments"> & { environments: string };

export interface WrittenAction {
  before: StoredAction | undefined;
  after: StoredAction;
}

/** Creates an action, or replaces the one of its type and name. @throws Invalid if there are too many */
export async function putAction(
  db: Database,
  fields: ActionFields,
  { orgId, accountName, now }: RequestContext,
  { secrets, maxRules }: { secrets: SecretBox; maxRules: number },
): Promise<WrittenAction> {
  const before = await db
    .selectFrom("actions")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("type", "=", fields.type)
    .where("name", "=", fields.name)
    .executeTakeFirst();
  if (before) return rewrite(db, before, fields, { now, secrets });
  await requireRoom(db, orgId, maxRules);
  const number = await nextNumber(db, "organizations", orgId);
  const { columns, places } = columnsOf(fields, now, secrets);
  const after = await db
    .insertInto("actions")
    .values({
      ...{ ...columns, id: newId(), org_id: orgId, number, type: fields.type },
      ...{ created_by: accountName, created_at: now },
    })
    .onConflict((conflict) => conflict.columns(["org_id", "type", "name"]).doUpdateSet(columns))
    .returningAll()
    .executeTakeFirstOrThrow();
  await syncTargets(db, after, places, { now, secrets });
  return { before: undefined, after };
}

/** @throws Invalid if the organization has reached its limit */
async function requireRoom(db: Database, orgId: string, maxRules: number): Promise<void> {
  if (maxRules === 0) return;
  const count = await countRows(db.selectFrom("actions").select(ROW_COUNT).where("org_id", "=", orgId));
  if (count < maxRules) return;
  throw new Invalid(
    "notification_rule.too_many",
    `An organization can have at most ${maxRules} notification rules: delete one, or ask the operator to raise --max-rules`,
  );
}

async function rewrite(
  db: Database,
  before: StoredAction,
  fields: ActionFields,
  { now, secrets }: { now: number; secrets: SecretBox },
): Promise<WrittenAction> {
  const { columns, places } = columnsOf(fields, now, secrets);
  const change = db.updateTable("actions").set(columns).where("id", "=", before.id).returningAll();
  const after = await change.executeTakeFirstOrThrow();
  await syncTargets(db, after, places, { now, secrets });
  return { before, after };
}

function columnsOf(
  { type, name, targets, watched, triggers, mutedUntil }: ActionFields,
  now: number,
  secrets: SecretBox,
) {
  const hash = (text: string) => secrets.hash(text);
  const places = addressesOf(targets, hash);
  const columns = {
    name,
    targets: JSON.stringify(
      withAddressKeys(targets, (_, target) => addressesOf([target], hash)[0]?.key ?? ""),
    ),
    flows: JSON.stringify(type === "flow" ? watched : []),
    environments: JSON.stringify(type === "env" ? watched : []),
    triggers: JSON.stringify(triggers),
    ...(mutedUntil === undefined ? {} : { muted_until: mutedUntil }),
    last_modified_at: now,
  };
  return { columns, places };
}

/** Replaces an action with its name. @throws NotFound, or Invalid if another one has the name */
export async function updateAction(
  db: Database,
  action: { orgId: string; number: number },
  fields: ActionFields,
  parts: { now: number; secrets: SecretBox },
): Promise<WrittenAction> {
  const before = await requireAction(db, { ...action, type: fields.type });
  const namesake = await db
    .selectFrom("actions")
    .select("number")
    .where("org_id", "=", action.orgId)
    .where("type", "=", fields.type)
    .where("name", "=", fields.name)
    .where("id", "!=", before.id)
    .executeTakeFirst();
  if (namesake) {
    const errors = { name: `Action ${namesake.number} has this name [input: ${fields.name}]` };
    throw invalidInput(errors, { message: "Invalid notification payload" });
  }
  return rewrite(db, before, fields, parts);
}

export interface ActionKey {
  orgId: string;
  number: number;
  type?: ActionType;
}

/** @throws NotFound */
export async function requireAction(db: Database, { orgId, number, type }: ActionKey): Promise<StoredAction> {
  let found = db.selectFrom("actions").selectAll().where("org_id", "=", orgId).where("number", "=", number);
  if (type !== undefined) found = found.where("type", "=", type);
  const action = await found.executeTakeFirst();
  if (!action) throw new NotFound("notification_rule.not_found", "Action not found");
  return action;
}

export async function listActions(
  db: Database,
  { orgId, type }: { orgId: string; type?: ActionType },
): Promise<StoredAction[]> {
  let actions = db.selectFrom("actions").selectAll().where("org_id", "=", orgId);
  if (type !== undefined) actions = actions.where("type", "=", type);
  return actions.orderBy("number").execute();
}

/** Deletes an action and returns it. Its targets stay for their delivery log. @throws NotFound */
export async function deleteAction(db: Database, key: ActionKey, now: number): Promise<StoredAction> {
  const action = await requireAction(db, key);
  await removeTargets(db, action.id, now);
  await db.deleteFrom("actions").where("id", "=", action.id).execute();
  return action;
}

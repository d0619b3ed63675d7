import { isDeepStrictEqual } from "node:util";
import { insertRows, listed } from "../../store/dialect.ts";
import { newIdOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { type Attributes, isObject } from "./attributes.ts";
import { type PatchOperation, patched } from "./patch.ts";
import { followMany } from "./pending.ts";
import { invalid } from "./problem.ts";
import {
  attributesOf,
  columnsOf,
  type Realm,
  requireFree,
  requireRow,
  type ScimRow,
  usersAmong,
} from "./records.ts";
import type { Provisioning } from "./rights.ts";
import { changeOf, realmOf, refuseLoss } from "./users.ts";

/** Returns the new group. @throws ScimProblem */
export async function createGroup(
  db: Database,
  provisioning: Provisioning,
  sent: Attributes,
): Promise<ScimRow> {
  const realm = realmOf(provisioning);
  const { now } = provisioning.by;
  const { members, ...attributes } = sent;
  const columns = columnsOf("Group", attributes);
  await requireFree(db, realm, columns);
  const row: ScimRow = {
    ...{ ...columns, id: newIdOf(now), org_id: realm.orgId, provider: realm.provider },
    ...{ active: 1, person_id: null, pending: 0, version: 1 },
    ...{ created_at: now, changed_at: now, deleted_at: null },
  };
  await db.insertInto("scim_resources").values(row).execute();
  const added = await addMembers(db, realm, row.id, idsIn(members));
  refuseLoss(await followMany(db, provisioning, added));
  return row;
}

/** Replaces a group and its members. Returns it as it is now. @throws ScimProblem */
export function replaceGroup(
  db: Database,
  provisioning: Provisioning,
  id: string,
  { members, ...attributes }: Attributes,
): Promise<ScimRow> {
  return changeGroup(db, provisioning, id, {
    changed: () => attributes,
    members: { replaces: true, added: new Set(idsIn(members)), removed: new Set() },
  });
}

/** Applies the operations of a PATCH request. Returns the group as it is now. @throws ScimProblem */
export function patchGroup(
  db: Database,
  provisioning: Provisioning,
  id: string,
  operations: readonly PatchOperation[],
): Promise<ScimRow> {
  const isOfMembers = ({ path }: PatchOperation) => path.steps[0] === "members";
  const members: MemberChange = { replaces: false, added: new Set(), removed: new Set() };
  for (const operation of operations.filter(isOfMembers)) noteMembers(members, operation);
  const others = operations.filter((operation) => !isOfMembers(operation));
  return changeGroup(db, provisioning, id, { changed: (existing) => patched(existing, others), members });
}

/** Deletes a group. The roles that it gave end. @throws ScimProblem */
export async function deleteGroup(db: Database, provisioning: Provisioning, id: string): Promise<void> {
  await requireRow(db, realmOf(provisioning), "Group", id);
  const members = await memberIds(db, id);
  await db.deleteFrom("scim_group_members").where("group_id", "=", id).execute();
  await db.deleteFrom("scim_resources").where("id", "=", id).execute();
  refuseLoss(await followMany(db, provisioning, members));
}

/** Changes of the members of a group, without those that it has. */
interface MemberChange {
  /** Whether the added members replace all others. */
  replaces: boolean;
  readonly added: Set<string>;
  readonly removed: Set<string>;
}

interface GroupChange {
  readonly changed: (existing: Attributes) => Attributes;
  readonly members: MemberChange;
}

/** Only members whose groups change are followed, so that a large group costs no more than a small one. */
async function changeGroup(
  db: Database,
  provisioning: Provisioning,
  id: string,
  { changed, members }: GroupChange,
): Promise<ScimRow> {
  const realm = realmOf(provisioning);
  const row = await requireRow(db, realm, "Group", id);
  const existing = attributesOf(row);
  const attributes = changed(existing);
  const columns = { ...columnsOf("Group", attributes), active: 1 };
  await requireFree(db, realm, { ...columns, id });
  const removed = await removeMembers(db, id, members);
  const added = await addMembers(db, realm, id, [...members.added]);
  const isChanged = added.length > 0 || removed.length > 0 || !isDeepStrictEqual(existing, attributes);
  const next = { ...row, ...columns, ...changeOf(row, isChanged, provisioning) };
  await db
    .updateTable("scim_resources")
    .set({ ...columns, version: next.version, changed_at: next.changed_at })
    .where("id", "=", id)
    .execute();
  const isRenamed = row.name !== next.name || row.external_id !== next.external_id;
  const followed = isRenamed ? [...(await memberIds(db, id)), ...removed] : [...added, ...removed];
  refuseLoss(await followMany(db, provisioning, followed));
  return next;
}

function noteMembers(members: MemberChange, { op, path, value }: PatchOperation): void {
  const ids = path.where === undefined ? idsIn(value) : selectedIds(path);
  const isEverything =
    path.where === undefined && (op === "replace" || (op === "remove" && ids.length === 0));
  if (isEverything) {
    members.replaces = true;
    members.added.clear();
    members.removed.clear();
  }
  const [to, from] = op === "remove" ? [members.removed, members.added] : [members.added, members.removed];
  for (const id of ids) {
    to.add(id);
    from.delete(id);
  }
}

/** The id in `members[value eq "…"]`. */
function selectedIds({ where = [], inner }: PatchOperation["path"]): string[] {
  const [first, more] = where;
  if (first === undefined || more !== undefined || first.path.steps.join() !== "value" || inner !== undefined)
    throw invalid("invalidPath", 'Members are selected by their id: members[value eq "…"]');
  return [String(first.value)];
}

/** The ids in a list of members. @throws ScimProblem for a member without one */
function idsIn(members: unknown): string[] {
  const ids = [members ?? []].flat().map((each) => (isObject(each) ? each["value"] : each));
  return [...new Set(ids)].map((id) => {
    if (typeof id !== "string") throw invalid("invalidValue", "A member has the id of a user as its value");
    return id;
  });
}

async function memberIds(db: Database, groupId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("scim_group_members")
    .select("user_id")
    .where("group_id", "=", groupId)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Returns the ids of the members that were added. @throws ScimProblem for an unknown user */
async function addMembers(
  db: Database,
  realm: Realm,
  groupId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const users = new Set(await usersAmong(db, realm, ids));
  const unknown = ids.find((id) => !users.has(id));
  if (unknown !== undefined) throw invalid("invalidValue", `User '${unknown.slice(0, 100)}' does not exist`);
  const known = await db
    .selectFrom("scim_group_members")
    .select("user_id")
    .where("group_id", "=", groupId)
    .where("user_id", "in", listed(ids))
    .execute();
  for (const { user_id } of known) users.delete(user_id);
  const added = [...users];
  await insertRows(
    db,
    "scim_group_members",
    added.map((user_id) => ({ user_id, group_id: groupId })),
  );
  return added;
}

/** Returns the ids of the members that were removed. */
async function removeMembers(
  db: Database,
  groupId: string,
  { replaces, added, removed }: MemberChange,
): Promise<string[]> {
  if (!replaces && removed.size === 0) return [];
  const members = db.deleteFrom("scim_group_members").where("group_id", "=", groupId);
  const rows = await (replaces
    ? members.where("user_id", "not in", listed([...added]))
    : members.where("user_id", "in", listed([...removed]))
  )
    .returning("user_id")
    .execute();
  return rows.map(({ user_id }) => user_id);
}

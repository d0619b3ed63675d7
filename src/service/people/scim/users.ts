import { isDeepStrictEqual } from "node:util";
import { newIdOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import type { Attributes } from "./attributes.ts";
import { invalid, ScimProblem } from "./problem.ts";
import { attributesOf, columnsOf, type Realm, requireFree, requireRow, type ScimRow } from "./records.ts";
import { followUsers, type Kept, linkUser, type Provisioning, personKnownAs } from "./rights.ts";

/** Returns the new user. @throws ScimProblem */
export async function createUser(
  db: Database,
  provisioning: Provisioning,
  attributes: Attributes,
): Promise<ScimRow> {
  const realm = realmOf(provisioning);
  const { now } = provisioning.by;
  const columns = columnsOf("User", { active: true, ...attributes });
  await requireFree(db, realm, columns);
  const row: ScimRow = {
    ...{ ...columns, id: newIdOf(now), org_id: realm.orgId, provider: realm.provider },
    ...{ person_id: null, pending: 0, version: 1 },
    ...{ created_at: now, changed_at: now, deleted_at: null },
  };
  await db.insertInto("scim_resources").values(row).execute();
  await settleUser(db, provisioning, row);
  return row;
}

/**
 * Changes a user. Returns it as it is now.
 *
 * @param changed returns the new attributes
 * @throws ScimProblem
 */
export async function changeUser(
  db: Database,
  provisioning: Provisioning,
  id: string,
  changed: (attributes: Attributes) => Attributes,
): Promise<ScimRow> {
  const realm = realmOf(provisioning);
  const row = await requireRow(db, realm, "User", id);
  const existing = attributesOf(row);
  // A replacement without `active` must not give access back.
  const attributes = { active: row.active === 1, ...changed(existing) };
  const columns = columnsOf("User", attributes);
  if (row.active === 0 && row.person_id !== null && columns.external_id !== row.external_id)
    throw invalid("invalidValue", "The externalId of an inactive user cannot be changed");
  await requireFree(db, realm, { ...columns, id });
  const next = {
    ...row,
    ...columns,
    ...changeOf(row, !isDeepStrictEqual(existing, attributes), provisioning),
  };
  await db
    .updateTable("scim_resources")
    .set({ ...columns, version: next.version, changed_at: next.changed_at })
    .where("id", "=", id)
    .execute();
  const mayKeepLink = next.external_id === row.external_id;
  await settleUser(db, provisioning, next, mayKeepLink);
  return next;
}

/** Deletes a user. The user of a person stays without access, unless it is created again. @throws ScimProblem */
export async function deleteUser(db: Database, provisioning: Provisioning, id: string): Promise<void> {
  const row = await requireRow(db, realmOf(provisioning), "User", id);
  await db.deleteFrom("scim_group_members").where("user_id", "=", id).execute();
  if (row.person_id === null) {
    await db.deleteFrom("scim_resources").where("id", "=", id).execute();
    return;
  }
  const { now } = provisioning.by;
  await db
    .updateTable("scim_resources")
    .set({
      ...{ active: 0, deleted_at: now, external_id: null, resource: "{}", searched: "" },
      // No folded name has lower case, so the name is free.
      ...{ name: "", folded_name: `deleted ${id}` },
    })
    .where("id", "=", id)
    .execute();
  refuseLoss(await followUsers(db, provisioning, [id]));
}

/** @param mayKeepLink a link outlives a sign-in with another claim, so that an inactive user stays inactive */
async function settleUser(
  db: Database,
  provisioning: Provisioning,
  row: ScimRow,
  mayKeepLink = false,
): Promise<void> {
  const known = await personKnownAs(db, provisioning, row.external_id);
  const person = known ?? (mayKeepLink ? (row.person_id ?? undefined) : undefined);
  if (person === undefined && row.person_id === null) return;
  refuseLoss(await linkUser(db, provisioning, row, person));
  refuseLoss(await followUsers(db, provisioning, [row.id]));
}

export function realmOf({ org, provider }: Pick<Provisioning, "org" | "provider">): Realm {
  return { orgId: org.id, provider: provider.name };
}

/** The version and time of a changed resource. */
export function changeOf(
  { version, changed_at }: Pick<ScimRow, "version" | "changed_at">,
  isChanged: boolean,
  { by }: Pick<Provisioning, "by">,
) {
  return isChanged ? { version: version + 1, changed_at: by.now } : { version, changed_at };
}

/** @throws ScimProblem when the change would leave the organization without an admin */
export function refuseLoss(kept: readonly Pick<Kept, "name">[]): void {
  const [first] = kept;
  if (first === undefined) return;
  throw new ScimProblem(
    403,
    `'${first.name}' is the last admin of the organization: give another account this role first`,
  );
}

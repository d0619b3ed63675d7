import type { ProvisionedUserRecord } from "../../../api/resources/members.ts";
import type { Handler } from "../../operation/handler.ts";
import { listed } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { type Attributes, isObject } from "./attributes.ts";
import { attributesOf } from "./records.ts";

export const listProvisionedUsers: Handler<"listProvisionedUsers"> = async ({ org }, { store }) => {
  return { status: 200, body: await store.readTogether((db) => usersWithoutPerson(db, org.id)) };
};

/** Active users without a person, by name. */
async function usersWithoutPerson(db: Database, orgId: string): Promise<ProvisionedUserRecord[]> {
  const rows = await db
    .selectFrom("scim_resources")
    .select(["id", "name as userName", "provider", "resource", "created_at as createdAt"])
    .where("org_id", "=", orgId)
    .where("kind", "=", "User")
    .where("active", "=", 1)
    .where("person_id", "is", null)
    .orderBy("folded_name")
    .orderBy("id")
    .execute();
  const groups = await groupNames(db, idsOf(rows));
  return rows.map(({ resource, ...user }) => {
    const attributes = attributesOf({ resource });
    return {
      ...user,
      name: textOf(attributes["displayName"]) ?? user.userName,
      email: primaryEmail(attributes),
      groups: groups.get(user.id)?.map(({ name }) => name) ?? [],
    };
  });
}

/** Groups by the id of the user. */
async function groupNames(db: Database, userIds: readonly string[]) {
  const rows = await db
    .selectFrom("scim_group_members as member")
    .innerJoin("scim_resources as group", "group.id", "member.group_id")
    .select(["member.user_id", "group.name"])
    .where("member.user_id", "in", listed(userIds))
    .orderBy("group.folded_name")
    .execute();
  return Map.groupBy(rows, ({ user_id }) => user_id);
}

/** The first address if none is primary. */
function primaryEmail({ emails }: Attributes): string | null {
  const sent = [emails ?? []].flat().filter(isObject);
  const primary = sent.find((email) => email["primary"] === true) ?? sent[0];
  return textOf(primary?.["value"]) ?? null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

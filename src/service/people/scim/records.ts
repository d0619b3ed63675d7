import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import { foldCase } from "../../kernel/fold-case.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import { isStorable } from "../../kernel/storable-text.ts";
import { containsExactText, listed } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { type Attributes, booleanIn, isObject } from "./attributes.ts";
import type { Condition } from "./filter.ts";
import { invalid, requireSmall, ScimProblem } from "./problem.ts";

export type ScimRow = Tables["scim_resources"];
export type Kind = ScimRow["kind"];

/** The resources that an identity provider sends to an organization. */
export interface Realm {
  readonly orgId: string;
  /** Address name of the login provider. */
  readonly provider: string;
}

/** Maximum length of names and external ids, in characters, because they are indexed. */
const MOST_CHARACTERS = 256;

/** The columns of a resource. @throws ScimProblem for missing, wrong or too many values */
export function columnsOf(kind: Kind, attributes: Attributes) {
  const nameAttribute = kind === "User" ? "userName" : "displayName";
  const name = textIn(attributes, nameAttribute);
  if (name === undefined) throw invalid("invalidValue", `The attribute ${nameAttribute} is required`);
  const active = booleanIn(attributes["active"] ?? true);
  if (active === undefined) throw invalid("invalidValue", "The attribute active is true or false");
  const resource = JSON.stringify(attributes);
  requireSmall(resource);
  return {
    ...{ kind, name, folded_name: foldCase(name), external_id: textIn(attributes, "externalId") ?? null },
    ...{ active: Number(active), resource, searched: kind === "User" ? searchedIn(attributes) : "" },
  };
}

/** Whether a claim can be the external id of a user. A provider may send any text. */
export function isExternalId(text: string): boolean {
  return text !== "" && text.length <= MOST_CHARACTERS && isStorable(text);
}

function textIn(attributes: Attributes, name: string): string | undefined {
  const value = attributes[name];
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value === "" || value.length > MOST_CHARACTERS)
    throw invalid("invalidValue", `The attribute ${name} is a text of 1 to ${MOST_CHARACTERS} characters`);
  return value;
}

function searchedIn({ emails, displayName }: Attributes): string {
  const lines = typeof displayName === "string" ? [line("displayName", displayName)] : [];
  for (const email of [emails ?? []].flat()) {
    if (!isObject(email) || typeof email["value"] !== "string") continue;
    lines.push(line("emails", email["value"]));
    if (typeof email["type"] === "string") lines.push(line(`emails ${email["type"]}`, email["value"]));
  }
  return lines.join("");
}

function line(attribute: string, value: string): string {
  const [plain, text] = [attribute, value].map((each) => foldCase(each).replaceAll(/[\n\t]/g, " "));
  return `\n${plain}\t${text}\n`;
}

export function attributesOf({ resource }: Pick<ScimRow, "resource">): Attributes {
  return fieldsOf(resource);
}

const inRealm = (db: Database, { orgId, provider }: Realm, kind: Kind) =>
  db
    .selectFrom("scim_resources")
    .where("org_id", "=", orgId)
    .where("provider", "=", provider)
    .where("kind", "=", kind)
    .where("deleted_at", "is", null);

/** @throws ScimProblem 404 */
export async function requireRow(db: Database, realm: Realm, kind: Kind, id: string): Promise<ScimRow> {
  const row = await inRealm(db, realm, kind).selectAll().where("id", "=", id).executeTakeFirst();
  if (row === undefined) throw new ScimProblem(404, `${kind} '${id}' does not exist`);
  return row;
}

interface Listed {
  readonly conditions: readonly Condition[];
  /** Number of the first resource, from 0. */
  readonly offset: number;
  readonly count: number;
}

/** Resources by time of creation, and their number. */
export async function listRows(
  db: Database,
  realm: Realm,
  kind: Kind,
  { conditions, offset, count }: Listed,
) {
  const { and } = expressionBuilder<Tables, "scim_resources">();
  const found = inRealm(db, realm, kind).where(and(conditions.map((each) => compared(kind, each))));
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await found
    .selectAll()
    .orderBy("created_at")
    .orderBy("id")
    .limit(count)
    .offset(offset)
    .execute();
  return { total: Number(total), rows };
}

function compared(kind: Kind, { path, value }: Condition): Expression<SqlBool> {
  const { eb, exists, selectFrom } = expressionBuilder<Tables, "scim_resources">();
  const text = String(value);
  const attribute = path.steps.join(".");
  const place = path.where === undefined ? attribute : `${attribute}[]`;
  const searched = (name: string) => containsExactText("scim_resources.searched", line(name, text));
  switch (`${kind} ${place}`) {
    case "User id":
    case "Group id":
      return eb("scim_resources.id", "=", text);
    case "User externalId":
    case "Group externalId":
      return eb("scim_resources.external_id", "=", text);
    case "User userName":
    case "Group displayName":
      return eb("scim_resources.folded_name", "=", foldCase(text));
    case "User active":
      return eb("scim_resources.active", "=", booleanIn(value) === true ? 1 : 0);
    case "User displayName":
      return searched("displayName");
    case "User emails":
    case "User emails.value":
      return searched("emails");
    case "User emails[]":
      return searched(`emails ${typeOf(path)}`);
    case "Group members":
    case "Group members.value":
      return exists(
        selectFrom("scim_group_members as member")
          .select("member.user_id")
          .whereRef("member.group_id", "=", "scim_resources.id")
          .where("member.user_id", "=", text),
      );
    default:
      throw invalid("invalidFilter", `The attribute '${attribute}' cannot be compared`);
  }
}

/** The type in `emails[type eq "work"].value`. */
function typeOf({ where = [], inner }: Condition["path"]): string {
  const [first, more] = where;
  if (first === undefined || more !== undefined || first.path.steps.join() !== "type" || inner !== "value")
    throw invalid(
      "invalidFilter",
      'Values of emails are selected by their type: emails[type eq "work"].value',
    );
  return String(first.value);
}

/** @throws ScimProblem 409 when another resource has the name or the external id */
export async function requireFree(
  db: Database,
  realm: Realm,
  { id = "", kind, name, folded_name, external_id }: ReturnType<typeof columnsOf> & { id?: string },
): Promise<void> {
  const other = await inRealm(db, realm, kind)
    .select(["folded_name"])
    .where("id", "!=", id)
    .where(({ or, eb }) =>
      or([
        eb("folded_name", "=", folded_name),
        ...(external_id === null ? [] : [eb("external_id", "=", external_id)]),
      ]),
    )
    .executeTakeFirst();
  if (other === undefined) return;
  const what = other.folded_name === folded_name ? `the name '${name}'` : `the externalId '${external_id}'`;
  throw new ScimProblem(409, `Another ${kind.toLowerCase()} has ${what}`, "uniqueness");
}

/** Ids of the users among these. */
export async function usersAmong(db: Database, realm: Realm, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await inRealm(db, realm, "User").select("id").where("id", "in", listed(ids)).execute();
  return rows.map(({ id }) => id);
}

/** Members of groups, by the id of the group. */
export async function membersOf(db: Database, groupIds: readonly string[]) {
  const rows = await db
    .selectFrom("scim_group_members as member")
    .innerJoin("scim_resources as user", "user.id", "member.user_id")
    .select(["member.group_id", "user.id"])
    .where("member.group_id", "in", listed(groupIds))
    .orderBy("user.created_at")
    .orderBy("user.id")
    .execute();
  return Map.groupBy(rows, ({ group_id }) => group_id);
}

import type { Organization, RequestContext } from "../../kernel/caller.ts";
import { Conflict, NotFound } from "../../kernel/errors.ts";
import type { FilterOf, NumberRange, Slice } from "../../kernel/paging.ts";
import { containsText, countRows, listed, ROW_COUNT } from "../../store/dialect.ts";
import { newId } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { hasTag } from "../tag-records.ts";

export type ControlRow = Tables["controls"];

export interface ControlFields {
  name: string;
  description: string;
  links: string;
  /** Identifier of the bound decision policy. */
  decision_policy: string | null;
}

type Status = "created" | "edited" | "archived" | "unarchived";

/** @throws NotFound */
export async function requireControl(db: Database, org: Organization, identifier: string) {
  const control = await findControl(db, org.id, identifier);
  if (!control)
    throw new NotFound(
      "control.not_found",
      `Control '${identifier}' does not exist in organization '${org.name}'`,
    );
  return control;
}

export function unknownControlText(org: Organization, identifier: string): string {
  return `Control '${identifier}' does not exist in organization '${org.name}' [input: ${identifier}]`;
}

export async function findControl(db: Database, orgId: string, identifier: string) {
  return db
    .selectFrom("controls")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("identifier", "=", identifier)
    .executeTakeFirst();
}

export async function controlIdsOf(db: Database, orgId: string, identifiers: readonly string[]) {
  if (identifiers.length === 0) return new Map<string, string>();
  const rows = await db
    .selectFrom("controls")
    .select(["identifier", "id"])
    .where("org_id", "=", orgId)
    .where("identifier", "in", listed(identifiers))
    .execute();
  return new Map(rows.map(({ identifier, id }) => [identifier, id]));
}

/** @throws Conflict for a used identifier */
export async function addControl(
  db: Database,
  org: Organization,
  { identifier, ...fields }: ControlFields & { identifier: string },
  requestContext: RequestContext,
): Promise<ControlRow> {
  const control = await db
    .insertInto("controls")
    .values({
      ...fields,
      id: newId(),
      org_id: org.id,
      identifier,
      version: 1,
      created_by: requestContext.accountName,
      created_at: requestContext.now,
    })
    .onConflict((conflict) => conflict.columns(["org_id", "identifier"]).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!control) {
    throw new Conflict(
      "resource.exists",
      `A control with identifier '${identifier}' already exists in organization '${org.name}'`,
    );
  }
  await addVersion(db, control, "created", requestContext);
  return control;
}

/** Creates a new version. Does nothing if nothing changes. */
export async function editControl(
  db: Database,
  control: ControlRow,
  fields: Partial<ControlFields>,
  requestContext: RequestContext,
): Promise<ControlRow> {
  return Object.keys(fields).length === 0 ? control : revise(db, control, fields, "edited", requestContext);
}

/** Does nothing if the control is already in that state. */
export async function setArchived(
  db: Database,
  control: ControlRow,
  archived: boolean,
  requestContext: RequestContext,
): Promise<ControlRow> {
  if ((control.archived_at !== null) === archived) return control;
  const change = { archived_at: archived ? requestContext.now : null };
  return revise(db, control, change, archived ? "archived" : "unarchived", requestContext);
}

async function revise(
  db: Database,
  control: ControlRow,
  change: Partial<ControlFields> & { archived_at?: number | null },
  status: Status,
  requestContext: RequestContext,
): Promise<ControlRow> {
  const revised = await db
    .updateTable("controls")
    .set(({ eb }) => ({ ...change, version: eb("version", "+", 1) }))
    .where("id", "=", control.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await addVersion(db, revised, status, requestContext);
  return revised;
}

async function addVersion(
  db: Database,
  { id, version, name, description, links, decision_policy }: ControlRow,
  status: Status,
  { accountName, now }: RequestContext,
): Promise<void> {
  await db
    .insertInto("control_versions")
    .values({
      control_id: id,
      version,
      name,
      description,
      links,
      decision_policy,
      status,
      created_by: accountName,
      created_at: now,
    })
    .execute();
}

/** Newest first. */
export async function versionsOfControl(db: Database, controlId: string, range?: NumberRange) {
  let versions = db.selectFrom("control_versions").selectAll().where("control_id", "=", controlId);
  if (range) versions = versions.where("version", ">=", range.first).where("version", "<=", range.last);
  return versions.orderBy("version", "desc").execute();
}

export async function versionOfControl(db: Database, controlId: string, version: number) {
  return db
    .selectFrom("control_versions")
    .selectAll()
    .where("control_id", "=", controlId)
    .where("version", "=", version)
    .executeTakeFirst();
}

/** Names of the policies whose latest version requires decisions about a control. */
export async function policiesReferencing(db: Database, controlId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("policy_controls")
    .innerJoin("policies", "policies.id", "policy_controls.policy_id")
    .select("policies.name")
    .where("policy_controls.control_id", "=", controlId)
    .orderBy("policies.name")
    .execute();
  return rows.map(({ name }) => name);
}

export interface ControlFilter extends FilterOf<"controls"> {
  /** Part of the identifier or name. */
  search?: string | undefined;
  /** `key:value`, or `key` for any value. */
  tag?: readonly string[] | undefined;
  archived: boolean;
}

/** Sorted by identifier, with the total. */
export async function listControls(
  db: Database,
  orgId: string,
  { search, tag = [], archived }: ControlFilter,
  { limit, offset, sortDirection }: Slice & { sortDirection: "asc" | "desc" },
): Promise<{ total: number; controls: ControlRow[] }> {
  let matching = db
    .selectFrom("controls")
    .where("org_id", "=", orgId)
    .where("archived_at", archived ? "is not" : "is", null);
  if (search !== undefined && search !== "") {
    matching = matching.where(({ or }) =>
      or([containsText("identifier", search), containsText("name", search)]),
    );
  }
  for (const each of tag) matching = matching.where(hasTag("control", each));
  const total = await countRows(matching.select(ROW_COUNT));
  const controls = await matching
    .selectAll()
    .orderBy("identifier", sortDirection)
    .limit(limit)
    .offset(offset)
    .execute();
  return { total, controls };
}

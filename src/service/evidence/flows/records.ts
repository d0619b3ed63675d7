import { createHash } from "node:crypto";
import type { Selectable } from "kysely";
import type { Template } from "../../judging/compliance/template.ts";
import type { Organization } from "../../kernel/caller.ts";
import { absent, invalidInput } from "../../kernel/errors.ts";
import { contentId, newId } from "../../store/ids.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database, Tables } from "../../store/tables.ts";

export type StoredFlow = Selectable<Tables["flows"]>;

export interface WrittenTemplate {
  template: Template;
  /** YAML, or a JSON array of names. Null for a default template. */
  source: string | null;
}

export interface FlowFields {
  name: string;
  description: string;
  visibility: string;
  repoUrl?: string | null | undefined;
  /** If absent, an existing flow keeps its template and a new one requires nothing. */
  template?: WrittenTemplate | undefined;
}

export interface Flow {
  id: string;
  name: string;
  readonly template: Template;
  templateSource: string | null;
  /** Unix seconds; null while in use. */
  archivedAt: number | null;
}

/** Finds a flow by its current name, else by a former one. */
export async function findFlow(db: Database, orgId: string, name: string): Promise<Flow | undefined> {
  const row = await findStoredFlow(db, orgId, name);
  return row && flowOf(row);
}

async function findStoredFlow(db: Database, orgId: string, name: string): Promise<StoredFlow | undefined> {
  return (await namedFlow(db, orgId, name)) ?? (await formerlyNamedFlow(db, orgId, name));
}

type FlowRow = Pick<StoredFlow, "id" | "name" | "template" | "template_source" | "archived_at">;

export function flowOf(row: FlowRow): Flow {
  return {
    id: row.id,
    name: row.name,
    // Most readers of a flow need no template.
    get template(): Template {
      return JSON.parse(row.template);
    },
    templateSource: row.template_source,
    archivedAt: row.archived_at,
  };
}

const selectNamed = prepared((db, given: Given<Pick<StoredFlow, "org_id" | "name">>) =>
  db.selectFrom("flows").selectAll().where("org_id", "=", given("org_id")).where("name", "=", given("name")),
);

async function namedFlow(db: Database, orgId: string, name: string): Promise<StoredFlow | undefined> {
  const [flow] = await selectNamed(db, { org_id: orgId, name });
  return flow;
}

function formerlyNamedFlow(db: Database, orgId: string, name: string) {
  return db
    .selectFrom("former_flow_names as former")
    .innerJoin("flows", "flows.id", "former.flow_id")
    .selectAll("flows")
    .where("former.org_id", "=", orgId)
    .where("former.name", "=", name)
    .executeTakeFirst();
}

/** @throws NotFound */
export async function requireFlow(db: Database, org: Organization, name: string): Promise<Flow> {
  return flowOf(await requireStoredFlow(db, org, name));
}

/** @throws NotFound */
export async function requireStoredFlow(db: Database, org: Organization, name: string): Promise<StoredFlow> {
  const flow = await findStoredFlow(db, org.id, name);
  if (!flow) throw absent("flow", "not_found", name, org.name);
  return flow;
}

/** Finds a flow to write to. Archived flows are read-only. @throws NotFound */
export async function requireOpenFlow(db: Database, org: Organization, name: string): Promise<Flow> {
  return refuseArchived(await requireFlow(db, org, name), org.name);
}

/** @throws NotFound */
export function refuseArchived(flow: Flow, orgName: string): Flow {
  if (flow.archivedAt === null) return flow;
  throw absent("flow", "archived", flow.name, orgName);
}

/** Creates, updates or restores a flow. Returns it `before` (if it existed) and `after`. */
export async function putFlow(
  db: Database,
  orgId: string,
  { name, description, visibility, repoUrl = null, template }: FlowFields,
  now: number,
) {
  const fields = { description, visibility, repo_url: repoUrl, last_modified_at: now, archived_at: null };
  const created = await db
    .insertInto("flows")
    .values({
      ...fields,
      ...templateColumns(template ?? { template: { attestations: [], artifacts: [] }, source: null }),
      id: newId(),
      org_id: orgId,
      name,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(["org_id", "name"]).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (created) {
    await freeFormerName(db, orgId, name);
    return { before: undefined, after: created };
  }
  const before = await namedFlow(db, orgId, name);
  if (!before) throw new Error(`Flow '${name}' was not found after its upsert`);
  const after = await changeFlow(db, before.id, { ...fields, ...(template && templateColumns(template)) });
  return { before, after };
}

function changeFlow(db: Database, id: string, columns: Partial<StoredFlow>): Promise<StoredFlow> {
  return db.updateTable("flows").set(columns).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

/**
 * Renames a flow. The old name refers to it until another flow takes that name.
 *
 * @throws Invalid if another flow has that name
 */
export async function renameFlow(
  db: Database,
  orgId: string,
  { flow, newName }: { flow: Flow; newName: string },
  now: number,
): Promise<void> {
  const existing = await namedFlow(db, orgId, newName);
  if (existing?.id === flow.id) return;
  if (existing)
    throw invalidInput(
      { new_name: `Another flow has this name [input: ${newName}]` },
      { code: "resource.exists" },
    );
  await freeFormerName(db, orgId, newName);
  await db
    .insertInto("former_flow_names")
    .values({ org_id: orgId, name: flow.name, flow_id: flow.id })
    .onConflict((conflict) => conflict.columns(["org_id", "name"]).doUpdateSet({ flow_id: flow.id }))
    .execute();
  await db
    .updateTable("flows")
    .set({ name: newName, last_modified_at: now })
    .where("id", "=", flow.id)
    .execute();
}

async function freeFormerName(db: Database, orgId: string, name: string): Promise<void> {
  await db.deleteFrom("former_flow_names").where("org_id", "=", orgId).where("name", "=", name).execute();
}

export async function archiveFlow(db: Database, flowId: string, now: number): Promise<void> {
  await db
    .updateTable("flows")
    .set({ archived_at: now })
    .where("id", "=", flowId)
    .where("archived_at", "is", null)
    .execute();
}

export function templateColumns({ template, source }: WrittenTemplate) {
  return { template: JSON.stringify(template), template_source: source };
}

/** sha256 of the template file; null for a default template. */
export function templateDigest({ template_source }: { template_source: string | null }): string | null {
  return template_source === null ? null : createHash("sha256").update(template_source).digest("hex");
}

/** The id of a trail's first template, which trails that started with the same template share. */
export function templateId(trail: Pick<Tables["trails"], "flow_id" | "template" | "template_source">) {
  return contentId([trail.flow_id, trail.template, trail.template_source]);
}

import type { Selectable } from "kysely";
import type { Template } from "../../judging/compliance/template.ts";
import { invalidInput, NotFound } from "../../kernel/errors.ts";
import type { Organization } from "../../kernel/organization.ts";
import { newId } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";

export type StoredFlow = Selectable<Tables["flows"]>;

/** A template with the text it was written in. */
export interface WrittenTemplate {
  template: Template;
  /** YAML, or a JSON array of names. Null for the template that nobody wrote. */
  source: string | null;
}

export interface FlowFields {
  name: string;
  description: string;
  visibility: string;
  repoUrl?: string | null | undefined;
  /** Absent: an existing flow keeps its template, a new one asks for nothing. */
  template?: WrittenTemplate | undefined;
}

export interface Flow {
  id: string;
  name: string;
  template: Template;
  templateSource: string | null;
  /** Unix seconds; null while it is in use. */
  archivedAt: number | null;
}

/** The flow of that name, or else the one that had it before it was renamed. */
export async function findFlow(db: Database, orgId: string, name: string): Promise<Flow | undefined> {
  const row = (await namedFlow(db, orgId, name)) ?? (await formerlyNamedFlow(db, orgId, name));
  return row && flowOf(row);
}

/** A stored flow, as far as it matters to what is added to it. */
export function flowOf(row: {
  id: string;
  name: string;
  template: string;
  template_source: string | null;
  archived_at: number | null;
}): Flow {
  return {
    id: row.id,
    name: row.name,
    template: JSON.parse(row.template),
    templateSource: row.template_source,
    archivedAt: row.archived_at,
  };
}

function namedFlow(db: Database, orgId: string, name: string): Promise<StoredFlow | undefined> {
  return db
    .selectFrom("flows")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("name", "=", name)
    .executeTakeFirst();
}

function formerlyNamedFlow(db: Database, orgId: string, name: string) {
  return db
    .selectFrom("former_flow_names as former")
    .innerJoin("flows", "flows.id", "former.flow_id")
    .select(["flows.id", "flows.name", "flows.template", "flows.template_source", "flows.archived_at"])
    .where("former.org_id", "=", orgId)
    .where("former.name", "=", name)
    .executeTakeFirst();
}

/** @throws NotFound */
export async function requireFlow(db: Database, org: Organization, name: string): Promise<Flow> {
  const flow = await findFlow(db, org.id, name);
  if (!flow) throw new NotFound(`Flow named '${name}' does not exist for organization '${org.name}'`);
  return flow;
}

/**
 * A flow to write to. What an archived flow holds can be read and not added to.
 *
 * @throws NotFound
 */
export async function requireOpenFlow(db: Database, org: Organization, name: string): Promise<Flow> {
  return refuseArchived(await requireFlow(db, org, name), org.name);
}

/** @throws NotFound */
export function refuseArchived(flow: Flow, orgName: string): Flow {
  if (flow.archivedAt === null) return flow;
  throw new NotFound(`Flow named '${flow.name}' has been archived for organization '${orgName}'`);
}

/** A flow that was written, with what it was before. */
export interface WrittenFlow {
  /** Undefined for one that is new. */
  before: StoredFlow | undefined;
  after: StoredFlow;
}

/** Creates a flow, or replaces what is said of an existing one, which is then in use again if it was archived. */
export async function putFlow(
  db: Database,
  orgId: string,
  { name, description, visibility, repoUrl = null, template }: FlowFields,
  now: number,
): Promise<WrittenFlow> {
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
  if (!before) throw new Error(`Flow '${name}' is neither new nor there`);
  const after = await changeFlow(db, before.id, { ...fields, ...(template && templateColumns(template)) });
  return { before, after };
}

function changeFlow(db: Database, id: string, columns: Partial<StoredFlow>): Promise<StoredFlow> {
  return db.updateTable("flows").set(columns).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

/**
 * Gives a flow another name. Its old name goes on leading to it until another flow takes it.
 *
 * @throws Invalid when another flow has that name
 */
export async function renameFlow(
  db: Database,
  orgId: string,
  { flow, newName }: { flow: Flow; newName: string },
  now: number,
): Promise<void> {
  const holder = await namedFlow(db, orgId, newName);
  if (holder?.id === flow.id) return;
  if (holder) throw invalidInput({ new_name: `Another flow has this name [input: ${newName}]` });
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

/** Takes a flow out of the lists and out of use. All that it holds stays. */
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

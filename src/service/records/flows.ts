import type { Template } from "../compliance/template.ts";
import { notFound } from "../http-error.ts";
import { newId } from "../store/ids.ts";
import type { Database } from "../store/tables.ts";
import type { Organization } from "./organizations.ts";

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
}

export async function findFlow(db: Database, orgId: string, name: string): Promise<Flow | undefined> {
  const row = await db
    .selectFrom("flows")
    .select(["id", "name", "template", "template_source"])
    .where("org_id", "=", orgId)
    .where("name", "=", name)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      name: row.name,
      template: JSON.parse(row.template),
      templateSource: row.template_source,
    }
  );
}

/** @throws HttpError 404 */
export async function requireFlow(db: Database, org: Organization, name: string): Promise<Flow> {
  const flow = await findFlow(db, org.id, name);
  if (!flow) throw notFound(`Flow named '${name}' does not exist for organization '${org.name}'`);
  return flow;
}

/** Creates a flow, or replaces what is said of an existing one. Returns whether it was created. */
export async function putFlow(
  db: Database,
  orgId: string,
  { name, description, visibility, repoUrl = null, template }: FlowFields,
  now: number,
): Promise<{ created: boolean }> {
  const existing = await findFlow(db, orgId, name);
  const fields = { description, visibility, repo_url: repoUrl, last_modified_at: now };
  if (existing) {
    await db
      .updateTable("flows")
      .set({ ...fields, ...(template && templateColumns(template)) })
      .where("id", "=", existing.id)
      .execute();
    return { created: false };
  }
  await db
    .insertInto("flows")
    .values({
      ...fields,
      ...templateColumns(template ?? { template: { attestations: [], artifacts: [] }, source: null }),
      id: newId(),
      org_id: orgId,
      name,
      created_at: now,
    })
    .execute();
  return { created: true };
}

export function templateColumns({ template, source }: WrittenTemplate) {
  return { template: JSON.stringify(template), template_source: source };
}

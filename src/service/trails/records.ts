import { flowName, trailName } from "../../api/names.ts";
import { type GitCommitInfo, gitCommitInfo, type RepoInfo } from "../../api/provenance.ts";
import { organizationOf } from "../accounts/organizations.ts";
import { EMPTY_TEMPLATE, type Template } from "../compliance/template.ts";
import {
  type Flow,
  findFlow,
  putFlow,
  refuseArchived,
  templateColumns,
  type WrittenTemplate,
} from "../flows/records.ts";
import { invalidInput, NotFound } from "../kernel/errors.ts";
import { externalUrlsColumn } from "../kernel/external-urls.ts";
import { jsonColumn } from "../kernel/json-column.ts";
import type { Organization } from "../kernel/organization.ts";
import type { Occasion } from "../kernel/request-context.ts";
import { validate } from "../kernel/validation/validate.ts";
import { captureRepo } from "../repos/records.ts";
import { newId } from "../store/ids.ts";
import type { Database } from "../store/tables.ts";
import { noteTrail } from "./event.ts";

export interface Trail {
  id: string;
  name: string;
  template: Template;
}

/** What is said of a trail. Absent fields leave what is stored. */
export interface TrailFields {
  name: string;
  description?: string | null | undefined;
  gitCommitInfo?: GitCommitInfo | null | undefined;
  repoInfo?: RepoInfo | null | undefined;
  originUrl?: string | null | undefined;
  externalUrls?: Parameters<typeof externalUrlsColumn>[0];
  userData?: unknown;
  template?: WrittenTemplate | undefined;
}

async function findTrail(db: Database, flowId: string, name: string): Promise<Trail | undefined> {
  const row = await db
    .selectFrom("trails")
    .select(["id", "name", "template"])
    .where("flow_id", "=", flowId)
    .where("name", "=", name)
    .executeTakeFirst();
  return row && { id: row.id, name: row.name, template: JSON.parse(row.template) };
}

/**
 * The trail of that name.
 *
 * @throws NotFound
 */
export async function requireTrail(
  db: Database,
  org: Organization,
  flow: Flow,
  name: string,
): Promise<Trail> {
  const trail = await findTrail(db, flow.id, name);
  if (!trail) throw unknownTrail(org.name, flow.name, name);
  return trail;
}

export function unknownTrail(orgName: string, flowName: string, name: string): NotFound {
  return new NotFound(
    `Trail with name '${name}' does not exist for Organization '${orgName}' and Flow '${flowName}'`,
  );
}

/**
 * Begins a trail, or updates the fields that are given. A trail keeps the template it began with, so that later
 * changes to the flow do not change what was asked of it.
 */
export async function putTrail(
  db: Database,
  flow: Flow,
  fields: TrailFields,
  occasion: Occasion,
): Promise<{ id: string; created: boolean }> {
  const { orgId, accountName, now } = occasion;
  const existing = await db
    .selectFrom("trails")
    .selectAll()
    .where("flow_id", "=", flow.id)
    .where("name", "=", fields.name)
    .executeTakeFirst();
  const given = givenColumns(fields);
  const row = existing
    ? { ...existing, ...given, last_modified_at: now }
    : {
        description: "",
        git_commit_info: null,
        origin_url: null,
        external_urls: null,
        user_data: "{}",
        ...templateColumns({ template: flow.template, source: flow.templateSource }),
        ...given,
        id: newId(),
        org_id: orgId,
        flow_id: flow.id,
        name: fields.name,
        created_by: accountName,
        created_at: now,
        last_modified_at: now,
      };
  if (existing) {
    await db
      .updateTable("trails")
      .set({ ...given, last_modified_at: now })
      .where("id", "=", row.id)
      .execute();
  } else await db.insertInto("trails").values(row).execute();
  const repoId = await captureRepo(db, orgId, fields.repoInfo, now);
  await linkRepo(db, row.id, repoId);
  await noteTrail(db, { before: existing, after: row, repoId }, occasion);
  return { id: row.id, created: !existing };
}

function givenColumns({ description, originUrl, template, ...fields }: TrailFields) {
  const commit = jsonColumn(fields.gitCommitInfo, gitCommitInfo);
  const urls = externalUrlsColumn(fields.externalUrls);
  const userData = jsonColumn(fields.userData);
  return {
    ...(typeof description === "string" ? { description } : {}),
    ...(typeof originUrl === "string" ? { origin_url: originUrl } : {}),
    ...(commit === null ? {} : { git_commit_info: commit }),
    ...(urls === null ? {} : { external_urls: urls }),
    ...(userData === null ? {} : { user_data: userData }),
    ...(template ? templateColumns(template) : {}),
  };
}

/** Notes that something was added to a trail. */
export async function touchTrail(db: Database, trailId: string, now: number): Promise<void> {
  await db.updateTable("trails").set({ last_modified_at: now }).where("id", "=", trailId).execute();
}

/** Notes that a trail holds something from a repository. */
export async function linkRepo(db: Database, trailId: string, repoId: string | null): Promise<void> {
  if (repoId === null) return;
  await db
    .insertInto("trail_repos")
    .values({ trail_id: trailId, repo_id: repoId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Finds the flow of that name, or makes one that asks for nothing.
 *
 * @throws NotFound when it is archived
 */
export async function ensureFlow(db: Database, name: string, { orgId, now }: Occasion): Promise<Flow> {
  const existing = await findFlow(db, orgId, name);
  if (existing) return refuseArchived(existing, (await organizationOf(db, orgId)).name);
  requireName("flow_name", flowName, name);
  const template = { template: EMPTY_TEMPLATE, source: null };
  await putFlow(db, orgId, { name, description: "", visibility: "private", template }, now);
  const flow = await findFlow(db, orgId, name);
  if (!flow) throw new Error(`Flow '${name}' vanished while it was made`);
  return flow;
}

/** Finds the trail of that name, or begins one with its flow's template: evidence may come before `begin`. */
export async function ensureTrail(
  db: Database,
  flow: Flow,
  name: string,
  occasion: Occasion,
): Promise<Trail> {
  const existing = await findTrail(db, flow.id, name);
  if (existing) return existing;
  requireName("trail_name", trailName, name);
  const { id } = await putTrail(db, flow, { name }, occasion);
  return { id, name, template: flow.template };
}

/** A name in a path is checked when something is about to be made under it. */
function requireName(field: string, pattern: typeof flowName, name: string): void {
  const result = validate(pattern, name, { root: field });
  if ("errors" in result) throw invalidInput(result.errors);
}

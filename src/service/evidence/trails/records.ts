import { type GitCommitInfo, gitCommitInfo, type RepoInfo } from "../../../api/resources/provenance.ts";
import { judgeTrail } from "../../compliance-status/judge-trail.ts";
import type { Template } from "../../judging/compliance/template.ts";
import { verdictOfNewTrail } from "../../judging/compliance/trail-verdict.ts";
import { NotFound } from "../../kernel/errors.ts";
import { externalUrlsColumn } from "../../kernel/external-urls.ts";
import { fieldsOf, jsonColumn } from "../../kernel/json-column.ts";
import type { Organization } from "../../kernel/organization.ts";
import type { RequestContext } from "../../kernel/request-context.ts";
import { recordedOriginHeader, recordOrigin } from "../../origins/record-origin.ts";
import { newId } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { appendTrailEvent } from "../../trails/append-event.ts";
import { requireTrailRecords } from "../compliance/trail-records.ts";
import { type Flow, templateColumns, type WrittenTemplate } from "../flows/records.ts";
import { captureRepo } from "../repos/records.ts";

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

/** A trail that was written, with what it was before. */
export interface WrittenTrail {
  /** Undefined for one that is new. */
  before: Tables["trails"] | undefined;
  after: Tables["trails"];
  /** How the trail compares with what was proven. */
  originHeader: Record<string, string>;
}

/**
 * Begins a trail, or updates the fields that are given. A trail keeps the template it began with, so that later
 * changes to the flow do not change what was asked of it.
 */
export async function putTrail(
  db: Database,
  flow: Flow,
  fields: TrailFields,
  requestContext: RequestContext,
): Promise<WrittenTrail> {
  const existing = await db
    .selectFrom("trails")
    .selectAll()
    .where("flow_id", "=", flow.id)
    .where("name", "=", fields.name)
    .executeTakeFirst();
  const given = givenColumns(fields);
  const row = existing
    ? { ...existing, ...given, last_modified_at: requestContext.now }
    : newTrail(flow, fields.name, given, requestContext);
  if (existing) {
    await db
      .updateTable("trails")
      .set({ ...given, last_modified_at: requestContext.now })
      .where("id", "=", row.id)
      .execute();
  } else await db.insertInto("trails").values(row).execute();
  const repoId = await captureRepo(db, { trailId: row.id, info: fields.repoInfo }, requestContext);
  const originHeader = await keepOrigin(db, requestContext, { fields, existing, row });
  await appendTrailEvent(db, { before: existing, after: row, repoId }, requestContext);
  if (existing && existing.template !== row.template) {
    await judgeTrail(db, await requireTrailRecords(db, row.id), requestContext.now);
  }
  return { before: existing, after: row, originHeader };
}

/** Compares the whole trail with what was proven, since a put keeps the fields that it does not give. */
async function keepOrigin(
  db: Database,
  requestContext: RequestContext,
  { fields, existing, row }: { fields: TrailFields; existing: object | undefined; row: Tables["trails"] },
): Promise<Record<string, string>> {
  const trail = { kind: "trail", id: row.id } as const;
  const { gitCommitInfo: commit, repoInfo, originUrl } = fields;
  const saysNothing = !commit && !repoInfo && typeof originUrl !== "string";
  if (requestContext.workflow && existing && saysNothing) return recordedOriginHeader(db, trail);
  const said = {
    gitCommitInfo: row.git_commit_info === null ? null : fieldsOf(row.git_commit_info),
    run: row.origin_url,
    repoInfo: repoInfo ?? null,
  };
  return recordOrigin(db, requestContext, { ...trail, said });
}

function newTrail(
  flow: Flow,
  name: string,
  given: ReturnType<typeof givenColumns>,
  { orgId, accountName, now }: RequestContext,
): Tables["trails"] {
  const row = {
    description: "",
    git_commit_info: null,
    origin_url: null,
    external_urls: null,
    user_data: "{}",
    ...templateColumns({ template: flow.template, source: flow.templateSource }),
    ...given,
  };
  const { state, reason } = verdictOfNewTrail(JSON.parse(row.template));
  return {
    ...row,
    id: newId(),
    org_id: orgId,
    flow_id: flow.id,
    name,
    compliance_state: state,
    compliance_since: now,
    compliance_reason: reason,
    created_by: accountName,
    created_at: now,
    last_modified_at: now,
  };
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

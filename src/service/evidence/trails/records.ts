import { type GitCommitInfo, gitCommitInfo, type RepoInfo } from "../../../api/resources/provenance.ts";
import { evaluateTrail } from "../../events/projections/compliance.ts";
import type { Rule } from "../../events/projections/rules.ts";
import { record } from "../../events/record.ts";
import type { EventData } from "../../events/types/event-types.ts";
import type { Template } from "../../judging/compliance/template.ts";
import { verdictOfNewTrail } from "../../judging/compliance/trail-verdict.ts";
import type { ActContext, Organization, RequestContext } from "../../kernel/caller.ts";
import { NotFound } from "../../kernel/errors.ts";
import { externalUrlsColumn, fieldsOf, jsonColumn } from "../../kernel/json-column.ts";
import { modifiedAt } from "../../store/evidence-tables.ts";
import { newIdOf } from "../../store/ids.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { requireTrailRecords, type TrailRecords } from "../compliance/trail-records.ts";
import {
  type Flow,
  templateColumns,
  templateDigest,
  templateId,
  type WrittenTemplate,
} from "../flows/records.ts";
import type { StatedOrigin } from "../origins/compare.ts";
import { recordedOriginHeader } from "../origins/origins.ts";
import { captureRepo } from "../repos/records.ts";
import type { DocumentTexts } from "../search/index/documents.ts";
import { textsOfTrail } from "../search/index/texts.ts";

type TrailRow = Tables["trails"];

export interface Trail {
  id: string;
  name: string;
  readonly template: Template;
}

/** Absent fields stay. */
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

const selectNamed = prepared((db, given: Given<Pick<TrailRow, "flow_id" | "name">>) =>
  db
    .selectFrom("trails")
    .select(["id", "name", "template"])
    .where("flow_id", "=", given("flow_id"))
    .where("name", "=", given("name")),
);

async function findTrail(db: Database, flowId: string, name: string): Promise<Trail | undefined> {
  const [row] = await selectNamed(db, { flow_id: flowId, name });
  if (row === undefined) return undefined;
  return {
    id: row.id,
    name: row.name,
    // Most readers of a trail need no template.
    get template(): Template {
      return JSON.parse(row.template);
    },
  };
}

/** @throws NotFound */
export async function requireTrail(db: Database, org: Organization, flow: Flow, name: string) {
  const trail = await findTrail(db, flow.id, name);
  if (!trail) throw unknownTrail(org.name, flow.name, name);
  return trail;
}

export function unknownTrail(orgName: string, flowName: string, name: string): NotFound {
  return new NotFound(
    "trail.not_found",
    `Trail with name '${name}' does not exist for Organization '${orgName}' and Flow '${flowName}'`,
  );
}

/**
 * Creates a trail, or updates the given fields. Later changes of the flow's template do not affect the trail.
 *
 * @returns whether it is new, and the header with the comparison of its proven fields
 */
export async function putTrail(
  db: Database,
  flow: Flow,
  fields: TrailFields,
  by: ActContext,
): Promise<{ isNew: boolean; originHeader: Record<string, string> }> {
  const before = await db
    .selectFrom("trails")
    .selectAll()
    .where("flow_id", "=", flow.id)
    .where("name", "=", fields.name)
    .executeTakeFirst();
  const row = before ?? newTrail(flow, fields.name, givenColumns(fields), by);
  const { id } = row;
  if (before) await updateTrail(db, flow, { before, fields }, by);
  else {
    await db.insertInto("trails").values(row).execute();
    const repo = await captureRepo(db, { trailId: id, info: fields.repoInfo }, by);
    await recordBeginning(
      db,
      flow,
      { row, repoId: repo?.id ?? null, stated: statedOriginOf(row, fields) },
      by,
    );
  }
  const originHeader = by.workflow ? await recordedOriginHeader(db, { kind: "trail", id }) : {};
  return { isNew: before === undefined, originHeader };
}

export async function beginTrail(
  db: Database,
  flow: Flow,
  { name, ...fields }: Pick<TrailFields, "name" | "description">,
  by: ActContext,
  rules: readonly Rule[],
): Promise<{ trail: TrailRecords; document: DocumentTexts }> {
  const row = newTrail(flow, name, givenColumns({ name, ...fields }), by);
  await db.insertInto("trails").values(row).execute();
  const beginning = { row, repoId: null, stated: statedOriginOf(row, {}) };
  const trail = await recordBeginning(db, flow, beginning, by, rules);
  return { trail, document: { own: JSON.stringify(textsOfTrail(row)), texts: "[]" } };
}

/** @returns the empty trail */
async function recordBeginning(
  db: Database,
  flow: Flow,
  { row, repoId, stated }: { row: TrailRow; repoId: string | null; stated: StatedOrigin },
  by: ActContext,
  rules?: readonly Rule[],
): Promise<TrailRecords> {
  const { id, name, compliance_state: state, compliance_reason: reason } = row;
  const template: Template = JSON.parse(row.template);
  const records = { id, template, verdict: { state, reason }, artifacts: [], attestations: [] };
  const source = { gitCommitInfo: row.git_commit_info, originUrl: row.origin_url };
  const trail = { name, records, source };
  await record(db, by, {
    type: "trail.begun",
    subject: row,
    trailId: id,
    data: dataOf(flow, row, { repoId, repoIds: repoId === null ? [] : [repoId] }),
    seen: { stated, place: { flow, trail, rules } },
  });
  return records;
}

/** Columns whose change is an event, in wire names. */
const WATCHED = [
  "description",
  "git_commit_info",
  "origin_url",
  "external_urls",
  "user_data",
  "template",
] as const;

async function updateTrail(
  db: Database,
  flow: Flow,
  { before, fields }: { before: TrailRow; fields: TrailFields },
  by: ActContext,
): Promise<void> {
  const { id } = before;
  const changed = { ...givenColumns(fields), ...modifiedAt(by.now) };
  const row = { ...before, ...changed };
  await db.updateTable("trails").set(changed).where("id", "=", id).execute();
  const repo = await captureRepo(db, { trailId: id, info: fields.repoInfo }, by);
  const repos = await db
    .selectFrom("trail_repos")
    .select("repo_id")
    .where("trail_id", "=", id)
    .orderBy("repo_id")
    .execute();
  const repoIds = repos.map(({ repo_id }) => repo_id);
  // Missing fields keep their values, so the whole trail is compared unless no field is given.
  const hasNoOrigin = !fields.gitCommitInfo && !fields.repoInfo && typeof fields.originUrl !== "string";
  const isOther = before.template !== row.template;
  await record(db, by, {
    type: "trail.updated",
    subject: row,
    trailId: id,
    data: {
      ...dataOf(flow, row, { repoId: repo?.id ?? null, repoIds }),
      changes: WATCHED.filter((name) => before[name] !== row[name]),
      template_sha256: { from: templateDigest(before), to: templateDigest(row) },
    },
    seen: {
      stated: hasNoOrigin ? undefined : statedOriginOf(row, fields),
      evaluation: isOther ? evaluateTrail(await requireTrailRecords(db, id)) : undefined,
    },
  });
}

function statedOriginOf(
  { git_commit_info, origin_url }: TrailRow,
  { repoInfo = null }: Pick<TrailFields, "repoInfo">,
): StatedOrigin {
  const gitCommitInfo = git_commit_info === null ? null : fieldsOf(git_commit_info);
  return { gitCommitInfo, run: origin_url, repoInfo };
}

function dataOf(
  flow: Flow,
  row: TrailRow,
  { repoId, repoIds }: { repoId: string | null; repoIds: string[] },
): EventData<"trail.begun"> {
  return {
    flow_id: flow.id,
    flow: flow.name,
    description: row.description,
    git_commit_info: row.git_commit_info,
    repo_id: repoId,
    repo_ids: repoIds,
    origin_url: row.origin_url,
    external_urls: row.external_urls,
    user_data: row.user_data,
    created_by: row.created_by,
    template_id: templateId(row),
  };
}

function newTrail(
  flow: Flow,
  name: string,
  given: Partial<ReturnType<typeof givenColumns>>,
  { orgId, accountName, now }: RequestContext,
): TrailRow {
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
    id: newIdOf(now),
    org_id: orgId,
    flow_id: flow.id,
    name,
    compliance_state: state,
    compliance_since: now,
    compliance_reason: reason,
    created_by: accountName,
    created_at: now,
    ...modifiedAt(now),
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

import { artifactReport } from "../../../api/resources/artifact-report.ts";
import { matchTemplate } from "../../../api/resources/match-template.ts";
import { FLOW_CREATED_HEADER } from "../../../api/resources/provenance.ts";
import { formatTemplateMatch, TEMPLATE_MATCH_HEADER } from "../../../api/resources/template-match.ts";
import { toWire } from "../../../api/wire-names.ts";
import type { Organization, RequestContext } from "../../kernel/caller.ts";
import { asLinkObjects, jsonColumn } from "../../kernel/json-column.ts";
import { cutPage, sliceOf } from "../../kernel/paging.ts";
import { type Call, type Handler, requestContextOf } from "../../operation/handler.ts";
import { once } from "../../operation/idempotency.ts";
import type { Database } from "../../store/tables.ts";
import { attestationsOfArtifact, findAttestation, recordView } from "../attestations/stored.ts";
import { flowIdsInScope } from "../flows/list.ts";
import { type Flow, requireFlow, requireOpenFlow } from "../flows/records.ts";
import { originHeader, spooledByField } from "../origins/compare.ts";
import { requireRepo } from "../repos/records.ts";
import { findPlace, openTrail, trailKeys } from "../trails/open-trail.ts";
import { requireTrail } from "../trails/records.ts";
import { type ArtifactRow, listReports, reportsOfCommit } from "./list.ts";
import { addArtifact, type ReportedArtifact, resolveFingerprint, unknownArtifact } from "./records.ts";
import { artifactListItems, artifactView, artifactViews } from "./view.ts";

export const reportArtifact: Handler<"reportArtifact"> = async (call, context) => {
  const { org, params, body, identity } = call;
  // An empty name means no trail.
  const names = { flowName: params.flowName, trailName: body.trailName ?? "" };
  const by = requestContextOf(call, context);
  const subjectIn = ({ id }: { id: string }) => `artifact/${id}/${body.fingerprint}`;
  const options = names.trailName ? { keys: trailKeys(org, names, identity) } : {};
  return context.store.write(
    (db) =>
      once(db, {
        identity,
        subjectOf: (found) => {
          const place = names.trailName ? found?.trail : found?.flow;
          return place && subjectIn(place);
        },
        now: by.now,
        lookUp: () => findPlace(db, org.id, names),
        record: async ({ found, keep }) => {
          const opened = names.trailName ? await openTrail(db, org, names, by, found) : undefined;
          const flow = opened?.flow ?? (await requireOpenFlow(db, org, params.flowName));
          const trail = opened && { ...opened, name: names.trailName };
          const artifact = reported(body, by);
          const name = await addArtifact(db, { flow, trail }, artifact, by);
          const place = opened?.trail ?? flow;
          const headers = {
            [TEMPLATE_MATCH_HEADER]: formatTemplateMatch(matchTemplate(place.template, { artifact: name })),
            [FLOW_CREATED_HEADER]: String(opened?.isFlowNew ?? false),
            ...originHeader(by, artifact.stated),
          };
          const answer = { status: 201, headers, body: { message: "OK" } } as const;
          await keep(answer, subjectIn(place));
          return answer;
        },
      }),
    options,
  );
};

function reported(body: Call<"reportArtifact">["body"], by: RequestContext): ReportedArtifact {
  const details: Record<string, unknown> = Object(toWire(artifactReport, shownOf(body)));
  return {
    fingerprint: body.fingerprint,
    filename: body.filename,
    templateName: body.templateReferenceName ?? null,
    commitSha: body.gitCommit ?? body.gitCommitInfo?.sha1 ?? null,
    branch: body.gitCommitInfo?.branch ?? null,
    isCompliant: body.isCompliant ?? null,
    buildUrl: body.buildUrl,
    commitUrl: body.commitUrl,
    repoUrl: body.repoUrl || null,
    repoInfo: body.repoInfo,
    stated: {
      gitCommitInfo: body.gitCommitInfo ?? null,
      repoInfo: body.repoInfo ?? null,
      run: body.buildUrl,
      commit: body.gitCommit ?? null,
      commitUrl: body.commitUrl,
      repoUrl: body.repoUrl ?? null,
    },
    gitCommitInfo: jsonColumn(details["git_commit_info"]),
    details: JSON.stringify({ ...details, ...spooledByField(by) }),
  };
}

function shownOf({
  description,
  gitCommitInfo,
  commitsList,
  annotations,
  userData,
  ...body
}: Call<"reportArtifact">["body"]): object {
  const externalUrls = asLinkObjects(body.externalUrls);
  return { description, gitCommitInfo, commitsList, externalUrls, annotations, userData };
}

const MAX_OF_COMMIT = 500;

export const getArtifact: Handler<"getArtifact"> = async ({ org, caller, params }, { store, links }) => {
  const { view, historyFrom } = await store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const { fingerprint, trail, attestationId } = params;
    const row = await requireReport(db, { org, flow, fingerprint, trail, attestationId });
    return artifactView(db, row, { org, links, scope: caller.scope });
  });
  return { status: 200, body: view, streamed: { history: historyFrom(store.read) } };
};

interface Wanted {
  org: Organization;
  flow: Flow;
  /** May be a prefix. */
  fingerprint: string;
  trail?: string | undefined;
  attestationId?: string | undefined;
}

/** The latest report of an artifact in a flow. @throws NotFound, or Invalid for an ambiguous prefix */
export async function requireReport(
  db: Database,
  { org, flow, fingerprint: prefix, trail, attestationId }: Wanted,
): Promise<ArtifactRow> {
  const fingerprint = await resolveFingerprint(db, { orgName: org.name, flow, prefix });
  const trailIds: string[] = [];
  if (trail !== undefined) trailIds.push((await requireTrail(db, org, flow, trail)).id);
  if (attestationId !== undefined) {
    trailIds.push((await findAttestation(db, org.id, attestationId))?.row.trail_id ?? "");
  }
  const [trailId, otherTrailId = trailId] = trailIds;
  const filter = { flowId: flow.id, trailId, fingerprint };
  const [report] =
    trailId === otherTrailId ? await listReports(db, org.id, filter, { limit: 1, offset: 0 }) : [];
  if (!report) throw unknownArtifact(org.name, flow.name, prefix);
  return report;
}

export const getArtifactAttestation: Handler<"getArtifactAttestation"> = async (
  { org, params },
  { store, links },
) =>
  store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const fingerprint = await resolveFingerprint(db, { orgName: org.name, flow, prefix: params.fingerprint });
    const query = { flowId: flow.id, fingerprint, name: params.attestationName };
    const found = await attestationsOfArtifact(db, query);
    return { status: 200, body: found.map((stored) => recordView(stored, { org: org.name, links })) };
  });

export const getArtifactsByCommit: Handler<"getArtifactsByCommit"> = async (
  { org, caller, params },
  { store, links },
) =>
  store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const trailId =
      params.trail === undefined ? undefined : (await requireTrail(db, org, flow, params.trail)).id;
    const wanted = { flowId: flow.id, trailId, commit: params.commitSha };
    const rows = await reportsOfCommit(db, wanted, MAX_OF_COMMIT);
    return { status: 200, body: await artifactViews(db, rows, { org, links, scope: caller.scope }) };
  });

export const listArtifacts: Handler<"listArtifacts"> = async ({ org, caller, params }, { store, links }) =>
  store.readTogether(async (db) => {
    const { flowName, repoName } = params;
    const flowIds = await flowIdsInScope(db, org.id, caller.scope);
    const filter = {
      flowId: flowName === undefined ? undefined : (await requireFlow(db, org, flowName)).id,
      flowIds,
      repoId: repoName ? (await requireRepo(db, org.id, { name: repoName, flowIds })).id : undefined,
    };
    const { headers, ...page } = cutPage(params);
    const rows = await listReports(db, org.id, filter, sliceOf(page));
    return { status: 200, headers, body: await artifactListItems(db, rows, { org, links }) };
  });

export const listFlowArtifacts: Handler<"listFlowArtifacts"> = async ({ org, params }, { store, links }) =>
  store.readTogether(async (db) => {
    const { id: flowId } = await requireFlow(db, org, params.flowName);
    const { headers, ...page } = cutPage(params);
    const rows = await listReports(db, org.id, { flowId }, sliceOf(page));
    return { status: 200, headers, body: await artifactListItems(db, rows, { org, links }) };
  });

export const getLatestCommit: Handler<"getLatestCommit"> = async ({ org, params }, { store }) =>
  store.readTogether(async (db) => {
    const { id: flowId } = await requireFlow(db, org, params.flowName);
    const { fingerprint, branch } = params;
    return { status: 200, body: { latestCommit: await latestCommit(db, { flowId, fingerprint, branch }) } };
  });

/**
 * The commit of the previous artifact of a flow, on a branch if one is given. An unreported artifact counts as the
 * newest.
 */
export async function latestCommit(
  db: Database,
  {
    flowId,
    fingerprint,
    branch,
  }: {
    flowId: string;
    /** May be a prefix. */
    fingerprint: string;
    branch?: string | undefined;
  },
): Promise<string | null> {
  const { first } = await db
    .selectFrom("artifacts")
    .select(({ fn }) => fn.min<number | null>("sequence").as("first"))
    .where("flow_id", "=", flowId)
    .where("fingerprint", ">=", fingerprint)
    // Hex digits sort before `g`.
    .where("fingerprint", "<", `${fingerprint}g`)
    .executeTakeFirstOrThrow();
  let earlier = db
    .selectFrom("artifacts")
    .select("commit_sha")
    .where("flow_id", "=", flowId)
    .where("commit_sha", "is not", null)
    .orderBy("sequence", "desc")
    .limit(1);
  if (first !== null) earlier = earlier.where("sequence", "<", first);
  if (branch !== undefined) earlier = earlier.where("branch", "=", branch);
  return (await earlier.executeTakeFirst())?.commit_sha ?? null;
}

import type {
  getArtifact,
  getArtifactsByCommit,
  getLatestCommit,
  listArtifacts,
  listFlowArtifacts,
} from "../../../api/resources/artifacts.ts";
import type { getArtifactAttestation } from "../../../api/resources/attestations.ts";
import { latestCommit } from "../../artifacts/latest-commit.ts";
import { recordView } from "../../attestations/view.ts";
import { flowIdsInScope } from "../../flows/in-scope.ts";
import type { Organization } from "../../kernel/organization.ts";
import { cutPage, sliceOf } from "../../kernel/paging.ts";
import type { Handler } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { attestationsOfArtifact, findAttestation } from "../attestations/stored.ts";
import { type Flow, requireFlow } from "../flows/records.ts";
import { requireRepo } from "../repos/records.ts";
import { requireTrail } from "../trails/records.ts";
import { type ArtifactRow, listReports, reportsOfCommit } from "./list.ts";
import { resolveFingerprint, unknownArtifact } from "./records.ts";
import { artifactListItems, artifactView, artifactViews } from "./view.ts";

/** Reports of artifacts that one answer about a commit holds at most. */
const MAX_OF_COMMIT = 500;

export const handleGetArtifact: Handler<typeof getArtifact> = async (
  { org, caller, params },
  { store, links },
) => {
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
  /** May be the start of it. */
  fingerprint: string;
  /** The name of the trail it was reported to. */
  trail?: string | undefined;
  /** Of the trail it was reported to. */
  attestationId?: string | undefined;
}

/**
 * The latest report of an artifact in a flow.
 *
 * @throws NotFound, or Invalid for a fingerprint that is too short to tell it from others
 */
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

export const handleGetArtifactAttestation: Handler<typeof getArtifactAttestation> = async (
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

export const handleGetArtifactsByCommit: Handler<typeof getArtifactsByCommit> = async (
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

export const handleListArtifacts: Handler<typeof listArtifacts> = async (
  { org, caller, params },
  { store, links },
) =>
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

export const handleListFlowArtifacts: Handler<typeof listFlowArtifacts> = async (
  { org, params },
  { store, links },
) =>
  store.readTogether(async (db) => {
    const { id: flowId } = await requireFlow(db, org, params.flowName);
    const { headers, ...page } = cutPage(params);
    const rows = await listReports(db, org.id, { flowId }, sliceOf(page));
    return { status: 200, headers, body: await artifactListItems(db, rows, { org, links }) };
  });

export const handleGetLatestCommit: Handler<typeof getLatestCommit> = async ({ org, params }, { store }) =>
  store.readTogether(async (db) => {
    const { id: flowId } = await requireFlow(db, org, params.flowName);
    const { fingerprint, branch } = params;
    return { status: 200, body: { latestCommit: await latestCommit(db, { flowId, fingerprint, branch }) } };
  });

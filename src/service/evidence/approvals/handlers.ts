import type {
  getApproval,
  getArtifactCommit,
  listApprovals,
  listArtifactApprovals,
  recordApproval,
} from "../../../api/resources/approvals.ts";
import { approved } from "../../approvals/happenings.ts";
import { approvalView, type StoredReview } from "../../approvals/view.ts";
import { recordAct } from "../../audit-log/record-act.ts";
import { changesBetween, NOTHING } from "../../events/changes.ts";
import { raise } from "../../events/projections/raise.ts";
import { rulesOf } from "../../events/projections/rules.ts";
import { jsonColumn } from "../../kernel/json-column.ts";
import { sliceOf } from "../../kernel/paging.ts";
import type { Call, Handler } from "../../operation/handler.ts";
import { once } from "../../operation/idempotency.ts";
import { requestContextOf } from "../../operation/request-context.ts";
import { requireEnvironment } from "../../runtime/environments/records.ts";
import { runningCommit } from "../../runtime/environments/running-commit.ts";
import type { Database } from "../../store/tables.ts";
import { requireFlow, requireOpenFlow } from "../flows/records.ts";
import { originsOf, withOrigin } from "../origins/origins.ts";
import * as approvals from "./records.ts";

/** Who approved when nobody says who. */
const UNNAMED_REVIEWER = "External";
/** Marks a name that is not of an account here. */
const OUTSIDE = "external://";

export const handleRecordApproval: Handler<typeof recordApproval> = async (call, context) => {
  const { org, params, body, identity } = call;
  const requestContext = requestContextOf(call, context);
  const reviews = reviewsOf(body.approvals, requestContext.now);
  return context.store.write((db) =>
    once(db, {
      identity,
      now: requestContext.now,
      lookUp: () => rulesOf(db, org.id, "flow"),
      record: async ({ found: rules = [] }) => {
        const flow = await requireOpenFlow(db, org, params.flowName);
        const artifact = { flow, orgName: org.name, fingerprint: body.artifactFingerprint };
        const artifactName = await approvals.requireArtifactName(db, artifact);
        if (body.environment) await requireEnvironment(db, org, body.environment);
        const approval = {
          artifactFingerprint: body.artifactFingerprint,
          artifactName,
          environment: body.environment || null,
          description: body.description,
          commits: body.srcCommitList,
          oldestCommit: body.oldestCommit ?? null,
          reviews: JSON.stringify(reviews),
          state: reviews.at(-1)?.state ?? ("PENDING" as const),
          userData: jsonColumn(body.userData),
        };
        const { id, number } = await approvals.addApproval(db, flow, approval, requestContext);
        await recordAct(db, requestContext, {
          act: "approval.recorded",
          resource: { name: `${flow.name}#${number}`, id },
          details: {
            artifact_fingerprint: approval.artifactFingerprint,
            artifact_name: artifactName,
            environment: approval.environment,
          },
          changes: changesBetween(NOTHING, { state: approval.state }),
        });
        const raising = { org, deliveries: context.deliveries, now: requestContext.now };
        const happenings = approved(db, { org, links: context.links, flow }, { ...approval, number });
        await raise(db, raising, rules, happenings);
        return { status: 201, body: "OK" } as const;
      },
    }),
  );
};

function reviewsOf(
  given: Call<typeof recordApproval>["body"]["approvals"],
  timestamp: number,
): StoredReview[] {
  return (given ?? []).map(({ state, comment, approvedBy, approvalUrl }) => ({
    state,
    comment,
    approved_by: reviewerName(approvedBy),
    approval_url: approvalUrl,
    timestamp,
  }));
}

function reviewerName(name: string): string {
  if (name === "" || name === UNNAMED_REVIEWER) return UNNAMED_REVIEWER;
  return name.startsWith(OUTSIDE) ? name : OUTSIDE + name;
}

export const handleListApprovals: Handler<typeof listApprovals> = async (
  { org, caller, params },
  { store },
) => {
  const listed = await store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const scope = { flowId: flow.id, scope: caller.scope };
    return withOrigins(db, await approvals.listApprovals(db, scope, sliceOf(params)));
  });
  return { status: 200, body: listed };
};

async function withOrigins(db: Database, listed: readonly approvals.StoredApproval[]) {
  const origins = await originsOf(
    db,
    "approval",
    listed.map(({ id }) => id),
  );
  return listed.map((stored) => ({ ...approvalView(stored), ...withOrigin(origins.get(stored.id)) }));
}

export const handleGetApproval: Handler<typeof getApproval> = async (
  { org, caller: { scope }, params },
  { store },
) =>
  store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const number = params.approvalNumber;
    const stored = await approvals.requireApproval(db, { flow, orgName: org.name, number, scope });
    const approval = approvalView(stored);
    const origins = await originsOf(db, "approval", [stored.id]);
    const artifacts = await approvals.artifactsOfCommits(db, flow.id, approval.srcCommitList);
    const srcCommitList = approval.srcCommitList.map((commitSha) => ({
      commitSha,
      artifactFingerprints: artifacts.get(commitSha) ?? [],
    }));
    return { status: 200, body: { ...approval, ...withOrigin(origins.get(stored.id)), srcCommitList } };
  });

export const handleListArtifactApprovals: Handler<typeof listArtifactApprovals> = async (
  { org, caller: { scope }, params },
  { store },
) => {
  const listed = await store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const { fingerprint } = params;
    await approvals.requireArtifactName(db, { flow, orgName: org.name, fingerprint });
    return withOrigins(db, await approvals.approvalsOfArtifact(db, { flowId: flow.id, fingerprint, scope }));
  });
  return { status: 200, body: listed };
};

export const handleGetArtifactCommit: Handler<typeof getArtifactCommit> = async (
  { org, params },
  { store },
) =>
  store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const environment = await requireEnvironment(db, org, params.envName);
    const commitSha = await runningCommit(db, { flowId: flow.id, environmentId: environment.id });
    return { status: 200, body: { commitSha } };
  });

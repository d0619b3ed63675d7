import type { ActContext } from "../../kernel/caller.ts";
import { jsonColumn } from "../../kernel/json-column.ts";
import { sliceOf } from "../../kernel/paging.ts";
import { type Call, type Handler, requestContextOf } from "../../operation/handler.ts";
import { once } from "../../operation/idempotency.ts";
import { requireEnvironment } from "../../runtime/environments/records.ts";
import { runningCommit } from "../../runtime/environments/running-commit.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { requireFlow, requireOpenFlow } from "../flows/records.ts";
import { originsOf, withOrigin } from "../origins/origins.ts";
import {
  approvalsOfArtifact,
  approvalView,
  artifactsOfCommits,
  listApprovals as findApprovals,
  requireApproval,
  type StoredReview,
} from "./list.ts";
import { addApproval, requireArtifactName } from "./records.ts";

const UNNAMED_REVIEWER = "External";
const OUTSIDE = "external://";

export const recordApproval: Handler<"recordApproval"> = async (call, context) => {
  const { org, params, body, identity } = call;
  const requestContext = requestContextOf(call, context);
  const reviews = reviewsOf(body.approvals, requestContext);
  return context.store.write((db) =>
    once(db, {
      identity,
      now: requestContext.now,
      record: async () => {
        const flow = await requireOpenFlow(db, org, params.flowName);
        const artifact = { flow, orgName: org.name, fingerprint: body.artifactFingerprint };
        const artifactName = await requireArtifactName(db, artifact);
        const named = body.environment ? await requireEnvironment(db, org, body.environment) : null;
        const approval = {
          artifactFingerprint: body.artifactFingerprint,
          artifactName,
          environment: body.environment || null,
          environmentId: named?.id ?? null,
          description: body.description,
          commits: [...body.srcCommitList],
          oldestCommit: body.oldestCommit ?? null,
          reviews: JSON.stringify(reviews),
          state: reviews.at(-1)?.state ?? ("PENDING" as const),
          reviewer: reviews.at(-1)?.approved_by ?? null,
          userData: jsonColumn(body.userData),
        };
        await addApproval(db, flow, approval, requestContext);
        return { status: 201, body: "OK" } as const;
      },
    }),
  );
};

function reviewsOf(
  given: Call<"recordApproval">["body"]["approvals"],
  { now: timestamp, accountName, person }: ActContext,
): StoredReview[] {
  const unnamed = person === undefined ? UNNAMED_REVIEWER : accountName;
  return (given ?? []).map(({ state, comment, approvedBy, approvalUrl }) => ({
    state,
    comment,
    approved_by: reviewerName(approvedBy, unnamed),
    approval_url: approvalUrl,
    timestamp,
  }));
}

/** A person who signed in needs no name. Any other name is a claim. */
function reviewerName(name: string, unnamed: string): string {
  if (name === "" || name === UNNAMED_REVIEWER || name === unnamed) return unnamed;
  return name.startsWith(OUTSIDE) ? name : OUTSIDE + name;
}

export const listApprovals: Handler<"listApprovals"> = async ({ org, caller, params }, { store }) => {
  const listed = await store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const scope = { flowId: flow.id, scope: caller.scope };
    return withOrigins(db, await findApprovals(db, scope, sliceOf(params)));
  });
  return { status: 200, body: listed };
};

async function withOrigins(db: Database, listed: readonly Tables["approvals"][]) {
  const origins = await originsOf(db, "approval", idsOf(listed));
  return listed.map((stored) => ({ ...approvalView(stored), ...withOrigin(origins.get(stored.id)) }));
}

export const getApproval: Handler<"getApproval"> = async ({ org, caller: { scope }, params }, { store }) =>
  store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const number = params.approvalNumber;
    const stored = await requireApproval(db, { flow, orgName: org.name, number, scope });
    const approval = approvalView(stored);
    const origins = await originsOf(db, "approval", [stored.id]);
    const artifacts = await artifactsOfCommits(db, flow.id, approval.srcCommitList);
    const srcCommitList = approval.srcCommitList.map((commitSha) => ({
      commitSha,
      artifactFingerprints: artifacts.get(commitSha) ?? [],
    }));
    return { status: 200, body: { ...approval, ...withOrigin(origins.get(stored.id)), srcCommitList } };
  });

export const listArtifactApprovals: Handler<"listArtifactApprovals"> = async (
  { org, caller: { scope }, params },
  { store },
) => {
  const listed = await store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const { fingerprint } = params;
    await requireArtifactName(db, { flow, orgName: org.name, fingerprint });
    return withOrigins(db, await approvalsOfArtifact(db, { flowId: flow.id, fingerprint, scope }));
  });
  return { status: 200, body: listed };
};

export const getArtifactCommit: Handler<"getArtifactCommit"> = async ({ org, params }, { store }) =>
  store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const environment = await requireEnvironment(db, org, params.envName);
    const commitSha = await runningCommit(db, { flowId: flow.id, environmentId: environment.id });
    return { status: 200, body: { commitSha } };
  });

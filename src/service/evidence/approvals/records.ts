import { expressionBuilder } from "kysely";
import type { ApprovalOfCommits } from "../../../api/resources/approvals.ts";
import { record } from "../../events/record.ts";
import type { ActContext } from "../../kernel/caller.ts";
import { NotFound } from "../../kernel/errors.ts";
import { parseExactJson } from "../../kernel/exact-json.ts";
import type { Slice } from "../../kernel/paging.ts";
import { namesIn, type Scope } from "../../kernel/scope.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import { nextNumber } from "../../store/counters.ts";
import { isAmong, listed } from "../../store/dialect.ts";
import { newId } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { unknownArtifact } from "../artifacts/records.ts";
import type { Flow } from "../flows/records.ts";
import { authorsOf } from "../origins/authors.ts";
import type { TellingOfFlow } from "../trails/records.ts";

export type StoredApproval = Tables["approvals"];

export interface NewApproval {
  artifactFingerprint: string;
  artifactName: string;
  environment: string | null;
  environmentId: string | null;
  description: string;
  commits: string[];
  oldestCommit: string | null;
  reviews: string;
  state: StoredApproval["state"];
  reviewer: string | null;
  userData: string | null;
}

export async function addApproval(
  db: Database,
  flow: Flow,
  approval: NewApproval,
  by: ActContext,
  told: TellingOfFlow,
): Promise<void> {
  const { accountName, now } = by;
  const id = newId();
  const number = await nextNumber(db, "flows", flow.id);
  const { oldestCommit, commits, artifactFingerprint, artifactName, userData, reviewer } = approval;
  const row = {
    flow_id: flow.id,
    number,
    artifact_fingerprint: artifactFingerprint,
    artifact_name: artifactName,
    environment: approval.environment,
    description: approval.description,
    state: approval.state,
    reviews: approval.reviews,
    user_data: userData,
  };
  await db
    .insertInto("approvals")
    .values({
      ...row,
      id,
      base_artifact: oldestCommit === null ? "" : await artifactBuiltFrom(db, flow.id, oldestCommit),
      commits: JSON.stringify(commits),
      created_by: accountName,
      created_at: now,
      last_modified_at: now,
    })
    .execute();
  const claims = by.workflow?.claims;
  const judged = { flowId: flow.id, fingerprint: artifactFingerprint, commits };
  const authors = claims && (await authorsOf(db, { ...judged, by: claims }));
  await record(db, by, {
    type: "approval.recorded",
    subject: { id, name: `${flow.name}#${number}` },
    trailId: await latestTrailOf(db, { flowId: flow.id, fingerprint: artifactFingerprint }),
    data: { ...row, commits, environment_id: approval.environmentId, reviewer },
    seen: { place: { ...told, flowName: flow.name }, authors },
  });
}

async function latestTrailOf(
  db: Database,
  { flowId, fingerprint }: { flowId: string; fingerprint: string },
): Promise<string | null> {
  const report = await db
    .selectFrom("artifacts")
    .select("trail_id")
    .where("flow_id", "=", flowId)
    .where("fingerprint", "=", fingerprint)
    .where("trail_id", "is not", null)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return report?.trail_id ?? null;
}

async function lastNumber(db: Database, flowId: string): Promise<number> {
  const latest = await db
    .selectFrom("approvals")
    .select("number")
    .where("flow_id", "=", flowId)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return latest?.number ?? 0;
}

/** Empty when no artifact was built from the commit. */
async function artifactBuiltFrom(db: Database, flowId: string, commitSha: string): Promise<string> {
  const artifact = await db
    .selectFrom("artifacts")
    .select("fingerprint")
    .where("flow_id", "=", flowId)
    .where("commit_sha", "=", commitSha)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return artifact?.fingerprint ?? "";
}

/** @throws NotFound when the flow has no such artifact */
export async function requireArtifactName(
  db: Database,
  { flow, orgName, fingerprint }: { flow: Flow; orgName: string; fingerprint: string },
): Promise<string> {
  const artifact = await db
    .selectFrom("artifacts")
    .select("filename")
    .where("flow_id", "=", flow.id)
    .where("fingerprint", "=", fingerprint)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!artifact) throw unknownArtifact(orgName, flow.name, fingerprint);
  return artifact.filename;
}

/** Approvals for environments outside the scope are invisible. */
function isInScope(scope: Scope) {
  const names = namesIn(scope, "environments");
  const { or, eb } = expressionBuilder<Tables, "approvals">();
  return or([eb("approvals.environment", "is", null), isAmong("approvals.environment", names)]);
}

/** Newest first. */
export async function listApprovals(
  db: Database,
  { flowId, scope }: { flowId: string; scope: Scope },
  { limit, offset }: Slice,
): Promise<StoredApproval[]> {
  return db
    .selectFrom("approvals")
    .selectAll()
    .where("flow_id", "=", flowId)
    .where(isInScope(scope))
    .orderBy("number", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Oldest first. */
export async function approvalsOfArtifact(
  db: Database,
  { flowId, fingerprint, scope }: { flowId: string; fingerprint: string; scope: Scope },
): Promise<StoredApproval[]> {
  return db
    .selectFrom("approvals")
    .selectAll()
    .where("flow_id", "=", flowId)
    .where("artifact_fingerprint", "=", fingerprint)
    .where(isInScope(scope))
    .orderBy("number")
    .execute();
}

/**
 * A negative number counts from the end: -1 is the latest.
 *
 * @throws NotFound
 */
export async function requireApproval(
  db: Database,
  { flow, orgName, number, scope }: { flow: Flow; orgName: string; number: number; scope: Scope },
): Promise<StoredApproval> {
  const approval = await db
    .selectFrom("approvals")
    .selectAll()
    .where("flow_id", "=", flow.id)
    .where(isInScope(scope))
    .where("number", "=", number < 0 ? (await lastNumber(db, flow.id)) + 1 + number : number)
    .executeTakeFirst();
  if (approval) return approval;
  throw new NotFound(
    "approval.not_found",
    `Approval number '${number}' does not exist in flow '${flow.name}' belonging to organization '${orgName}'`,
  );
}

export async function artifactsOfCommits(
  db: Database,
  flowId: string,
  commits: readonly string[],
): Promise<ReadonlyMap<string | null, string[]>> {
  const asked = [...new Set(commits)];
  const rows = await db
    .selectFrom("artifacts")
    .select(["commit_sha", "fingerprint"])
    .distinct()
    .where("flow_id", "=", flowId)
    .where("commit_sha", "in", listed(asked))
    .orderBy("fingerprint")
    .execute();
  return valuesByKey(
    rows,
    ({ commit_sha }) => commit_sha,
    ({ fingerprint }) => fingerprint,
  );
}

/** Stored in the shape of the wire. */
export interface StoredReview {
  state: "APPROVED" | "UNAPPROVED";
  comment: string;
  approved_by: string;
  approval_url: string;
  /** Unix seconds. */
  timestamp: number;
}

export function approvalView(approval: StoredApproval): ApprovalOfCommits {
  const reviews: StoredReview[] = JSON.parse(approval.reviews);
  return {
    releaseNumber: approval.number,
    baseArtifact: approval.base_artifact,
    artifactName: approval.artifact_name,
    targetArtifact: approval.artifact_fingerprint,
    environment: approval.environment,
    description: approval.description,
    srcCommitList: JSON.parse(approval.commits),
    createdAt: approval.created_at,
    lastModifiedAt: approval.last_modified_at,
    state: approval.state,
    approvals: reviews.map(({ approved_by, approval_url, ...review }) => ({
      ...review,
      approvedBy: approved_by,
      approvalUrl: approval_url,
    })),
    userData: approval.user_data === null ? null : parseExactJson(approval.user_data),
  };
}

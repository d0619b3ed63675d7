import { expressionBuilder } from "kysely";
import type { ApprovalOfCommits } from "../../../api/resources/approvals.ts";
import { NotFound } from "../../kernel/errors.ts";
import { parseExactJson } from "../../kernel/exact-json.ts";
import type { Slice } from "../../kernel/paging.ts";
import { namesIn, type Scope } from "../../kernel/scope.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import { isAmong, listed } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";
import type { Flow } from "../flows/records.ts";

/** Approvals for environments outside the scope are hidden. */
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
): Promise<Tables["approvals"][]> {
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
): Promise<Tables["approvals"][]> {
  return db
    .selectFrom("approvals")
    .selectAll()
    .where("flow_id", "=", flowId)
    .where("artifact_fingerprint", "=", fingerprint)
    .where(isInScope(scope))
    .orderBy("number")
    .execute();
}

/** Finds an approval by number. Negative numbers count from the end, so -1 is the latest. @throws NotFound */
export async function requireApproval(
  db: Database,
  { flow, orgName, number, scope }: { flow: Flow; orgName: string; number: number; scope: Scope },
): Promise<Tables["approvals"]> {
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

export async function artifactsOfCommits(db: Database, flowId: string, commits: readonly string[]) {
  const unique = [...new Set(commits)];
  const rows = await db
    .selectFrom("artifacts")
    .select(["commit_sha", "fingerprint"])
    .distinct()
    .where("flow_id", "=", flowId)
    .where("commit_sha", "in", listed(unique))
    .orderBy("fingerprint")
    .execute();
  return valuesByKey(rows, ({ commit_sha, fingerprint }) => [commit_sha, fingerprint]);
}

/** Stored in wire format. */
export interface StoredReview {
  state: "APPROVED" | "UNAPPROVED";
  comment: string;
  approved_by: string;
  approval_url: string;
  /** Unix seconds. */
  timestamp: number;
}

export function approvalView(approval: Tables["approvals"]): ApprovalOfCommits {
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

import type { ApprovalOfCommits } from "../../api/resources/approvals.ts";
import type { StoredApproval } from "../evidence/approvals/records.ts";
import { parseExactJson } from "../kernel/exact-json.ts";

/** A review as it is stored, in the shape of the wire. */
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

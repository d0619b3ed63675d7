import type { ActionContext } from "../../github/step/action.ts";
import { writeResultFile } from "../result-file.ts";
import { boundedJson, changeData } from "./changes.ts";
import type { Findings } from "./findings.ts";
import type { Query } from "./query.ts";
import type { ApprovalRecord } from "./record-approval.ts";

interface Answer extends Query {
  readonly findings?: Findings;
  readonly approval?: ApprovalRecord;
}

/** All outputs. Writes the file with the whole answer. */
export async function outputsOf(answer: Answer, context: ActionContext) {
  const { running, candidate, comparison, findings, approval } = answer;
  const { json, all } = boundedJson(findings?.changes ?? []);
  return {
    "commit-sha": running ?? "",
    "candidate-sha": candidate,
    comparison: comparison.status,
    "ahead-by": comparison.aheadBy?.toString() ?? "",
    "behind-by": comparison.behindBy?.toString() ?? "",
    commits: json,
    "commits-complete": String(findings !== undefined && comparison.complete && all),
    "compare-url": comparison.url ?? "",
    "candidate-evidence": findings?.candidateEvidence.state ?? "UNKNOWN",
    reviewers: findings?.protection ? JSON.stringify(findings.protection.reviewers) : "",
    approved: String(isApproved(approval)),
    "approved-by": approval?.verdict?.approvedBy.join("\n") ?? "",
    "trail-url": approval?.recorded ? approval.trailUrl : "",
    receipt: approval?.receipt?.path ?? "",
    "result-file": await writeResultFile("running-commit", resultOf(answer), context),
  };
}

function isApproved(approval: ApprovalRecord | undefined): boolean {
  return approval?.recorded === true && approval.verdict?.approved === true;
}

function resultOf({ comparison, findings, approval, ...query }: Answer) {
  return {
    flow: query.flow,
    environment: query.environment,
    github_environment: query.gitHubEnvironment ?? null,
    commit_sha: query.running ?? null,
    candidate_sha: query.candidate,
    comparison: comparison.status,
    ahead_by: comparison.aheadBy ?? null,
    behind_by: comparison.behindBy ?? null,
    compare_url: comparison.url ?? null,
    ...(findings && {
      commits: findings.changes.map(changeData),
      commits_complete: comparison.complete,
      candidate_evidence: findings.candidateEvidence.state,
      reviewers: findings.protection?.reviewers ?? null,
    }),
    ...(approval && {
      approved: isApproved(approval),
      approved_by: approval.verdict?.approvedBy ?? [],
      self_approved: approval.verdict?.selfApproved ?? null,
    }),
  };
}

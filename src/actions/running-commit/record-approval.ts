import { InputError } from "../../api/client/errors.ts";
import { attestGeneric } from "../../api/resources/generic-attestation.ts";
import { gitHubAddress } from "../../github/api/github-address.ts";
import { readRunApprovals } from "../../github/api/run-approvals.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { Redaction } from "../../github/step/redaction.ts";
import { backoff, pause } from "../../net/retry.ts";
import { trailUrl } from "../links.ts";
import { describeOrigin } from "../origin.ts";
import type { Written } from "../receipt.ts";
import { type ApprovalVerdict, evaluateRunApprovals } from "./approval.ts";
import type { Query } from "./query.ts";

/** GitHub may list an approval only a moment later. */
const ATTEMPTS = 4;

export interface ApprovalRequest extends Query {
  readonly name: string;
  readonly trail: string;
  readonly token: string | undefined;
  readonly redact: readonly Redaction[];
  readonly wantsReceipt: boolean;
}

/** The outcome of recording an approval. */
export interface ApprovalRecord {
  readonly recorded: boolean;
  /** Undefined if the approvals could not be read. */
  readonly verdict: ApprovalVerdict | undefined;
  readonly trailUrl: string;
  readonly receipt?: Written | undefined;
  /** Why the gate stays closed; absent when it opens. */
  readonly failure?: string;
}

/**
 * Records GitHub's approvals of this run on the candidate's trail: compliant if a person approved, else not. Records
 * nothing if the approvals cannot be read.
 */
export async function recordApproval(
  request: ApprovalRequest,
  context: ActionContext,
): Promise<ApprovalRecord> {
  const { name, flow, trail, candidate, token, redact, comparison } = request;
  const url = trailUrl(context.connection, flow, trail);
  const result = await askVerdict(request, context);
  if ("failure" in result)
    return { recorded: false, verdict: undefined, trailUrl: url, failure: result.failure };
  const { verdict } = result;
  const origin = await describeOrigin(
    {
      commit: candidate,
      redact: [...redact],
      githubToken: token,
      description: undefined,
      userData: undefined,
      externalUrls: comparison.url === undefined ? {} : { comparison: comparison.url },
      originUrl: undefined,
    },
    context,
  );
  const reply = await context.call(attestGeneric, {
    flowName: flow,
    trailName: trail,
    files: {},
    body: {
      attestationName: name,
      isCompliant: verdict.approved,
      ...origin,
      userData: { approval: approvalData(request, verdict, context) },
    },
  });
  const recorded = reply !== undefined;
  if (recorded) context.info(`Recorded the approval as '${name}' on trail '${trail}'.`);
  const failure = verdict.approved
    ? "A dry run records no approval, so the gate stays closed."
    : `${verdict.whyNot.join(".\n")}.`;
  const receipt =
    reply !== undefined && request.wantsReceipt
      ? await (await import("../receipt.ts")).writeAttestationReceipt(
          reply.headers,
          { flow, trail, name, isArtifact: false },
          context,
        )
      : undefined;
  return { recorded, verdict, trailUrl: url, receipt, ...(!(verdict.approved && recorded) && { failure }) };
}

async function askVerdict(
  { gitHubEnvironment: environment, token }: ApprovalRequest,
  { runner, signal, warn }: ActionContext,
): Promise<{ verdict: ApprovalVerdict } | { failure: string }> {
  if (environment === undefined) throw missing("github-environment", "is required with record-approval");
  const { runId, sha, actor, triggeringActor } = runner;
  const address = gitHubAddress(runner, token, signal);
  if (address === undefined || runId === undefined) {
    throw missing("github-token", "is required to read the approvals of the workflow run from GitHub");
  }
  const startedBy = [actor, triggeringActor].filter((name) => name !== undefined);
  for (let attempt = 1; ; attempt++) {
    const outcome = await readRunApprovals({ ...address, runId, sha, warn });
    if ("fault" in outcome) {
      const so = "Nothing was recorded, because the approvals are unknown.";
      return { failure: outcome.fault.explain(address.apiUrl, `returned no approvals of run ${runId}`, so) };
    }
    const verdict = evaluateRunApprovals(outcome.answer, { environment, startedBy });
    if (verdict.reviews.length > 0 || attempt >= ATTEMPTS) return { verdict };
    await pause(backoff(attempt, 1), signal);
  }
}

function missing(input: string, problem: string): InputError {
  return new InputError([{ input, problem, missing: true }]);
}

/** The approval as recorded, with its grounds. */
function approvalData(request: ApprovalRequest, verdict: ApprovalVerdict, { runner }: ActionContext) {
  const { comparison } = request;
  return {
    environment: request.environment,
    github_environment: request.gitHubEnvironment,
    approved_by: verdict.approvedBy,
    self_approved: verdict.selfApproved,
    ...(verdict.whyNot.length > 0 && { why_not: verdict.whyNot }),
    reviews: verdict.reviews.map(({ username, state, comment, releasedAt }) => ({
      username,
      state,
      comment,
      ...(releasedAt !== undefined && { released_at: releasedAt }),
    })),
    run_id: runner.runId,
    run_attempt: runner.runAttempt,
    started_by: runner.triggeringActor ?? runner.actor,
    candidate: request.candidate,
    running_commit: request.running ?? null,
    comparison: comparison.status,
    ...(comparison.aheadBy !== undefined && { ahead_by: comparison.aheadBy }),
  };
}

import { InputError } from "../../../api/client/errors.ts";
import { attestPullRequest } from "../../../api/resources/attestation-kinds.ts";
import { describePullRequest, type PullRequest } from "../../../github/api/pull-request.ts";
import { readPullRequests } from "../../../github/api/pull-requests.ts";
import { missingApprovals } from "../../../github/api/required-approvals.ts";
import { pullRequestOfEvent } from "../../../github/event/event-pull-request.ts";
import type { ActionContext } from "../../../github/step/action.ts";
import type { Table } from "../../../github/step/summary.ts";
import type { AttestationRequest, Recorder, Submission } from "../attestation-request.ts";
import { fieldsOfData } from "../data.ts";
import { prepareSubmission } from "../submission.ts";
import { withFacts } from "../user-data.ts";

/** Records the commit's pull requests, read from GitHub or from `data`. */
export const recordPullRequest: Recorder = async (attestation, context) => {
  const { data, requireApprovals, redact } = attestation.values;
  if (data !== undefined) return recordGiven(attestation, data, context);
  const found = await pullRequestsOf(attestation, context);
  const candidates = found.map((pullRequest) => ({
    pullRequest,
    counts: missingApprovals([pullRequest], requireApprovals).length === 0,
  }));
  const counted = candidates.filter(({ counts }) => counts).map(({ pullRequest }) => pullRequest);
  const whyNot = missingApprovals(found, requireApprovals);
  const { to, fields, attachments, tables } = await prepareSubmission(attestation, context);
  const body = {
    ...withUncounted(fields, candidates, whyNot),
    gitProvider: "github" as const,
    // The service counts any pull request as compliant, so those that do not count are left out.
    pullRequests: counted.map((each) => describePullRequest(each, new Set(redact))),
  };
  // These values come from GitHub, so errors about them refer to the input `github-token`.
  const inputs = { pull_requests: { within: "github-token" } };
  const reply = await context.call(attestPullRequest, { ...to, body }, { fields: inputs });
  const none = found.length === 0 ? "GitHub has no pull request for the commit" : whyNot.join("; ");
  return {
    reply,
    attachments,
    compliant: counted.length > 0,
    reason: counted.length > 0 ? "" : none,
    tables: [tableOf(candidates, requireApprovals), ...tables],
  };
};

async function recordGiven(attestation: AttestationRequest, data: string, context: ActionContext) {
  const names = ["git_provider", "pull_requests"];
  const given = await fieldsOfData(data, attestPullRequest, names, context);
  const { gitProvider = "github", pullRequests = [] } = given;
  const { to, fields, attachments, tables } = await prepareSubmission(attestation, context);
  const body = { ...fields, gitProvider, pullRequests };
  const inputs = { git_provider: { within: "data" }, pull_requests: { within: "data" } };
  const reply = await context.call(attestPullRequest, { ...to, body }, { fields: inputs });
  const reason = pullRequests.length > 0 ? "" : "no pull request was given";
  return { reply, attachments, compliant: reason === "", reason, tables };
}

/** A pull request, and whether it has the required approvals. */
interface Candidate {
  readonly pullRequest: PullRequest;
  readonly counts: boolean;
}

async function pullRequestsOf({ values, origin }: AttestationRequest, context: ActionContext) {
  const { runner, signal } = context;
  const sha = origin.gitCommitInfo?.sha1;
  const { githubToken: token } = values;
  if (sha === undefined || runner.repository === undefined)
    throw problemWith("commit", "is required outside a workflow run to find the commit's pull requests");
  if (!token) throw problemWith("github-token", "is required to read the pull requests from GitHub");
  const { apiUrl, repository, childEnv: env } = runner;
  const number = pullRequestOfEvent(runner, sha);
  const outcome = await readPullRequests({ apiUrl, repository, token, signal, env, sha, number });
  if ("answer" in outcome) return outcome.answer;
  const so = "Without pull requests, there is nothing to attest.";
  throw problemWith(
    "github-token",
    outcome.fault.explain(apiUrl, `returned no pull requests of commit ${sha}`, so),
  );
}

function problemWith(input: string, problem: string): InputError {
  return new InputError([{ input, problem }]);
}

/** Adds the pull requests that do not count to the user's data, because the interface has no field for them. */
function withUncounted(
  fields: Submission["fields"],
  candidates: readonly Candidate[],
  whyNot: readonly string[],
) {
  const left = candidates.filter(({ counts }) => !counts).map(({ pullRequest }) => pullRequest.url);
  return left.length === 0 ? fields : withFacts(fields, { pull_requests_not_counted: left, why_not: whyNot });
}

function tableOf(candidates: readonly Candidate[], required: number): Table {
  const rows = candidates.map(({ pullRequest: { number, title, state, reviews, url }, counts }) => {
    const approvals = reviews.filter((review) => review.state === "APPROVED");
    const approvedBy = approvals.map(({ username }) => username).join(", ");
    return [{ text: `#${number} ${title}`, url }, state.toLowerCase(), approvedBy, counts ? "yes" : "no"];
  });
  const columns = ["Pull request", "State", "Approved by", "Approvals suffice"];
  // The last column is shown only if approvals are required.
  const width = required > 0 ? columns.length : columns.length - 1;
  return { columns: columns.slice(0, width), rows: rows.map((row) => row.slice(0, width)) };
}

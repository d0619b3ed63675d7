import { InputError } from "../../../api/client/errors.ts";
import { attestPullRequest } from "../../../api/resources/attestation-kinds.ts";
import type { Provider } from "../../../code-hosts/code-host.ts";
import { describePullRequest, type PullRequest } from "../../../github/api/pull-request.ts";
import { readPullRequests } from "../../../github/api/pull-requests.ts";
import { missingApprovals } from "../../../github/api/required-approvals.ts";
import { reviewFacts } from "../../../github/api/review-facts.ts";
import { pullRequestOfEvent } from "../../../github/event/event-pull-request.ts";
import type { ActionContext } from "../../../github/step/action.ts";
import type { Table } from "../../../github/step/summary.ts";
import type { AttestationRequest, Recorder } from "../attestation-request.ts";
import { fieldsOfData } from "../data.ts";
import { prepareSubmission, submit } from "../submission.ts";
import { withFacts } from "../user-data.ts";

/** Field of the user's data with facts of the review. */
const REVIEW = "review";

/** Records the commit's pull requests, read from their code host or from `data`. */
export const recordPullRequest: Recorder = async (attestation, context) => {
  const { data, requireApprovals, redact } = attestation.values;
  if (data !== undefined) return recordGiven(attestation, data, context);
  const { userData = {} } = attestation.origin;
  if (Array.isArray(userData))
    context.warn("`user-data` is a list, so the facts of the review are not recorded");
  else if (Object.hasOwn(userData, REVIEW))
    throw problemWith("user-data", `must not contain '${REVIEW}', which is recorded anyway`);
  const { provider, input, pullRequests: found, host } = await pullRequestsOf(attestation, context);
  const candidates = found.map((pullRequest) => ({
    pullRequest,
    counts: missingApprovals([pullRequest], requireApprovals).length === 0,
  }));
  const counted = candidates.filter(({ counts }) => counts).map(({ pullRequest }) => pullRequest);
  const whyNot = missingApprovals(found, requireApprovals);
  const { to, fields, attachments, tables } = await prepareSubmission(attestation, context);
  const redactions = new Set(redact);
  const body = {
    ...withFacts(fields, { ...uncounted(candidates, whyNot), [REVIEW]: reviewFacts(found, redactions) }),
    gitProvider: provider,
    // The service counts any pull request as compliant, so those that do not count are left out.
    pullRequests: counted.map((each) => describePullRequest(each, redactions)),
  };
  // These values come from the code host, so errors about them refer to its input.
  const inputs = { pull_requests: { within: input } };
  const reply = await submit(attestPullRequest, { ...to, body }, attestation, context, inputs);
  return {
    reply,
    attachments,
    compliant: counted.length > 0,
    reason:
      counted.length > 0
        ? ""
        : found.length === 0
          ? `${host} has no pull request for the commit`
          : whyNot.join("; "),
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
  const reply = await submit(attestPullRequest, { ...to, body }, attestation, context, inputs);
  const reason = pullRequests.length > 0 ? "" : "no pull request was given";
  return { reply, attachments, compliant: reason === "", reason, tables };
}

/** A pull request, and whether it has the required approvals. */
interface Candidate {
  readonly pullRequest: PullRequest;
  readonly counts: boolean;
}

interface Found {
  readonly provider: Provider;
  /** Input with the token that read them. */
  readonly input: string;
  readonly pullRequests: readonly PullRequest[];
  /** `GitHub` */
  readonly host: string;
}

async function pullRequestsOf(
  { values, origin }: AttestationRequest,
  context: ActionContext,
): Promise<Found> {
  const sha = origin.gitCommitInfo?.sha1;
  if (sha === undefined)
    throw problemWith("commit", "is required outside of a CI job to find the commit's pull requests");
  const job = context.runner.ci?.codeHost;
  const { codeHost: provider = job?.provider ?? "github" } = values;
  if (provider !== "github") {
    const { askCodeHost } = await import("../ask-code-host.ts");
    return {
      provider,
      input: "code-host-token",
      ...(await askCodeHost(provider, job, sha, values, context)),
    };
  }
  if (values.codeHostToken !== undefined)
    throw problemWith("code-host-token", "is not used for GitHub: set code-host to another host");
  const pullRequests = await pullRequestsOfGitHub(sha, values, context);
  return { provider, input: "github-token", pullRequests, host: "GitHub" };
}

async function pullRequestsOfGitHub(
  sha: string,
  { githubToken: token }: AttestationRequest["values"],
  { runner, signal }: ActionContext,
) {
  if (runner.repository === undefined)
    throw problemWith(
      "code-host",
      "must name the host of the pull requests, because the repository of the job is not at GitHub",
    );
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

/** The pull requests that do not count. The interface has no field for them. */
function uncounted(candidates: readonly Candidate[], whyNot: readonly string[]) {
  const left = candidates.filter(({ counts }) => !counts).map(({ pullRequest }) => pullRequest.url);
  return left.length === 0 ? {} : { pull_requests_not_counted: left, why_not: whyNot };
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

import {
  customSubmission,
  jiraSubmission,
  junitSubmission,
  pullRequestSubmission,
  snykSubmission,
  sonarSubmission,
  systemSubmission,
} from "../../../api/resources/attestation-kinds.ts";
import { genericSubmission } from "../../../api/resources/generic-attestation.ts";
import { toWire } from "../../../api/wire-names.ts";
import {
  gatePassed,
  hasPullRequest,
  issuesExist,
  nothingFound,
  testsPassed,
} from "../../judging/compliance/verdicts.ts";
import type { Call, Handler } from "../../operation/handler.ts";
import { attestHandler } from "./attest.ts";
import { evaluateCustom, evaluateSystem } from "./data.ts";

/** The fields of each kind, its evaluation, and the fields that its record shows. */

export const attestGeneric: Handler<"attestGeneric"> = attestHandler({
  schema: genericSubmission,
  shows: {},
  evaluate: ({ isCompliant }) => ({ type: "generic", isCompliant }),
});

export const attestJunit: Handler<"attestJunit"> = attestHandler({
  schema: junitSubmission,
  shows: { junit_results: "junit_results" },
  evaluate: ({ junitResults }) => ({ type: "junit", isCompliant: testsPassed(junitResults) }),
});

export const attestSnyk: Handler<"attestSnyk"> = attestHandler({
  schema: snykSubmission,
  shows: { snyk_results: "processed_snyk_results" },
  evaluate: ({ snykResults }) => ({ type: "snyk", isCompliant: nothingFound(snykResults.results) }),
});

export const attestPullRequest: Handler<"attestPullRequest"> = attestHandler({
  schema: pullRequestSubmission,
  shows: { git_provider: "git_provider", pull_requests: "pull_requests" },
  evaluate: ({ pullRequests }) => ({
    type: "pull_request",
    isCompliant: hasPullRequest(pullRequests),
    shown: { pull_requests: toWire(submittedPullRequests, pullRequests.map(withoutEmptyCommit)) },
  }),
});

const submittedPullRequests = pullRequestSubmission.shape.pull_requests;

type SubmittedPullRequest = Call<"attestPullRequest">["body"]["pullRequests"][number];

/** If there is no merge commit, clients send an empty text in both formats. Only the newer one allows null. */
function withoutEmptyCommit(pullRequest: SubmittedPullRequest): SubmittedPullRequest {
  return "commits" in pullRequest && pullRequest.mergeCommit === ""
    ? { ...pullRequest, mergeCommit: null }
    : pullRequest;
}

export const attestJira: Handler<"attestJira"> = attestHandler({
  schema: jiraSubmission,
  shows: { jira_results: "jira_results" },
  evaluate: ({ jiraResults }) => ({ type: "jira", isCompliant: issuesExist(jiraResults) }),
});

export const attestSonar: Handler<"attestSonar"> = attestHandler({
  schema: sonarSubmission,
  shows: { sonar_results: "sonar_results" },
  evaluate: ({ sonarResults }) => ({ type: "sonar", isCompliant: gatePassed(sonarResults) }),
});

export const attestCustom: Handler<"attestCustom"> = attestHandler({
  schema: customSubmission,
  shows: { type_name: "type_name" },
  evaluate: evaluateCustom,
});

export const attestSystem: Handler<"attestSystem"> = attestHandler({
  schema: systemSubmission,
  shows: { type_name: "type_name", control: "control" },
  evaluate: evaluateSystem,
});

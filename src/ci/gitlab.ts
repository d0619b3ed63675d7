import { asCommitSha, unixSeconds } from "../github/api/commit-facts.ts";
import { commitPages, pullRequestOf, webAddressOf } from "./remote.ts";
import { type CiSystem, forkBranch, groupsOf, positive, type Variables } from "./variables.ts";

/**
 * GitLab CI/CD.
 *
 * | Fact | Variables |
 * | --- | --- |
 * | commit | `CI_MERGE_REQUEST_SOURCE_BRANCH_SHA` (merged results), `CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_SHA`, `CI_COMMIT_SHA` unless `CI_MERGE_REQUEST_EVENT_TYPE` shows a merge |
 * | branch | `CI_MERGE_REQUEST_SOURCE_BRANCH_NAME`, `CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_NAME`, `CI_COMMIT_BRANCH` |
 * | fork | `CI_MERGE_REQUEST_SOURCE_PROJECT_PATH`, `CI_EXTERNAL_PULL_REQUEST_SOURCE_REPOSITORY`, `CI_EXTERNAL_PULL_REQUEST_TARGET_REPOSITORY` |
 * | pull request | `CI_MERGE_REQUEST_IID`, `CI_MERGE_REQUEST_PROJECT_URL` |
 * | repository | `CI_PROJECT_PATH`, `CI_PROJECT_URL`, `CI_PROJECT_ID`, `CI_PROJECT_DESCRIPTION`, `CI_PROJECT_NAMESPACE` |
 * | code host | `CI_API_V4_URL`, `CI_MERGE_REQUEST_PROJECT_ID`, `CI_PROJECT_ID` |
 * | run | `CI_PIPELINE_ID`, `CI_JOB_URL` |
 * | actor | `GITLAB_USER_LOGIN` |
 * | commit facts | `CI_COMMIT_MESSAGE`, `CI_COMMIT_AUTHOR`, `CI_COMMIT_TIMESTAMP` |
 * | clone | `CI_PROJECT_DIR` |
 */
export const gitlab: CiSystem = {
  name: "gitlab",
  advice: {
    commit:
      "Pass CI_COMMIT_SHA to this command, and in merge request pipelines CI_MERGE_REQUEST_SOURCE_BRANCH_SHA as well.",
    repository: "Pass CI_PROJECT_PATH and CI_PROJECT_URL to this command.",
    run: "Pass CI_JOB_URL to this command.",
    history: 'Set the variable GIT_DEPTH: "0" for the job.',
  },
  detect: (variable) => variable("GITLAB_CI") !== undefined,
  read(variable) {
    const built = asCommitSha(variable("CI_COMMIT_SHA"));
    const commit = headOf(variable, built);
    const repository = repositoryIn(variable);
    const number = positive(variable("CI_MERGE_REQUEST_IID"));
    const project = variable("CI_MERGE_REQUEST_PROJECT_URL");
    return {
      commit,
      branch: branchIn(variable),
      pullRequest: pullRequestOf(number, repository, project && `${project}/-/merge_requests/${number}`),
      repository,
      codeHost: {
        provider: "gitlab",
        url: variable("CI_API_V4_URL"),
        // A merge request of a fork is one of the target project, although its pipeline may run in the fork.
        repository: variable("CI_MERGE_REQUEST_PROJECT_ID") ?? variable("CI_PROJECT_ID"),
      },
      run: { id: variable("CI_PIPELINE_ID"), url: variable("CI_JOB_URL") },
      actor: variable("GITLAB_USER_LOGIN"),
      workspace: variable("CI_PROJECT_DIR"),
      // The variables describe the built commit, which may be a trial merge.
      facts:
        commit === built
          ? {
              message: variable("CI_COMMIT_MESSAGE"),
              author: variable("CI_COMMIT_AUTHOR"),
              timestamp: unixSeconds(variable("CI_COMMIT_TIMESTAMP")),
            }
          : undefined,
      commitPages: commitPages(repository),
    };
  },
};

/** Pipelines for merged results and merge trains build a merge that only they see. */
function headOf(variable: Variables, built: string | undefined): string | undefined {
  const head =
    variable("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA") ?? variable("CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_SHA");
  if (head !== undefined) return asCommitSha(head);
  const isMerge = ["merged_result", "merge_train"].includes(variable("CI_MERGE_REQUEST_EVENT_TYPE") ?? "");
  return isMerge ? undefined : built;
}

function branchIn(variable: Variables): string | undefined {
  const source = variable("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME");
  if (source !== undefined) {
    const from = variable("CI_MERGE_REQUEST_SOURCE_PROJECT_PATH");
    return from === variable("CI_PROJECT_PATH")
      ? source
      : forkBranch(from?.split("/").slice(0, -1).join("/"), source);
  }
  const external = variable("CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_NAME");
  if (external === undefined) return variable("CI_COMMIT_BRANCH");
  const from = variable("CI_EXTERNAL_PULL_REQUEST_SOURCE_REPOSITORY");
  return from === variable("CI_EXTERNAL_PULL_REQUEST_TARGET_REPOSITORY")
    ? external
    : forkBranch(from?.split("/")[0], external);
}

function repositoryIn(variable: Variables) {
  const [name, url] = [variable("CI_PROJECT_PATH"), webAddressOf(variable("CI_PROJECT_URL"))?.href];
  if (name === undefined || url === undefined) return undefined;
  return {
    name,
    url,
    id: variable("CI_PROJECT_ID"),
    description: variable("CI_PROJECT_DESCRIPTION"),
    provider: "gitlab",
    namespacePath: groupsOf(variable("CI_PROJECT_NAMESPACE")),
  };
}

import { asCommitSha } from "../github/api/commit-facts.ts";
import { commitPages, pullRequestOf, repositoryOf } from "./remote.ts";
import { type CiSystem, positive, type Variables } from "./variables.ts";

/**
 * CircleCI.
 *
 * | Fact | Variables |
 * | --- | --- |
 * | commit | `CIRCLE_SHA1` |
 * | branch | `CIRCLE_BRANCH`, absent for tags and for pull requests of forks |
 * | pull request | `CIRCLE_PR_NUMBER` (forks), `CIRCLE_PULL_REQUEST` |
 * | repository | `CIRCLE_REPOSITORY_URL`, else the clone; projects of the GitHub App and of GitLab do not have it |
 * | run | `CIRCLE_WORKFLOW_ID`, `CIRCLE_BUILD_URL` |
 * | actor | `CIRCLE_USERNAME` |
 * | clone | `CIRCLE_WORKING_DIRECTORY`, `HOME` |
 */
export const circleci: CiSystem = {
  name: "circleci",
  advice: {
    commit: "Pass CIRCLE_SHA1 to this command.",
    repository: "Add a checkout step before this command, or pass CIRCLE_REPOSITORY_URL to it.",
    run: "Pass CIRCLE_BUILD_URL to this command.",
    history: "Set method: full for the checkout step.",
  },
  detect: (variable) => variable("CIRCLECI") !== undefined,
  read(variable) {
    // CircleCI itself is the provider of repositories whose host is unknown.
    const repository = repositoryOf(variable("CIRCLE_REPOSITORY_URL"), "circleci");
    const page = variable("CIRCLE_PULL_REQUEST");
    const number = positive(variable("CIRCLE_PR_NUMBER") ?? page?.split("/").at(-1));
    return {
      commit: asCommitSha(variable("CIRCLE_SHA1")),
      branch: branchIn(variable),
      pullRequest: pullRequestOf(number, repository, page),
      repository,
      run: { id: variable("CIRCLE_WORKFLOW_ID"), url: variable("CIRCLE_BUILD_URL") },
      actor: variable("CIRCLE_USERNAME"),
      workspace: variable("CIRCLE_WORKING_DIRECTORY")?.replace(/^~(?=\/|$)/, variable("HOME") ?? "~"),
      commitPages: commitPages(repository),
    };
  },
};

/** CircleCI names the branch of a fork's pull request `pull/7`. */
function branchIn(variable: Variables): string | undefined {
  const branch = variable("CIRCLE_BRANCH");
  return /^pull\/\d+$/.test(branch ?? "") ? undefined : branch;
}

import { asCommitSha } from "../github/api/commit-facts.ts";
import { commitPages, pullRequestOf, repositoryOf } from "./remote.ts";
import { type CiSystem, forkBranch, positive, type Variables } from "./variables.ts";

/**
 * Jenkins with its Git plugin.
 *
 * | Fact | Variables |
 * | --- | --- |
 * | commit | `GIT_COMMIT`, else the clone; if Jenkins merged a pull request, its head in the clone |
 * | branch | `CHANGE_BRANCH` and `CHANGE_FORK` (pull requests), `BRANCH_NAME` unless `TAG_NAME` is set, `GIT_BRANCH` |
 * | pull request | `CHANGE_ID`, `CHANGE_URL` |
 * | repository | `GIT_URL` or `GIT_URL_1`, else the clone |
 * | run | `BUILD_NUMBER`, `BUILD_URL` |
 * | actor | `BUILD_USER_ID` (plugin Build User Vars) |
 * | clone | `WORKSPACE` |
 */
export const jenkins: CiSystem = {
  name: "jenkins",
  advice: {
    commit: "Run checkout scm before this command, in the same folder, or pass GIT_COMMIT to the command.",
    repository: "Run checkout scm before this command, in the same folder, or pass GIT_URL to the command.",
    run: "Set the Jenkins URL under Manage Jenkins, System, so that Jenkins sets BUILD_URL.",
    history: "Set shallow: false in the cloneOption of the checkout.",
  },
  fromClone: ["commit"],
  detect: (variable) => variable("JENKINS_URL") !== undefined || variable("JENKINS_HOME") !== undefined,
  read(variable) {
    const repository = repositoryOf(variable("GIT_URL") ?? variable("GIT_URL_1"));
    const number = positive(variable("CHANGE_ID"));
    return {
      commit: asCommitSha(variable("GIT_COMMIT")),
      branch: branchIn(variable),
      pullRequest: pullRequestOf(number, repository, variable("CHANGE_URL")),
      repository,
      run: { id: variable("BUILD_NUMBER"), url: variable("BUILD_URL") },
      actor: variable("BUILD_USER_ID"),
      workspace: variable("WORKSPACE"),
      commitPages: commitPages(repository),
    };
  },
};

function branchIn(variable: Variables): string | undefined {
  if (variable("CHANGE_ID") !== undefined) {
    const fork = variable("CHANGE_FORK");
    const branch = variable("CHANGE_BRANCH");
    return fork === undefined ? branch : forkBranch(fork.split("/")[0], branch);
  }
  if (variable("TAG_NAME") !== undefined) return undefined;
  const branch =
    variable("BRANCH_NAME") ?? variable("GIT_BRANCH")?.replace(/^(refs\/remotes\/)?origin\//, "");
  return branch === "detached" || branch?.startsWith("refs/") ? undefined : branch;
}

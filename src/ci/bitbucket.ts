import { asCommitSha } from "../github/api/commit-facts.ts";
import { commitPages, pullRequestOf } from "./remote.ts";
import { type CiSystem, groupsOf, positive, type Variables } from "./variables.ts";

/**
 * Bitbucket Pipelines, which only Bitbucket Cloud has.
 *
 * | Fact | Variables |
 * | --- | --- |
 * | commit | `BITBUCKET_COMMIT`, the head also in pipelines of pull requests |
 * | branch | `BITBUCKET_BRANCH`, absent for tags |
 * | pull request | `BITBUCKET_PR_ID` |
 * | repository | `BITBUCKET_REPO_FULL_NAME`, `BITBUCKET_REPO_UUID`, `BITBUCKET_PROJECT_KEY` |
 * | run | `BITBUCKET_BUILD_NUMBER` |
 * | actor | `BITBUCKET_STEP_TRIGGERER_UUID` |
 * | clone | `BITBUCKET_CLONE_DIR` |
 */
export const bitbucket: CiSystem = {
  name: "bitbucket",
  advice: {
    commit: "Pass BITBUCKET_COMMIT to this command.",
    repository: "Pass BITBUCKET_REPO_FULL_NAME to this command.",
    run: "Pass BITBUCKET_REPO_FULL_NAME and BITBUCKET_BUILD_NUMBER to this command.",
    history: "Set clone: depth: full for the step.",
  },
  detect: (variable) => variable("BITBUCKET_BUILD_NUMBER") !== undefined,
  read(variable) {
    const repository = repositoryIn(variable);
    const number = positive(variable("BITBUCKET_PR_ID"));
    const run = variable("BITBUCKET_BUILD_NUMBER");
    return {
      commit: asCommitSha(variable("BITBUCKET_COMMIT")),
      branch: variable("BITBUCKET_BRANCH"),
      pullRequest: pullRequestOf(number, repository),
      repository,
      codeHost: { provider: "bitbucket", repository: repository?.name },
      run: { id: run, url: repository && run && `${repository.url}/pipelines/results/${run}` },
      actor: variable("BITBUCKET_STEP_TRIGGERER_UUID"),
      workspace: variable("BITBUCKET_CLONE_DIR"),
      commitPages: commitPages(repository),
    };
  },
};

function repositoryIn(variable: Variables) {
  const name = variable("BITBUCKET_REPO_FULL_NAME");
  if (name === undefined) return undefined;
  const project = variable("BITBUCKET_PROJECT_KEY");
  return {
    name,
    url: `https://bitbucket.org/${name}`,
    id: variable("BITBUCKET_REPO_UUID"),
    provider: "bitbucket_cloud",
    namespacePath: groupsOf(name.split("/")[0]),
    additionalInfo: project ? { project_key: project } : undefined,
  };
}

import { asCommitSha } from "../github/api/commit-facts.ts";
import { commitPages, pullRequestOf, repositoryOf } from "./remote.ts";
import { branchOfRef, type CiSystem, positive, type Variables } from "./variables.ts";

/**
 * AWS CodeBuild.
 *
 * | Fact | Variables |
 * | --- | --- |
 * | commit | `CODEBUILD_RESOLVED_SOURCE_VERSION`, if the source is a Git repository |
 * | branch | `CODEBUILD_WEBHOOK_HEAD_REF`, `CODEBUILD_WEBHOOK_TRIGGER`, `CODEBUILD_SOURCE_VERSION`; not for pull requests, which may be of forks |
 * | pull request | `CODEBUILD_WEBHOOK_TRIGGER`, `CODEBUILD_SOURCE_VERSION` |
 * | repository | `CODEBUILD_SOURCE_REPO_URL`, else the clone |
 * | run | `CODEBUILD_BUILD_ID`, `CODEBUILD_BUILD_URL` |
 * | actor | `CODEBUILD_INITIATOR` |
 * | clone | `CODEBUILD_SRC_DIR` |
 */
export const codebuild: CiSystem = {
  name: "codebuild",
  advice: {
    commit:
      "Use a Git source, and run this command after the phase DOWNLOAD_SOURCE, so that CodeBuild sets CODEBUILD_RESOLVED_SOURCE_VERSION. In CodePipeline, set the output format of the source action to Full clone.",
    repository:
      "Pass CODEBUILD_SOURCE_REPO_URL to this command. In CodePipeline, set the output format of the source action to Full clone.",
    run: "Pass CODEBUILD_BUILD_URL to this command.",
    history: "Set the Git clone depth of the source to Full.",
  },
  detect: (variable) =>
    variable("CODEBUILD_BUILD_ID") !== undefined || variable("CODEBUILD_CI") !== undefined,
  read(variable) {
    const repository = repositoryOf(variable("CODEBUILD_SOURCE_REPO_URL"));
    const number = pullRequestIn(variable);
    return {
      commit: asCommitSha(variable("CODEBUILD_RESOLVED_SOURCE_VERSION")),
      branch: number === undefined ? branchIn(variable) : undefined,
      pullRequest: pullRequestOf(number, repository),
      repository,
      run: { id: variable("CODEBUILD_BUILD_ID"), url: variable("CODEBUILD_BUILD_URL") },
      actor: variable("CODEBUILD_INITIATOR"),
      workspace: variable("CODEBUILD_SRC_DIR"),
      commitPages: commitPages(repository),
    };
  },
};

function pullRequestIn(variable: Variables): number | undefined {
  const names = [variable("CODEBUILD_WEBHOOK_TRIGGER"), variable("CODEBUILD_SOURCE_VERSION")];
  return names.map((name) => positive(/^pr\/(\d+)$/.exec(name ?? "")?.[1])).find((number) => number);
}

/** A source version is a branch, a tag or a commit, so only a full name is a branch for sure. */
function branchIn(variable: Variables): string | undefined {
  const trigger = /^branch\/(.+)$/.exec(variable("CODEBUILD_WEBHOOK_TRIGGER") ?? "")?.[1];
  const version = variable("CODEBUILD_SOURCE_VERSION")?.replace(/\^\{[0-9a-f]+\}$/, "");
  return branchOfRef(variable("CODEBUILD_WEBHOOK_HEAD_REF")) ?? trigger ?? branchOfRef(version);
}

import type { RepoInfo } from "../api/resources/provenance.ts";
import { asCommitSha, signature } from "../github/api/commit-facts.ts";
import { commitPages, pullRequestOf, repositoryOf } from "./remote.ts";
import { type CiSystem, forkBranch, positive, type Variables } from "./variables.ts";

/**
 * Buildkite.
 *
 * | Fact | Variables |
 * | --- | --- |
 * | commit | `BUILDKITE_COMMIT`, else the clone if it is HEAD |
 * | branch | `BUILDKITE_BRANCH`, which is the tag if `BUILDKITE_TAG` is set |
 * | pull request | `BUILDKITE_PULL_REQUEST`, `BUILDKITE_PULL_REQUEST_REPO` |
 * | repository | `BUILDKITE_REPO`, `BUILDKITE_PIPELINE_PROVIDER` |
 * | run | `BUILDKITE_BUILD_ID`, `BUILDKITE_BUILD_URL`, `BUILDKITE_JOB_ID`, `BUILDKITE_RETRY_COUNT` |
 * | actor | `BUILDKITE_BUILD_CREATOR` |
 * | commit facts | `BUILDKITE_MESSAGE`, `BUILDKITE_BUILD_AUTHOR`, `BUILDKITE_BUILD_AUTHOR_EMAIL`, if `BUILDKITE_SOURCE` is `webhook` |
 * | clone | `BUILDKITE_BUILD_CHECKOUT_PATH` |
 */
export const buildkite: CiSystem = {
  name: "buildkite",
  advice: {
    commit: "Pass BUILDKITE_COMMIT to this command; if it is HEAD, run the command in the checkout.",
    repository: "Pass BUILDKITE_REPO to this command.",
    run: "Pass BUILDKITE_BUILD_URL to this command.",
    history: "Remove --depth from BUILDKITE_GIT_CLONE_FLAGS and BUILDKITE_GIT_FETCH_FLAGS.",
  },
  fromClone: ["commit"],
  detect: (variable) => variable("BUILDKITE") !== undefined,
  read(variable) {
    const repository = repositoryOf(variable("BUILDKITE_REPO"), providerIn(variable));
    const number = positive(variable("BUILDKITE_PULL_REQUEST"));
    const [page, job] = [variable("BUILDKITE_BUILD_URL"), variable("BUILDKITE_JOB_ID")];
    return {
      commit: asCommitSha(variable("BUILDKITE_COMMIT")),
      branch: branchIn(variable, repository, number !== undefined),
      pullRequest: pullRequestOf(number, repository),
      repository,
      run: {
        id: variable("BUILDKITE_BUILD_ID"),
        url: page && job ? `${page}#${job}` : page,
        attempt: attemptIn(variable),
      },
      actor: variable("BUILDKITE_BUILD_CREATOR"),
      workspace: variable("BUILDKITE_BUILD_CHECKOUT_PATH"),
      facts: factsIn(variable, number !== undefined),
      commitPages: commitPages(repository),
    };
  },
};

function branchIn(variable: Variables, ours: RepoInfo | undefined, isPullRequest: boolean) {
  const branch = variable("BUILDKITE_TAG") === undefined ? variable("BUILDKITE_BRANCH") : undefined;
  // Buildkite itself writes `owner:branch` for a fork at GitHub.
  if (branch === undefined || !isPullRequest || branch.includes(":")) return branch;
  const theirs = repositoryOf(variable("BUILDKITE_PULL_REQUEST_REPO"));
  if (theirs === undefined || theirs.name.toLowerCase() === ours?.name.toLowerCase()) return branch;
  return forkBranch(theirs.name.split("/").slice(0, -1).join("/"), branch);
}

/** Provider of a self-managed host. */
function providerIn(variable: Variables): string | undefined {
  const provider = variable("BUILDKITE_PIPELINE_PROVIDER") ?? "";
  return (
    /^(github|gitlab)/.exec(provider)?.[0] ?? (provider === "bitbucket_server" ? "bitbucket_dc" : undefined)
  );
}

function attemptIn(variable: Variables): number | undefined {
  const retries = variable("BUILDKITE_RETRY_COUNT");
  return retries !== undefined && /^\d{1,6}$/.test(retries) ? Number(retries) + 1 : undefined;
}

/** A person who starts a build chooses its message. For a pull request, the message may be its title. */
function factsIn(variable: Variables, isPullRequest: boolean) {
  if (variable("BUILDKITE_SOURCE") !== "webhook") return undefined;
  return {
    message: isPullRequest ? undefined : variable("BUILDKITE_MESSAGE"),
    author: signature(variable("BUILDKITE_BUILD_AUTHOR"), variable("BUILDKITE_BUILD_AUTHOR_EMAIL")),
  };
}

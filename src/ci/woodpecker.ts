import { asCommitSha } from "../github/api/commit-facts.ts";
import { commitPages, pullRequestOf, webAddressOf } from "./remote.ts";
import { type CiSystem, positive, type Variables } from "./variables.ts";

/**
 * Woodpecker CI.
 *
 * | Fact | Variables |
 * | --- | --- |
 * | commit | `CI_COMMIT_SHA` |
 * | branch | `CI_COMMIT_BRANCH`, if `CI_PIPELINE_EVENT` is a push, a schedule or a manual run; a pull request may be of a fork |
 * | pull request | `CI_COMMIT_PULL_REQUEST` |
 * | repository | `CI_REPO`, `CI_REPO_URL`, `CI_REPO_REMOTE_ID`, `CI_FORGE_TYPE` |
 * | run | `CI_PIPELINE_NUMBER`, `CI_PIPELINE_URL` |
 * | actor | `CI_PIPELINE_AUTHOR` |
 * | commit facts | `CI_COMMIT_MESSAGE`, for pushes |
 * | clone | `CI_WORKSPACE` |
 */
export const woodpecker: CiSystem = {
  name: "woodpecker",
  advice: {
    commit: "Pass CI_COMMIT_SHA to this command.",
    repository: "Pass CI_REPO and CI_REPO_URL to this command.",
    run: "Pass CI_PIPELINE_URL to this command.",
    history: "Set partial: false and depth: 0 in the settings of the clone step.",
  },
  detect: (variable) => variable("CI") === "woodpecker" || variable("CI_SYSTEM_NAME") === "woodpecker",
  read(variable) {
    const repository = repositoryIn(variable);
    const number = positive(variable("CI_COMMIT_PULL_REQUEST"));
    const event = variable("CI_PIPELINE_EVENT") ?? "";
    const isForgejo = repository && ["forgejo", "gitea"].includes(variable("CI_FORGE_TYPE") ?? "");
    return {
      commit: asCommitSha(variable("CI_COMMIT_SHA")),
      branch: ["push", "cron", "manual"].includes(event) ? variable("CI_COMMIT_BRANCH") : undefined,
      pullRequest: pullRequestOf(
        number,
        repository,
        isForgejo ? `${repository.url}/pulls/${number}` : undefined,
      ),
      repository,
      run: { id: variable("CI_PIPELINE_NUMBER"), url: variable("CI_PIPELINE_URL") },
      actor: variable("CI_PIPELINE_AUTHOR"),
      workspace: variable("CI_WORKSPACE"),
      // For other events, the message is the title of a pull request or names the tag.
      facts: event === "push" ? { message: variable("CI_COMMIT_MESSAGE") } : undefined,
      commitPages: commitPages(repository),
    };
  },
};

/** Forges that have a provider of their own. */
const PROVIDERS: Readonly<Record<string, string>> = {
  github: "github",
  gitlab: "gitlab",
  bitbucket: "bitbucket_cloud",
  bitbucket_dc: "bitbucket_dc",
};

function repositoryIn(variable: Variables) {
  const [name, url] = [variable("CI_REPO"), webAddressOf(variable("CI_REPO_URL"))?.href];
  if (name === undefined || url === undefined) return undefined;
  const provider = PROVIDERS[variable("CI_FORGE_TYPE") ?? ""] ?? "git";
  return { name, url, id: variable("CI_REPO_REMOTE_ID"), provider };
}

import { type Environment, HEAD, testContexts, without } from "./contexts.ts";

/** The step of a push, for a repository at Forgejo. */
const push: Environment = {
  CI: "woodpecker",
  CI_SYSTEM_NAME: "woodpecker",
  CI_SYSTEM_URL: "https://ci.example",
  CI_FORGE_TYPE: "forgejo",
  CI_FORGE_URL: "https://git.example",
  CI_REPO: "acme/web",
  CI_REPO_REMOTE_ID: "82",
  CI_REPO_URL: "https://git.example/acme/web",
  CI_REPO_CLONE_URL: "https://git.example/acme/web.git",
  CI_COMMIT_SHA: HEAD,
  CI_COMMIT_REF: "refs/heads/main",
  CI_COMMIT_BRANCH: "main",
  CI_COMMIT_MESSAGE: "Sell more\n",
  CI_COMMIT_AUTHOR: "ada",
  CI_PIPELINE_EVENT: "push",
  CI_PIPELINE_NUMBER: "90",
  CI_PIPELINE_URL: "https://ci.example/repos/7/pipeline/90",
  CI_PIPELINE_AUTHOR: "ada",
  CI_WORKSPACE: "/woodpecker/src/git.example/acme/web",
};

const pullRequestStep: Environment = {
  ...push,
  CI_COMMIT_REF: "refs/pull/7/head",
  CI_COMMIT_SOURCE_BRANCH: "main",
  CI_COMMIT_TARGET_BRANCH: "main",
  CI_COMMIT_PULL_REQUEST: "7",
  CI_COMMIT_MESSAGE: "Add a basket",
  CI_PIPELINE_EVENT: "pull_request",
};

const facts = {
  commit: HEAD,
  branch: "main",
  repository: { name: "acme/web", url: "https://git.example/acme/web", id: "82", provider: "git" },
  run: { id: "90", url: "https://ci.example/repos/7/pipeline/90" },
  actor: "ada",
  workspace: "/woodpecker/src/git.example/acme/web",
  facts: { message: "Sell more\n" },
  commitPages: "https://git.example/acme/web/commit/",
};
const ofPullRequest = {
  ...facts,
  branch: undefined,
  facts: undefined,
  pullRequest: { number: 7, url: "https://git.example/acme/web/pulls/7" },
};

/** The pull request of a repository at another forge. */
const at = (forge: string, provider: string, commits: string, pulls: string | undefined) => ({
  job: `a pull request at a forge of the type ${forge}`,
  variables: { ...pullRequestStep, CI_FORGE_TYPE: forge },
  facts: {
    ...ofPullRequest,
    repository: { ...facts.repository, provider },
    commitPages: `https://git.example/acme/web/${commits}/`,
    pullRequest: { number: 7, url: pulls && `https://git.example/acme/web/${pulls}/7` },
  },
});

testContexts("a step of Woodpecker", "woodpecker", [
  { job: "a push", variables: push, facts },
  {
    job: "a tag, whose message is Woodpecker's",
    variables: {
      ...push,
      CI_COMMIT_REF: "refs/tags/v1",
      CI_COMMIT_TAG: "v1",
      CI_COMMIT_MESSAGE: "created tag v1",
      CI_PIPELINE_EVENT: "tag",
    },
    facts: { ...facts, branch: undefined, facts: undefined },
  },
  { job: "a pull request, whose branch may be a fork's", variables: pullRequestStep, facts: ofPullRequest },
  at("gitea", "git", "commit", "pulls"),
  at("github", "github", "commit", "pull"),
  at("gitlab", "gitlab", "-/commit", "-/merge_requests"),
  at("bitbucket", "bitbucket_cloud", "commits", "pull-requests"),
  at("bitbucket_dc", "bitbucket_dc", "commits", "pull-requests"),
  at("addon", "git", "commit", undefined),
  {
    job: "a schedule",
    variables: { ...push, CI_PIPELINE_EVENT: "cron", CI_COMMIT_MESSAGE: "nightly" },
    facts: { ...facts, facts: undefined },
  },
  {
    job: "a deployment, which may be of a tag",
    variables: { ...push, CI_PIPELINE_EVENT: "deployment" },
    facts: { ...facts, branch: undefined, facts: undefined },
  },
  {
    job: "a step that set CI itself",
    variables: { ...push, CI: "true" },
    facts,
  },
  {
    job: "a container that got only some variables",
    variables: without({ CI: "woodpecker", CI_COMMIT_SHA: HEAD, CI_REPO: "acme/web" }),
    facts: { commit: HEAD },
  },
]);

import { type Environment, HEAD, testContexts, without } from "./contexts.ts";

/** The job of a push. The variables are also GitHub's. */
const push: Environment = {
  CI: "true",
  FORGEJO_ACTIONS: "true",
  GITEA_ACTIONS: "true",
  GITHUB_ACTIONS: "true",
  GITHUB_ACTOR: "ada",
  GITHUB_API_URL: "https://git.example/api/v1",
  GITHUB_EVENT_NAME: "push",
  GITHUB_REF: "refs/heads/main",
  GITHUB_REPOSITORY: "acme/web",
  GITHUB_RUN_ID: "9001",
  GITHUB_RUN_NUMBER: "90",
  GITHUB_SERVER_URL: "https://git.example",
  GITHUB_SHA: HEAD,
  GITHUB_WORKSPACE: "/workspace/acme/web",
};

const repository = {
  id: 82,
  full_name: "acme/web",
  html_url: "https://git.example/acme/web",
  description: "",
};
const pushed = {
  after: HEAD,
  repository,
  head_commit: {
    id: HEAD,
    message: "Sell more\n",
    timestamp: "2023-11-15T03:43:20+05:30",
    author: { name: "Ada Lovelace", email: "ada@example.com", username: "ada" },
  },
};

const pullRequestJob: Environment = {
  ...push,
  GITHUB_EVENT_NAME: "pull_request",
  GITHUB_BASE_REF: "main",
  GITHUB_HEAD_REF: "feature/basket",
  GITHUB_REF: "refs/pull/7/head",
};
const proposed = (fullName: string, ref: string) => ({
  number: 7,
  repository,
  pull_request: {
    number: 7,
    head: {
      sha: HEAD,
      ref,
      repo: { full_name: fullName, owner: { login: fullName.split("/")[0] } },
    },
  },
});

const facts = {
  commit: HEAD,
  branch: "main",
  repository: { name: "acme/web", url: "https://git.example/acme/web", id: "82", provider: "git" },
  run: { id: "9001", url: "https://git.example/acme/web/actions/runs/90" },
  actor: "ada",
  workspace: "/workspace/acme/web",
  facts: {
    message: "Sell more\n",
    author: "Ada Lovelace <ada@example.com>",
    authorUsername: "ada",
    timestamp: 1_700_000_000,
  },
  commitPages: "https://git.example/acme/web/commit/",
};
const ofPullRequest = {
  ...facts,
  branch: "feature/basket",
  facts: {},
  pullRequest: { number: 7, url: "https://git.example/acme/web/pulls/7" },
};

testContexts("a job of Forgejo or Gitea", "forgejo", [
  { job: "a push", variables: push, event: pushed, facts },
  {
    job: "a push at Gitea, which has a variable of its own",
    variables: without(push, "FORGEJO_ACTIONS"),
    event: pushed,
    facts,
  },
  {
    job: "a push whose payload cannot be read",
    variables: push,
    facts: { ...facts, repository: { ...facts.repository, id: undefined }, facts: {} },
  },
  {
    job: "a tag, which has no branch",
    variables: { ...push, GITHUB_REF: "refs/tags/v1" },
    event: pushed,
    facts: { ...facts, branch: undefined },
  },
  {
    job: "a pull request",
    variables: pullRequestJob,
    event: proposed("acme/web", "feature/basket"),
    facts: ofPullRequest,
  },
  {
    job: "a pull request of a fork",
    variables: pullRequestJob,
    event: proposed("linus/web", "main"),
    facts: { ...ofPullRequest, branch: "linus:main" },
  },
  {
    job: "a pull request whose payload cannot be read, so that its branch may be a fork's",
    variables: pullRequestJob,
    facts: { ...ofPullRequest, branch: undefined, repository: { ...facts.repository, id: undefined } },
  },
  {
    job: "a repository with an ID and a description",
    variables: { ...push, GITHUB_REPOSITORY_ID: "82" },
    event: { ...pushed, repository: { ...repository, description: "The shop" } },
    facts: { ...facts, repository: { ...facts.repository, description: "The shop" } },
  },
  {
    job: "a payload about another repository",
    variables: push,
    event: { ...pushed, repository: { ...repository, full_name: "acme/other" } },
    facts: { ...facts, repository: { ...facts.repository, id: undefined } },
  },
  {
    job: "a host below a path, and a second attempt",
    variables: { ...push, GITHUB_SERVER_URL: "https://git.example/forge/", GITHUB_RUN_ATTEMPT: "2" },
    event: pushed,
    facts: {
      ...facts,
      repository: { ...facts.repository, url: "https://git.example/forge/acme/web" },
      run: { id: "9001", url: "https://git.example/forge/acme/web/actions/runs/90", attempt: 2 },
      commitPages: "https://git.example/forge/acme/web/commit/",
    },
  },
  {
    job: "a container that got only some variables",
    variables: { FORGEJO_ACTIONS: "true", GITHUB_SHA: HEAD },
    facts: { commit: HEAD, facts: {} },
  },
]);

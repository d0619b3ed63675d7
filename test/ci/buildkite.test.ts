import { type Environment, HEAD, testContexts, without } from "./contexts.ts";

/** The job of a build that a push started. */
const push: Environment = {
  CI: "true",
  BUILDKITE: "true",
  BUILDKITE_BRANCH: "main",
  BUILDKITE_BUILD_AUTHOR: "Ada Lovelace",
  BUILDKITE_BUILD_AUTHOR_EMAIL: "ada@example.com",
  BUILDKITE_BUILD_CHECKOUT_PATH: "/var/lib/buildkite-agent/builds/agent-1/acme/web",
  BUILDKITE_BUILD_CREATOR: "Ada Lovelace",
  BUILDKITE_BUILD_ID: "4735ba57-80d0-46e2-8fa0-b28223a86586",
  BUILDKITE_BUILD_NUMBER: "90",
  BUILDKITE_BUILD_URL: "https://buildkite.com/acme/web/builds/90",
  BUILDKITE_COMMIT: HEAD,
  BUILDKITE_JOB_ID: "e44f9784-e20e-4b93-a21d-f41fd5869db9",
  BUILDKITE_MESSAGE: "Sell more",
  BUILDKITE_ORGANIZATION_SLUG: "acme",
  BUILDKITE_PIPELINE_PROVIDER: "github",
  BUILDKITE_PULL_REQUEST: "false",
  BUILDKITE_PULL_REQUEST_REPO: "",
  BUILDKITE_REPO: "git@github.com:acme/web.git",
  BUILDKITE_RETRY_COUNT: "0",
  BUILDKITE_SOURCE: "webhook",
  BUILDKITE_TAG: "",
};

const pullRequestBuild: Environment = {
  ...push,
  BUILDKITE_BRANCH: "feature/basket",
  BUILDKITE_MESSAGE: "Add a basket",
  BUILDKITE_PULL_REQUEST: "7",
  BUILDKITE_PULL_REQUEST_BASE_BRANCH: "main",
  BUILDKITE_PULL_REQUEST_REPO: "git://github.com/acme/web.git",
};

const author = "Ada Lovelace <ada@example.com>";
const facts = {
  commit: HEAD,
  branch: "main",
  repository: { name: "acme/web", url: "https://github.com/acme/web", provider: "github" },
  run: {
    id: "4735ba57-80d0-46e2-8fa0-b28223a86586",
    url: "https://buildkite.com/acme/web/builds/90#e44f9784-e20e-4b93-a21d-f41fd5869db9",
    attempt: 1,
  },
  actor: "Ada Lovelace",
  workspace: "/var/lib/buildkite-agent/builds/agent-1/acme/web",
  facts: { message: "Sell more", author },
  commitPages: "https://github.com/acme/web/commit/",
};
const ofPullRequest = {
  ...facts,
  branch: "feature/basket",
  pullRequest: { number: 7, url: "https://github.com/acme/web/pull/7" },
  facts: { author },
};

/** The job of a repository at a self-managed host. */
const hosted = (type: string, provider: string, commits: string) => ({
  job: `a self-managed host of the type ${type}`,
  variables: {
    ...push,
    BUILDKITE_PIPELINE_PROVIDER: type,
    BUILDKITE_REPO: "ssh://git@code.example:7999/shop/web.git",
  },
  facts: {
    ...facts,
    repository: { name: "shop/web", url: "https://code.example/shop/web", provider },
    commitPages: `https://code.example/shop/web/${commits}/`,
  },
});

testContexts("a job of Buildkite", "buildkite", [
  { job: "a push", variables: push, facts },
  {
    job: "a tag, whose name is also that of the branch",
    variables: { ...push, BUILDKITE_BRANCH: "v1", BUILDKITE_TAG: "v1" },
    facts: { ...facts, branch: undefined },
  },
  { job: "a pull request", variables: pullRequestBuild, facts: ofPullRequest },
  {
    job: "a pull request of a fork, as Buildkite names its branch",
    variables: {
      ...pullRequestBuild,
      BUILDKITE_BRANCH: "linus:main",
      BUILDKITE_PULL_REQUEST_REPO: "git://github.com/linus/web.git",
    },
    facts: { ...ofPullRequest, branch: "linus:main" },
  },
  {
    job: "a pull request of a fork with a plain branch",
    variables: {
      ...pullRequestBuild,
      BUILDKITE_BRANCH: "main",
      BUILDKITE_PULL_REQUEST_REPO: "https://github.com/linus/web.git",
    },
    facts: { ...ofPullRequest, branch: "linus:main" },
  },
  {
    job: "a build that a person started, whose message and commit are theirs to choose",
    variables: {
      ...push,
      BUILDKITE_COMMIT: "HEAD",
      BUILDKITE_MESSAGE: "Please work",
      BUILDKITE_SOURCE: "ui",
    },
    facts: { ...facts, commit: undefined, facts: undefined },
  },
  {
    job: "the second retry",
    variables: { ...push, BUILDKITE_RETRY_COUNT: "2" },
    facts: { ...facts, run: { ...facts.run, attempt: 3 } },
  },
  hosted("github_enterprise", "github", "commit"),
  hosted("gitlab_ee", "gitlab", "-/commit"),
  hosted("private", "git", "commit"),
  {
    job: "an author without an address",
    variables: without(push, "BUILDKITE_BUILD_AUTHOR_EMAIL"),
    facts: { ...facts, facts: { message: "Sell more", author: "Ada Lovelace" } },
  },
  {
    job: "a container that got only some variables",
    variables: { BUILDKITE: "true", BUILDKITE_COMMIT: HEAD, BUILDKITE_BUILD_URL: facts.run.url },
    facts: { commit: HEAD, run: { url: facts.run.url } },
  },
]);

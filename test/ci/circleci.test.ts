import { type Environment, HEAD, testContexts, without } from "./contexts.ts";

/** The job of a push, in a project that is connected by OAuth. */
const push: Environment = {
  CI: "true",
  CIRCLECI: "true",
  CIRCLE_BRANCH: "main",
  CIRCLE_BUILD_NUM: "90",
  CIRCLE_BUILD_URL: "https://circleci.com/gh/acme/web/90",
  CIRCLE_JOB: "build",
  CIRCLE_PROJECT_REPONAME: "web",
  CIRCLE_PROJECT_USERNAME: "acme",
  CIRCLE_REPOSITORY_URL: "git@github.com:acme/web.git",
  CIRCLE_SHA1: HEAD,
  CIRCLE_USERNAME: "ada",
  CIRCLE_WORKFLOW_ID: "6d9bb71c-be3a-4659-bf27-60954180619b",
  CIRCLE_WORKING_DIRECTORY: "~/project",
  HOME: "/home/circleci",
};

const facts = {
  commit: HEAD,
  branch: "main",
  repository: { name: "acme/web", url: "https://github.com/acme/web", provider: "github" },
  run: { id: "6d9bb71c-be3a-4659-bf27-60954180619b", url: "https://circleci.com/gh/acme/web/90" },
  actor: "ada",
  workspace: "/home/circleci/project",
  commitPages: "https://github.com/acme/web/commit/",
};
const pullRequest = { number: 7, url: "https://github.com/acme/web/pull/7" };

/** The job of a repository at another host. */
const at = (address: string, name: string, url: string, provider: string, commitPages: string) => ({
  job: `a repository at ${address}`,
  variables: { ...push, CIRCLE_REPOSITORY_URL: address },
  facts: { ...facts, repository: { name, url, provider }, commitPages },
});

testContexts("a job of CircleCI", "circleci", [
  { job: "a push", variables: push, facts },
  {
    job: "a tag, which has no branch",
    variables: { ...without(push, "CIRCLE_BRANCH"), CIRCLE_TAG: "v1" },
    facts: { ...facts, branch: undefined },
  },
  {
    job: "a branch with a pull request",
    variables: {
      ...push,
      CIRCLE_BRANCH: "feature/basket",
      CIRCLE_PULL_REQUEST: "https://github.com/acme/web/pull/7",
      CIRCLE_PULL_REQUESTS: "https://github.com/acme/web/pull/7",
    },
    facts: { ...facts, branch: "feature/basket", pullRequest },
  },
  {
    job: "a pull request of a fork, whose branch is unknown",
    variables: {
      ...push,
      CIRCLE_BRANCH: "pull/7",
      CIRCLE_PR_NUMBER: "7",
      CIRCLE_PR_REPONAME: "web",
      CIRCLE_PR_USERNAME: "linus",
      CIRCLE_PULL_REQUEST: "https://github.com/acme/web/pull/7",
    },
    facts: { ...facts, branch: undefined, pullRequest },
  },
  {
    job: "a pull request of a fork without its address",
    variables: { ...push, CIRCLE_BRANCH: "pull/7", CIRCLE_PR_NUMBER: "7" },
    facts: { ...facts, branch: undefined, pullRequest },
  },
  at(
    "https://x-access-token:secret@github.com/acme/web.git",
    "acme/web",
    "https://github.com/acme/web",
    "github",
    "https://github.com/acme/web/commit/",
  ),
  at(
    "git@bitbucket.org:acme/web.git",
    "acme/web",
    "https://bitbucket.org/acme/web",
    "bitbucket_cloud",
    "https://bitbucket.org/acme/web/commits/",
  ),
  at(
    "git@gitlab.com:acme/shop/web.git",
    "acme/shop/web",
    "https://gitlab.com/acme/shop/web",
    "gitlab",
    "https://gitlab.com/acme/shop/web/-/commit/",
  ),
  at(
    "ssh://git@code.example:2222/acme/web.git",
    "acme/web",
    "https://code.example/acme/web",
    "circleci",
    "https://code.example/acme/web/commit/",
  ),
  {
    job: "a project of the GitHub App, which has no variable of the repository",
    variables: without(
      push,
      ...["CIRCLE_REPOSITORY_URL", "CIRCLE_PROJECT_REPONAME", "CIRCLE_PROJECT_USERNAME", "CIRCLE_USERNAME"],
    ),
    facts: { ...facts, repository: undefined, commitPages: undefined, actor: undefined },
  },
  {
    job: "a working directory that is absolute",
    variables: { ...push, CIRCLE_WORKING_DIRECTORY: "/work/~/web" },
    facts: { ...facts, workspace: "/work/~/web" },
  },
  {
    job: "a container that got only some variables",
    variables: { CIRCLECI: "true", CIRCLE_SHA1: HEAD },
    facts: { commit: HEAD },
  },
]);

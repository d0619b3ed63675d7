import { type Environment, HEAD, type RecordedContext, testContexts, without } from "./contexts.ts";

/** The step of a push to a branch. */
const push: Environment = {
  CI: "true",
  BITBUCKET_BUILD_NUMBER: "90",
  BITBUCKET_CLONE_DIR: "/opt/atlassian/pipelines/agent/build",
  BITBUCKET_COMMIT: HEAD,
  BITBUCKET_BRANCH: "main",
  BITBUCKET_WORKSPACE: "acme",
  BITBUCKET_REPO_SLUG: "web",
  BITBUCKET_REPO_FULL_NAME: "acme/web",
  BITBUCKET_REPO_UUID: "{b5dc1bff-2c8a-4b43-9b0e-000000004711}",
  BITBUCKET_GIT_HTTP_ORIGIN: "http://bitbucket.org/acme/web",
  BITBUCKET_GIT_SSH_ORIGIN: "git@bitbucket.org:acme/web.git",
  BITBUCKET_PROJECT_KEY: "SHOP",
  BITBUCKET_PROJECT_UUID: "{0c9a1a3e-0000-4000-8000-000000000001}",
  BITBUCKET_STEP_UUID: "{7d3f0a64-0000-4000-8000-000000000002}",
  BITBUCKET_STEP_TRIGGERER_UUID: "{11111111-0000-4000-8000-000000000003}",
};

const facts = {
  commit: HEAD,
  branch: "main",
  repository: {
    name: "acme/web",
    url: "https://bitbucket.org/acme/web",
    id: "{b5dc1bff-2c8a-4b43-9b0e-000000004711}",
    provider: "bitbucket_cloud",
    namespacePath: ["acme"],
    additionalInfo: { project_key: "SHOP" },
  },
  run: { id: "90", url: "https://bitbucket.org/acme/web/pipelines/results/90" },
  actor: "{11111111-0000-4000-8000-000000000003}",
  workspace: "/opt/atlassian/pipelines/agent/build",
  commitPages: "https://bitbucket.org/acme/web/commits/",
  codeHost: { provider: "bitbucket", repository: "acme/web" },
} satisfies RecordedContext["facts"];
const pullRequest = { number: 7, url: "https://bitbucket.org/acme/web/pull-requests/7" };

testContexts("a step of Bitbucket Pipelines", "bitbucket", [
  { job: "a push", variables: push, facts },
  {
    job: "a tag, which has no branch",
    variables: { ...without(push, "BITBUCKET_BRANCH"), BITBUCKET_TAG: "v1" },
    facts: { ...facts, branch: undefined },
  },
  {
    job: "a pull request, whose commit is the head",
    variables: {
      ...push,
      BITBUCKET_BRANCH: "feature/basket",
      BITBUCKET_PR_ID: "7",
      BITBUCKET_PR_DESTINATION_BRANCH: "main",
      BITBUCKET_PR_DESTINATION_COMMIT: "1".repeat(40),
    },
    facts: { ...facts, branch: "feature/basket", pullRequest },
  },
  {
    job: "a custom pipeline, which has no branch",
    variables: without(push, "BITBUCKET_BRANCH"),
    facts: { ...facts, branch: undefined },
  },
  {
    job: "a schedule, which no account started",
    variables: without(push, "BITBUCKET_STEP_TRIGGERER_UUID"),
    facts: { ...facts, actor: undefined },
  },
  {
    job: "a repository without a project's key",
    variables: without(push, "BITBUCKET_PROJECT_KEY"),
    facts: { ...facts, repository: { ...facts.repository, additionalInfo: undefined } },
  },
  {
    job: "a deployment",
    variables: { ...push, BITBUCKET_DEPLOYMENT_ENVIRONMENT: "production" },
    facts,
  },
  {
    job: "a parallel step",
    variables: { ...push, BITBUCKET_PARALLEL_STEP: "1", BITBUCKET_PARALLEL_STEP_COUNT: "3" },
    facts,
  },
  {
    job: "a repository whose ID is missing",
    variables: without(push, "BITBUCKET_REPO_UUID"),
    facts: { ...facts, repository: { ...facts.repository, id: undefined } },
  },
  {
    job: "a pull request ID that is no number",
    variables: { ...push, BITBUCKET_PR_ID: "seven" },
    facts,
  },
  {
    job: "a container that got only some variables",
    variables: { BITBUCKET_BUILD_NUMBER: "90", BITBUCKET_COMMIT: HEAD.toUpperCase() },
    facts: { commit: HEAD, codeHost: { provider: "bitbucket" }, run: { id: "90" } },
  },
]);

import { type Environment, HEAD, MERGE, type RecordedContext, testContexts, without } from "./contexts.ts";

/** The job of a push to the default branch. */
const push: Environment = {
  CI: "true",
  GITLAB_CI: "true",
  CI_SERVER_URL: "https://gitlab.com",
  CI_API_V4_URL: "https://gitlab.com/api/v4",
  CI_PROJECT_ID: "4711",
  CI_PROJECT_NAME: "web",
  CI_PROJECT_PATH: "acme/shop/web",
  CI_PROJECT_NAMESPACE: "acme/shop",
  CI_PROJECT_URL: "https://gitlab.com/acme/shop/web",
  CI_PROJECT_DESCRIPTION: "The shop",
  CI_PROJECT_DIR: "/builds/acme/shop/web",
  CI_REPOSITORY_URL: "https://gitlab-ci-token:secret@gitlab.com/acme/shop/web.git",
  CI_COMMIT_SHA: HEAD,
  CI_COMMIT_BRANCH: "main",
  CI_COMMIT_REF_NAME: "main",
  CI_COMMIT_MESSAGE: "Sell more\n\nMuch more.\n",
  CI_COMMIT_AUTHOR: "Ada Lovelace <ada@example.com>",
  CI_COMMIT_TIMESTAMP: "2023-11-15T03:43:20+05:30",
  CI_PIPELINE_ID: "900",
  CI_PIPELINE_SOURCE: "push",
  CI_JOB_ID: "9001",
  CI_JOB_URL: "https://gitlab.com/acme/shop/web/-/jobs/9001",
  GITLAB_USER_LOGIN: "ada",
};

const mergeRequest: Environment = {
  ...without(push, "CI_COMMIT_BRANCH"),
  CI_PIPELINE_SOURCE: "merge_request_event",
  CI_COMMIT_REF_NAME: "feature/basket",
  CI_MERGE_REQUEST_IID: "7",
  CI_MERGE_REQUEST_EVENT_TYPE: "detached",
  CI_MERGE_REQUEST_PROJECT_ID: "4711",
  CI_MERGE_REQUEST_PROJECT_PATH: "acme/shop/web",
  CI_MERGE_REQUEST_PROJECT_URL: "https://gitlab.com/acme/shop/web",
  CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "acme/shop/web",
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: "feature/basket",
  CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: "",
};

const merged: Environment = {
  ...mergeRequest,
  CI_COMMIT_SHA: MERGE,
  CI_COMMIT_MESSAGE: "Merge branch 'feature/basket' into 'main'",
  CI_MERGE_REQUEST_EVENT_TYPE: "merged_result",
  CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: HEAD,
};

const facts = {
  commit: HEAD,
  branch: "main",
  repository: {
    name: "acme/shop/web",
    url: "https://gitlab.com/acme/shop/web",
    id: "4711",
    description: "The shop",
    provider: "gitlab",
    namespacePath: ["acme", "shop"],
  },
  run: { id: "900", url: "https://gitlab.com/acme/shop/web/-/jobs/9001" },
  actor: "ada",
  workspace: "/builds/acme/shop/web",
  facts: {
    message: "Sell more\n\nMuch more.\n",
    author: "Ada Lovelace <ada@example.com>",
    timestamp: 1_700_000_000,
  },
  commitPages: "https://gitlab.com/acme/shop/web/-/commit/",
  codeHost: { provider: "gitlab", url: "https://gitlab.com/api/v4", repository: "4711" },
} satisfies RecordedContext["facts"];
const pullRequest = { number: 7, url: "https://gitlab.com/acme/shop/web/-/merge_requests/7" };
const onFeature = { ...facts, branch: "feature/basket", pullRequest };

testContexts("a job of GitLab CI/CD", "gitlab", [
  { job: "a push, in nested groups", variables: push, facts },
  {
    job: "a tag, which has no branch",
    variables: { ...without(push, "CI_COMMIT_BRANCH"), CI_COMMIT_TAG: "v1", CI_COMMIT_REF_NAME: "v1" },
    facts: { ...facts, branch: undefined },
  },
  { job: "a merge request", variables: mergeRequest, facts: onFeature },
  {
    job: "a merge request of a fork, in the parent project",
    variables: { ...mergeRequest, CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "linus/web" },
    facts: { ...onFeature, branch: "linus:feature/basket" },
  },
  {
    job: "a merge request of a fork, in the fork's own project",
    variables: {
      ...mergeRequest,
      CI_PROJECT_ID: "4712",
      CI_PROJECT_PATH: "linus/web",
      CI_PROJECT_NAMESPACE: "linus",
      CI_PROJECT_URL: "https://gitlab.com/linus/web",
      CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "linus/web",
    },
    facts: {
      ...onFeature,
      repository: {
        ...facts.repository,
        name: "linus/web",
        url: "https://gitlab.com/linus/web",
        id: "4712",
        namespacePath: ["linus"],
      },
      commitPages: "https://gitlab.com/linus/web/-/commit/",
    },
  },
  {
    job: "merged results, whose head is a commit that people see, without the facts of the merge",
    variables: merged,
    facts: { ...onFeature, facts: undefined },
  },
  {
    job: "a merge train",
    variables: { ...merged, CI_MERGE_REQUEST_EVENT_TYPE: "merge_train" },
    facts: { ...onFeature, facts: undefined },
  },
  {
    job: "merged results without the variable of their head, where no commit is better than the merge",
    variables: without(merged, "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"),
    facts: { ...onFeature, commit: undefined, facts: undefined },
  },
  {
    job: "a pull request of another code host",
    variables: {
      ...without(push, "CI_COMMIT_BRANCH"),
      CI_COMMIT_SHA: MERGE,
      CI_EXTERNAL_PULL_REQUEST_IID: "3",
      CI_EXTERNAL_PULL_REQUEST_SOURCE_REPOSITORY: "linus/web",
      CI_EXTERNAL_PULL_REQUEST_TARGET_REPOSITORY: "acme/web",
      CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_NAME: "main",
      CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_SHA: HEAD,
    },
    facts: { ...facts, branch: "linus:main", facts: undefined },
  },
  {
    job: "a self-managed instance below a path, with a port",
    variables: {
      ...push,
      CI_PROJECT_URL: "https://git.example:8443/gitlab/acme/web",
      CI_PROJECT_PATH: "acme/web",
      CI_PROJECT_NAMESPACE: "acme",
      CI_PROJECT_DESCRIPTION: "",
    },
    facts: {
      ...facts,
      repository: {
        name: "acme/web",
        url: "https://git.example:8443/gitlab/acme/web",
        id: "4711",
        provider: "gitlab",
        namespacePath: ["acme"],
      },
      commitPages: "https://git.example:8443/gitlab/acme/web/-/commit/",
    },
  },
  {
    job: "a container that got only some variables",
    variables: { GITLAB_CI: "true", CI_PROJECT_PATH: "acme/web", CI_COMMIT_SHA: HEAD },
    facts: { commit: HEAD, codeHost: { provider: "gitlab" }, facts: {} },
  },
]);

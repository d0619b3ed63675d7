import { type Environment, HEAD, testContexts, without } from "./contexts.ts";

/** The build that a webhook started for a push. */
const push: Environment = {
  AWS_REGION: "eu-west-1",
  CODEBUILD_CI: "true",
  CODEBUILD_BUILD_ARN: "arn:aws:codebuild:eu-west-1:123456789012:build/web:b1e6661e",
  CODEBUILD_BUILD_ID: "web:b1e6661e-e4f2-4156-9ab9-82a19e4c0001",
  CODEBUILD_BUILD_NUMBER: "90",
  CODEBUILD_BUILD_URL:
    "https://eu-west-1.console.aws.amazon.com/codebuild/home?region=eu-west-1#/builds/web:b1",
  CODEBUILD_INITIATOR: "GitHub-Hookshot/cd33e44",
  CODEBUILD_RESOLVED_SOURCE_VERSION: HEAD,
  CODEBUILD_SOURCE_REPO_URL: "https://github.com/acme/web.git",
  CODEBUILD_SOURCE_VERSION: HEAD,
  CODEBUILD_SRC_DIR: "/codebuild/output/src123/src/github.com/acme/web",
  CODEBUILD_WEBHOOK_EVENT: "PUSH",
  CODEBUILD_WEBHOOK_HEAD_REF: "refs/heads/main",
  CODEBUILD_WEBHOOK_TRIGGER: "branch/main",
};

const byHand = without(
  push,
  "CODEBUILD_WEBHOOK_EVENT",
  "CODEBUILD_WEBHOOK_HEAD_REF",
  "CODEBUILD_WEBHOOK_TRIGGER",
);

const facts = {
  commit: HEAD,
  branch: "main",
  repository: { name: "acme/web", url: "https://github.com/acme/web", provider: "github" },
  run: {
    id: "web:b1e6661e-e4f2-4156-9ab9-82a19e4c0001",
    url: "https://eu-west-1.console.aws.amazon.com/codebuild/home?region=eu-west-1#/builds/web:b1",
  },
  actor: "GitHub-Hookshot/cd33e44",
  workspace: "/codebuild/output/src123/src/github.com/acme/web",
  commitPages: "https://github.com/acme/web/commit/",
};
const nowhere = { repository: undefined, commitPages: undefined, branch: undefined };

testContexts("a build of AWS CodeBuild", "codebuild", [
  { job: "a push", variables: push, facts },
  {
    job: "a push without the full name of its branch",
    variables: without(push, "CODEBUILD_WEBHOOK_HEAD_REF"),
    facts,
  },
  {
    job: "a tag, which has no branch",
    variables: {
      ...push,
      CODEBUILD_WEBHOOK_HEAD_REF: "refs/tags/v1",
      CODEBUILD_WEBHOOK_TRIGGER: "tag/v1",
    },
    facts: { ...facts, branch: undefined },
  },
  {
    job: "a pull request, whose branch may be a fork's",
    variables: {
      ...push,
      CODEBUILD_SOURCE_VERSION: "pr/7",
      CODEBUILD_WEBHOOK_EVENT: "PULL_REQUEST_CREATED",
      CODEBUILD_WEBHOOK_HEAD_REF: "refs/heads/main",
      CODEBUILD_WEBHOOK_TRIGGER: "pr/7",
    },
    facts: {
      ...facts,
      branch: undefined,
      pullRequest: { number: 7, url: "https://github.com/acme/web/pull/7" },
    },
  },
  {
    job: "a pull request that a person built",
    variables: { ...byHand, CODEBUILD_SOURCE_VERSION: "pr/7" },
    facts: {
      ...facts,
      branch: undefined,
      pullRequest: { number: 7, url: "https://github.com/acme/web/pull/7" },
    },
  },
  {
    job: "a branch that a person built by its full name",
    variables: { ...byHand, CODEBUILD_SOURCE_VERSION: `refs/heads/main^{${HEAD}}` },
    facts,
  },
  {
    job: "a name that may be a branch or a tag",
    variables: { ...byHand, CODEBUILD_SOURCE_VERSION: "main" },
    facts: { ...facts, branch: undefined },
  },
  {
    job: "a repository at Bitbucket",
    variables: { ...push, CODEBUILD_SOURCE_REPO_URL: "https://user:secret@bitbucket.org/acme/web.git" },
    facts: {
      ...facts,
      repository: {
        name: "acme/web",
        url: "https://bitbucket.org/acme/web",
        provider: "bitbucket_cloud",
      },
      commitPages: "https://bitbucket.org/acme/web/commits/",
    },
  },
  {
    job: "CodePipeline, which has no repository",
    variables: {
      ...byHand,
      CODEBUILD_INITIATOR: "codepipeline/web",
      CODEBUILD_SOURCE_REPO_URL: "",
      CODEBUILD_SOURCE_VERSION: "arn:aws:s3:::bucket/web/source/abc.zip",
    },
    facts: { ...facts, ...nowhere, actor: "codepipeline/web" },
  },
  {
    job: "a source in S3, which has no commit",
    variables: {
      ...byHand,
      CODEBUILD_RESOLVED_SOURCE_VERSION: "",
      CODEBUILD_SOURCE_REPO_URL: "s3://bucket/web.zip",
      CODEBUILD_SOURCE_VERSION: "L4kqtJlcpXroDTDmpUMLUo",
    },
    facts: { ...facts, ...nowhere, commit: undefined },
  },
  {
    job: "a container that got only some variables",
    variables: { CODEBUILD_BUILD_ID: "web:b1", CODEBUILD_RESOLVED_SOURCE_VERSION: HEAD },
    facts: { commit: HEAD, run: { id: "web:b1" } },
  },
]);

import { type Environment, HEAD, testContexts, without } from "./contexts.ts";

/** The build of a branch of a multibranch pipeline. */
const push: Environment = {
  CI: "true",
  JENKINS_URL: "https://jenkins.example/",
  JOB_NAME: "web/main",
  BUILD_NUMBER: "90",
  BUILD_URL: "https://jenkins.example/job/web/job/main/90/",
  BRANCH_NAME: "main",
  GIT_BRANCH: "main",
  GIT_COMMIT: HEAD,
  GIT_URL: "https://github.com/acme/web.git",
  GIT_AUTHOR_NAME: "Jenkins",
  WORKSPACE: "/var/lib/jenkins/workspace/web_main",
};

const change: Environment = {
  ...push,
  BRANCH_NAME: "PR-7",
  GIT_BRANCH: "PR-7",
  CHANGE_ID: "7",
  CHANGE_BRANCH: "feature/basket",
  CHANGE_TARGET: "main",
  CHANGE_AUTHOR: "ada",
  CHANGE_URL: "https://github.com/acme/web/pull/7",
};

const facts = {
  commit: HEAD,
  branch: "main",
  repository: { name: "acme/web", url: "https://github.com/acme/web", provider: "github" },
  run: { id: "90", url: "https://jenkins.example/job/web/job/main/90/" },
  workspace: "/var/lib/jenkins/workspace/web_main",
  commitPages: "https://github.com/acme/web/commit/",
};
const ofChange = {
  ...facts,
  branch: "feature/basket",
  pullRequest: { number: 7, url: "https://github.com/acme/web/pull/7" },
};

testContexts("a build of Jenkins", "jenkins", [
  { job: "a branch of a multibranch pipeline", variables: push, facts },
  {
    job: "a branch of a freestyle project, with the name of the remote",
    variables: { ...without(push, "BRANCH_NAME"), GIT_BRANCH: "origin/feature/basket" },
    facts: { ...facts, branch: "feature/basket" },
  },
  {
    job: "a checkout of a commit, which has no branch",
    variables: { ...without(push, "BRANCH_NAME"), GIT_BRANCH: "detached" },
    facts: { ...facts, branch: undefined },
  },
  {
    job: "a tag, whose name is also that of the branch",
    variables: { ...push, BRANCH_NAME: "v1", GIT_BRANCH: "v1", TAG_NAME: "v1" },
    facts: { ...facts, branch: undefined },
  },
  { job: "a pull request", variables: change, facts: ofChange },
  {
    job: "a pull request of a fork",
    variables: { ...change, CHANGE_FORK: "linus/web", CHANGE_BRANCH: "main" },
    facts: { ...ofChange, branch: "linus:main" },
  },
  {
    job: "a pull request of a fork that Jenkins names only by its owner",
    variables: { ...change, CHANGE_FORK: "linus", CHANGE_BRANCH: "main" },
    facts: { ...ofChange, branch: "linus:main" },
  },
  {
    job: "a pull request whose branch is unknown",
    variables: without(change, "CHANGE_BRANCH", "CHANGE_URL"),
    facts: { ...ofChange, branch: undefined },
  },
  {
    job: "a pull request of Bitbucket Data Center",
    variables: {
      ...without(change, "CHANGE_URL"),
      GIT_URL: "https://bitbucket.example/scm/SHOP/web.git",
    },
    facts: {
      ...ofChange,
      repository: {
        name: "SHOP/web",
        url: "https://bitbucket.example/projects/SHOP/repos/web",
        provider: "bitbucket_dc",
      },
      pullRequest: {
        number: 7,
        url: "https://bitbucket.example/projects/SHOP/repos/web/pull-requests/7",
      },
      commitPages: "https://bitbucket.example/projects/SHOP/repos/web/commits/",
    },
  },
  {
    job: "several remotes, of which the first counts, with the account that started the build",
    variables: {
      ...without(push, "GIT_URL"),
      GIT_URL_1: "git@github.com:acme/web.git",
      BUILD_USER_ID: "ada",
    },
    facts: { ...facts, actor: "ada" },
  },
  {
    job: "a Jenkins that does not know its address",
    variables: { ...push, BUILD_URL: "null/job/web/job/main/90/" },
    facts: { ...facts, run: { id: "90" } },
  },
  {
    job: "a pipeline before its checkout",
    variables: { JENKINS_HOME: "/var/lib/jenkins", BUILD_NUMBER: "90" },
    facts: { run: { id: "90" } },
  },
]);

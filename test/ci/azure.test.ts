import { type Environment, HEAD, MERGE, type RecordedContext, testContexts, without } from "./contexts.ts";

/** The job of a push, in Azure DevOps Services. */
const push: Environment = {
  TF_BUILD: "True",
  SYSTEM_COLLECTIONURI: "https://dev.azure.com/acme/",
  SYSTEM_TEAMPROJECT: "Web Shop",
  SYSTEM_HOSTTYPE: "build",
  SYSTEM_JOBATTEMPT: "2",
  BUILD_BUILDID: "900",
  BUILD_BUILDNUMBER: "20231115.1",
  BUILD_REASON: "IndividualCI",
  BUILD_REPOSITORY_ID: "3b5d7f16-7f6c-4a41-9c5b-6e9d1c2a4711",
  BUILD_REPOSITORY_NAME: "web",
  BUILD_REPOSITORY_PROVIDER: "TfsGit",
  BUILD_REPOSITORY_URI: "https://acme@dev.azure.com/acme/Web%20Shop/_git/web",
  BUILD_REQUESTEDFOR: "Ada Lovelace",
  BUILD_SOURCEBRANCH: "refs/heads/feature/basket",
  BUILD_SOURCEBRANCHNAME: "basket",
  BUILD_SOURCESDIRECTORY: "/home/vsts/work/1/s",
  BUILD_SOURCEVERSION: HEAD,
  BUILD_SOURCEVERSIONMESSAGE: "Sell more",
};

const pullRequestBuild: Environment = {
  ...push,
  BUILD_REASON: "PullRequest",
  BUILD_SOURCEBRANCH: "refs/pull/7/merge",
  BUILD_SOURCEBRANCHNAME: "merge",
  BUILD_SOURCEVERSION: MERGE,
  BUILD_SOURCEVERSIONMESSAGE: "Merge pull request 7 from feature/basket into main",
  SYSTEM_PULLREQUEST_ISFORK: "False",
  SYSTEM_PULLREQUEST_PULLREQUESTID: "7",
  SYSTEM_PULLREQUEST_SOURCEBRANCH: "refs/heads/feature/basket",
  SYSTEM_PULLREQUEST_SOURCECOMMITID: HEAD,
  SYSTEM_PULLREQUEST_SOURCEREPOSITORYURI: "https://acme@dev.azure.com/acme/Web%20Shop/_git/web",
  SYSTEM_PULLREQUEST_TARGETBRANCH: "refs/heads/main",
};

const onGitHub: Environment = {
  BUILD_REPOSITORY_ID: "acme/web",
  BUILD_REPOSITORY_NAME: "acme/web",
  BUILD_REPOSITORY_PROVIDER: "GitHub",
  BUILD_REPOSITORY_URI: "https://github.com/acme/web",
};

const own = "https://dev.azure.com/acme/Web%20Shop/_git/web";
const facts = {
  commit: HEAD,
  branch: "feature/basket",
  repository: {
    name: "acme/Web Shop/web",
    url: own,
    id: "3b5d7f16-7f6c-4a41-9c5b-6e9d1c2a4711",
    provider: "azure_devops_services",
    namespacePath: ["acme", "Web Shop"],
  },
  run: { id: "900", url: "https://dev.azure.com/acme/Web%20Shop/_build/results?buildId=900", attempt: 2 },
  actor: "Ada Lovelace",
  workspace: "/home/vsts/work/1/s",
  facts: { message: "Sell more" },
  commitPages: `${own}/commit/`,
  codeHost: { provider: "azure", url: "https://dev.azure.com/acme/", repository: "Web Shop/web" },
} satisfies RecordedContext["facts"];
const ofPullRequest = { ...facts, facts: undefined, pullRequest: { number: 7, url: `${own}/pullrequest/7` } };
const github = { name: "acme/web", url: "https://github.com/acme/web", provider: "github" };
const gitHubFacts = {
  repository: github,
  commitPages: "https://github.com/acme/web/commit/",
  codeHost: undefined,
};

testContexts("a job of Azure Pipelines", "azure", [
  { job: "a push", variables: push, facts },
  {
    job: "a step that got the token of its job",
    variables: { ...push, SYSTEM_ACCESSTOKEN: "secret" },
    facts: { ...facts, codeHost: { ...facts.codeHost, token: "secret" } },
  },
  {
    job: "a tag, which has no branch",
    variables: { ...push, BUILD_SOURCEBRANCH: "refs/tags/v1", BUILD_SOURCEBRANCHNAME: "v1" },
    facts: { ...facts, branch: undefined },
  },
  {
    job: "a message that Azure has cut",
    variables: { ...push, BUILD_SOURCEVERSIONMESSAGE: "x".repeat(200) },
    facts: { ...facts, facts: { message: `${"x".repeat(200)}…` } },
  },
  { job: "a pull request, whose build is of a merge", variables: pullRequestBuild, facts: ofPullRequest },
  {
    job: "a pull request without the variable of its head, where no commit is better than the merge",
    variables: without(pullRequestBuild, "SYSTEM_PULLREQUEST_SOURCECOMMITID"),
    facts: { ...ofPullRequest, commit: undefined },
  },
  {
    job: "a pull request of a fork in Azure Repos",
    variables: {
      ...pullRequestBuild,
      SYSTEM_PULLREQUEST_ISFORK: "True",
      SYSTEM_PULLREQUEST_SOURCEREPOSITORYURI: "https://acme@dev.azure.com/acme/Web%20Shop/_git/web.linus",
    },
    facts: { ...ofPullRequest, branch: "web.linus:feature/basket" },
  },
  {
    job: "a repository at GitHub, whose ID is only its name",
    variables: { ...push, ...onGitHub },
    facts: { ...facts, ...gitHubFacts },
  },
  {
    job: "a pull request of a fork at GitHub, with its number and a short branch",
    variables: {
      ...pullRequestBuild,
      ...onGitHub,
      SYSTEM_PULLREQUEST_ISFORK: "True",
      SYSTEM_PULLREQUEST_PULLREQUESTID: "1572918236",
      SYSTEM_PULLREQUEST_PULLREQUESTNUMBER: "12",
      SYSTEM_PULLREQUEST_SOURCEBRANCH: "main",
      SYSTEM_PULLREQUEST_SOURCEREPOSITORYURI: "https://github.com/linus/web",
    },
    facts: {
      ...ofPullRequest,
      ...gitHubFacts,
      branch: "linus:main",
      pullRequest: { number: 12, url: "https://github.com/acme/web/pull/12" },
    },
  },
  {
    job: "a pull request of a fork that was deleted",
    variables: without(
      { ...pullRequestBuild, SYSTEM_PULLREQUEST_ISFORK: "True" },
      "SYSTEM_PULLREQUEST_SOURCEREPOSITORYURI",
    ),
    facts: { ...ofPullRequest, branch: undefined },
  },
  {
    job: "Azure DevOps Server",
    variables: {
      ...push,
      SYSTEM_COLLECTIONURI: "https://tfs.corp.example/tfs/Main",
      BUILD_REPOSITORY_URI: "https://tfs.corp.example/tfs/Main/Web%20Shop/_git/web",
    },
    facts: {
      ...facts,
      repository: {
        ...facts.repository,
        name: "Main/Web Shop/web",
        url: "https://tfs.corp.example/tfs/Main/Web%20Shop/_git/web",
        provider: "azure_devops_server",
        namespacePath: ["Main", "Web Shop"],
      },
      run: { ...facts.run, url: "https://tfs.corp.example/tfs/Main/Web%20Shop/_build/results?buildId=900" },
      commitPages: "https://tfs.corp.example/tfs/Main/Web%20Shop/_git/web/commit/",
      codeHost: { ...facts.codeHost, url: "https://tfs.corp.example/tfs/Main" },
    },
  },
  ...(
    [
      ["https://acme.visualstudio.com/", "azure_devops_services", "acme"],
      ["https://acme.vsrm.visualstudio.com/", "azure_devops_services", "acme"],
      ["https://vsrm.dev.azure.com/acme/", "azure_devops_services", "acme"],
      ["https://dev.azure.com/", "azure_devops_services", undefined],
      ["https://dev.azure.com/100%/", "azure_devops_services", "100%"],
      ["", "azure-devops", undefined],
    ] as const
  ).map(([collection, provider, org]) => ({
    job: `the collection '${collection}'`,
    variables: { ...without(push, "BUILD_BUILDID"), SYSTEM_COLLECTIONURI: collection },
    facts: {
      ...facts,
      run: { attempt: 2 },
      repository: {
        ...facts.repository,
        name: org ? `${org}/Web Shop/web` : "web",
        provider,
        namespacePath: org && [org, "Web Shop"],
      },
      codeHost: { ...facts.codeHost, url: collection || undefined },
    },
  })),
  ...(
    [
      ["GitHubEnterprise", "github"],
      ["Bitbucket", "bitbucket_cloud"],
      ["Git", "git"],
      ["Svn", "subversion"],
      ["TfsVersionControl", "azure_devops_services"],
      ["SomethingNew", "azure_devops_services"],
    ] as const
  ).map(([type, provider]) => ({
    job: `a repository of the type ${type}`,
    variables: {
      ...push,
      BUILD_REPOSITORY_PROVIDER: type,
      BUILD_REPOSITORY_URI: "https://code.example/acme/web.git",
      BUILD_SOURCEVERSION: "C1234",
    },
    facts: {
      ...facts,
      commit: undefined,
      repository: { name: "web", url: "https://code.example/acme/web", id: facts.repository.id, provider },
      commitPages: `https://code.example/acme/web/${provider === "bitbucket_cloud" ? "commits" : "commit"}/`,
      codeHost: type === "Bitbucket" ? ({ provider: "bitbucket", repository: "web" } as const) : undefined,
    },
  })),
  {
    job: "a classic release",
    variables: {
      ...push,
      SYSTEM_HOSTTYPE: "release",
      RELEASE_RELEASEWEBURL: "https://dev.azure.com/acme/Web/_release?releaseId=3",
    },
    facts: { ...facts, run: { ...facts.run, url: "https://dev.azure.com/acme/Web/_release?releaseId=3" } },
  },
  {
    job: "a container that got only some variables",
    variables: { TF_BUILD: "True", BUILD_SOURCEVERSION: HEAD },
    facts: { commit: HEAD, facts: {} },
  },
]);

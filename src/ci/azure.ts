import { asCommitSha } from "../github/api/commit-facts.ts";
import type { JobHost } from "../github/step/ci-context.ts";
import { commitPages, pathOf, pullRequestOf, webAddressOf } from "./remote.ts";
import {
  branchOfRef,
  type CiSystem,
  forkBranch,
  positive,
  shortBranch,
  type Variables,
} from "./variables.ts";

/** Azure Pipelines cuts messages of commits at this length. */
const CUT_AT = 200;

/**
 * Azure Pipelines, of Azure DevOps Services and Server.
 *
 * | Fact | Variables |
 * | --- | --- |
 * | commit | `SYSTEM_PULLREQUEST_SOURCECOMMITID`, `BUILD_SOURCEVERSION` |
 * | branch | `SYSTEM_PULLREQUEST_SOURCEBRANCH`, `BUILD_SOURCEBRANCH` |
 * | pull request | `SYSTEM_PULLREQUEST_PULLREQUESTNUMBER` (GitHub), `SYSTEM_PULLREQUEST_PULLREQUESTID`, `SYSTEM_PULLREQUEST_ISFORK`, `SYSTEM_PULLREQUEST_SOURCEREPOSITORYURI` |
 * | repository | `BUILD_REPOSITORY_NAME`, `BUILD_REPOSITORY_URI`, `BUILD_REPOSITORY_ID`, `BUILD_REPOSITORY_PROVIDER`, `SYSTEM_COLLECTIONURI`, `SYSTEM_TEAMPROJECT` |
 * | code host | `BUILD_REPOSITORY_PROVIDER`, `BUILD_REPOSITORY_NAME`, `SYSTEM_COLLECTIONURI`, `SYSTEM_TEAMPROJECT`, `SYSTEM_ACCESSTOKEN` |
 * | run | `BUILD_BUILDID`, `SYSTEM_JOBATTEMPT`, `RELEASE_RELEASEWEBURL` (classic releases) |
 * | actor | `BUILD_REQUESTEDFOR` |
 * | commit facts | `BUILD_SOURCEVERSIONMESSAGE`, cut at 200 characters |
 * | clone | `BUILD_SOURCESDIRECTORY` |
 */
export const azure: CiSystem = {
  name: "azure",
  advice: {
    commit:
      "Pass BUILD_SOURCEVERSION to this command, and in builds of pull requests SYSTEM_PULLREQUEST_SOURCECOMMITID as well. Only Git repositories have commits.",
    repository: "Pass BUILD_REPOSITORY_NAME and BUILD_REPOSITORY_URI to this command.",
    run: "Pass SYSTEM_COLLECTIONURI, SYSTEM_TEAMPROJECT and BUILD_BUILDID to this command.",
    history: "Set fetchDepth: 0 for the checkout step.",
  },
  detect: (variable) => variable("TF_BUILD") !== undefined,
  read(variable) {
    const built = asCommitSha(variable("BUILD_SOURCEVERSION"));
    const head = asCommitSha(variable("SYSTEM_PULLREQUEST_SOURCECOMMITID"));
    const isMerge = /^refs\/pull\/\d+\/merge$/.test(variable("BUILD_SOURCEBRANCH") ?? "");
    const commit = head ?? (isMerge ? undefined : built);
    const repository = repositoryIn(variable);
    const number =
      positive(variable("SYSTEM_PULLREQUEST_PULLREQUESTNUMBER")) ??
      positive(variable("SYSTEM_PULLREQUEST_PULLREQUESTID"));
    return {
      commit,
      branch: branchIn(variable),
      pullRequest: pullRequestOf(number, repository),
      repository,
      codeHost: codeHostIn(variable),
      run: {
        id: variable("BUILD_BUILDID"),
        url: runPage(variable),
        attempt: positive(variable("SYSTEM_JOBATTEMPT")),
      },
      actor: variable("BUILD_REQUESTEDFOR"),
      workspace: variable("BUILD_SOURCESDIRECTORY"),
      facts: commit === built ? { message: withEllipsis(variable("BUILD_SOURCEVERSIONMESSAGE")) } : undefined,
      commitPages: commitPages(repository),
    };
  },
};

function branchIn(variable: Variables): string | undefined {
  const source = shortBranch(variable("SYSTEM_PULLREQUEST_SOURCEBRANCH"));
  if (source === undefined) return branchOfRef(variable("BUILD_SOURCEBRANCH"));
  if (variable("SYSTEM_PULLREQUEST_ISFORK")?.toLowerCase() !== "true") return source;
  const fork = webAddressOf(variable("SYSTEM_PULLREQUEST_SOURCEREPOSITORYURI"));
  const path = fork ? pathOf(fork) : [];
  // Forks of Azure Repos differ in the repository's name, others in the owner.
  return forkBranch(path.includes("_git") ? path.at(-1) : path[0], source);
}

function withEllipsis(message: string | undefined): string | undefined {
  return message !== undefined && message.length >= CUT_AT ? `${message}…` : message;
}

function runPage(variable: Variables): string | undefined {
  const release = variable("RELEASE_RELEASEWEBURL");
  if (release !== undefined) return release;
  const [collection, project, build] = [
    variable("SYSTEM_COLLECTIONURI"),
    variable("SYSTEM_TEAMPROJECT"),
    variable("BUILD_BUILDID"),
  ];
  if (collection === undefined || project === undefined || build === undefined) return undefined;
  const base = collection.replace(/\/*$/, "/");
  return `${base}${encodeURIComponent(project)}/_build/results?buildId=${encodeURIComponent(build)}`;
}

/** Repositories of other hosts. */
const PROVIDERS: Readonly<Record<string, string>> = {
  GitHub: "github",
  GitHubEnterprise: "github",
  Bitbucket: "bitbucket_cloud",
  Git: "git",
  Svn: "subversion",
};

function repositoryIn(variable: Variables) {
  const name = variable("BUILD_REPOSITORY_NAME");
  const url = webAddressOf(variable("BUILD_REPOSITORY_URI"))?.href;
  if (name === undefined || url === undefined) return undefined;
  const type = variable("BUILD_REPOSITORY_PROVIDER") ?? "TfsGit";
  const id = variable("BUILD_REPOSITORY_ID");
  const { provider, namespacePath } = collectionOf(variable);
  const isOwn = type === "TfsGit" && namespacePath !== undefined;
  return {
    name: isOwn ? [...namespacePath, name].join("/") : name,
    url,
    // Repositories of other hosts have their name as the ID, which a rename changes.
    id: id === name ? undefined : id,
    provider: PROVIDERS[type] ?? provider,
    namespacePath: isOwn ? namespacePath : undefined,
  };
}

function codeHostIn(variable: Variables): JobHost | undefined {
  const [name, project] = [variable("BUILD_REPOSITORY_NAME"), variable("SYSTEM_TEAMPROJECT")];
  switch (variable("BUILD_REPOSITORY_PROVIDER")) {
    case "TfsGit":
      return {
        provider: "azure",
        url: variable("SYSTEM_COLLECTIONURI"),
        repository: project && name && `${project}/${name}`,
        token: variable("SYSTEM_ACCESSTOKEN"),
      };
    case "Bitbucket":
      return { provider: "bitbucket", repository: name };
    default:
      return undefined;
  }
}

/** Provider and path of repositories in Azure Repos. */
function collectionOf(variable: Variables) {
  const collection = URL.parse(variable("SYSTEM_COLLECTIONURI") ?? "");
  const project = variable("SYSTEM_TEAMPROJECT");
  if (collection === null) return { provider: "azure-devops" };
  const host = collection.hostname;
  const isOld = host.endsWith(".visualstudio.com");
  const isCloud = isOld || host === "dev.azure.com" || host.endsWith(".dev.azure.com");
  // The organization of an old address is its subdomain.
  const name = isOld ? host.split(".")[0] : pathOf(collection).at(-1);
  return {
    provider: isCloud ? "azure_devops_services" : "azure_devops_server",
    namespacePath: name && project ? [name, project] : undefined,
  };
}

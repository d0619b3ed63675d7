import type { Provider } from "./code-host.ts";

/** The code host of a job. Unknown values are absent. */
export interface JobHost {
  readonly provider: Provider;
  readonly url?: string | undefined;
  readonly repository?: string | undefined;
  readonly token?: string | undefined;
}

/** Reads the code host from the variables of a CI system. Only this function knows their names. */
export function jobHost(env: Readonly<Record<string, string | undefined>>): JobHost {
  const variable = (name: string) => env[name] || undefined;
  const both = (first: string, second: string) => {
    const [one, other] = [variable(first), variable(second)];
    return one && other && `${one}/${other}`;
  };
  if (variable("BITBUCKET_BUILD_NUMBER"))
    return { provider: "bitbucket", repository: both("BITBUCKET_WORKSPACE", "BITBUCKET_REPO_SLUG") };
  if (variable("GITHUB_ACTIONS")) return { provider: "github" };
  if (variable("GITLAB_CI")) {
    // A merge request of a fork is one of the target project, although its pipeline may run in the fork.
    const repository = variable("CI_MERGE_REQUEST_PROJECT_ID") ?? variable("CI_PROJECT_ID");
    return { provider: "gitlab", url: variable("CI_API_V4_URL"), repository };
  }
  if (!variable("TF_BUILD")) return { provider: "github" };
  switch (variable("BUILD_REPOSITORY_PROVIDER")) {
    case "TfsGit":
      return {
        provider: "azure",
        url: variable("SYSTEM_COLLECTIONURI"),
        repository: both("SYSTEM_TEAMPROJECT", "BUILD_REPOSITORY_NAME"),
        token: variable("SYSTEM_ACCESSTOKEN"),
      };
    case "Bitbucket":
      return { provider: "bitbucket", repository: variable("BUILD_REPOSITORY_NAME") };
    default:
      return { provider: "github" };
  }
}

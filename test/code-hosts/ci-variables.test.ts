import { expect, test } from "vitest";
import { jobHost } from "../../src/code-hosts/ci-variables.ts";

const gitlab = { GITLAB_CI: "true", CI_API_V4_URL: "https://git.example/api/v4", CI_PROJECT_ID: "4" };
const azure = {
  TF_BUILD: "True",
  BUILD_REPOSITORY_PROVIDER: "TfsGit",
  BUILD_REPOSITORY_NAME: "web",
  SYSTEM_COLLECTIONURI: "https://dev.azure.com/acme/",
  SYSTEM_TEAMPROJECT: "Web shop",
};
const bitbucket = { BITBUCKET_BUILD_NUMBER: "12", BITBUCKET_WORKSPACE: "acme", BITBUCKET_REPO_SLUG: "web" };

test.each([
  ["GitHub Actions", { GITHUB_ACTIONS: "true", CI: "true" }, { provider: "github" }],
  ["no CI", {}, { provider: "github" }],
  ["GitLab", gitlab, { provider: "gitlab", url: "https://git.example/api/v4", repository: "4" }],
  [
    "a merge request of a fork at GitLab",
    { ...gitlab, CI_PROJECT_ID: "9", CI_MERGE_REQUEST_PROJECT_ID: "4" },
    { provider: "gitlab", url: "https://git.example/api/v4", repository: "4" },
  ],
  [
    "Azure Pipelines",
    { ...azure, SYSTEM_ACCESSTOKEN: "token" },
    { provider: "azure", url: "https://dev.azure.com/acme/", repository: "Web shop/web", token: "token" },
  ],
  [
    "Azure Pipelines without a token",
    { ...azure, SYSTEM_ACCESSTOKEN: "" },
    { provider: "azure", url: "https://dev.azure.com/acme/", repository: "Web shop/web" },
  ],
  [
    "Azure Pipelines for a repository at GitHub",
    { ...azure, BUILD_REPOSITORY_PROVIDER: "GitHub" },
    { provider: "github" },
  ],
  [
    "Azure Pipelines for a repository at Bitbucket",
    { ...azure, BUILD_REPOSITORY_PROVIDER: "Bitbucket", BUILD_REPOSITORY_NAME: "acme/web" },
    { provider: "bitbucket", repository: "acme/web" },
  ],
  ["Bitbucket Pipelines", bitbucket, { provider: "bitbucket", repository: "acme/web" }],
  [
    "Bitbucket Pipelines with half a name",
    { ...bitbucket, BITBUCKET_WORKSPACE: "" },
    { provider: "bitbucket" },
  ],
])("the code host of a job in %s", (_, env, expected) => {
  expect(jobHost(env)).toEqual(expected);
});

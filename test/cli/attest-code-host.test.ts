import { expect, test } from "vitest";
import { SHA } from "../actions/bundle-run.ts";
import { recordingServer } from "../actions/recording-server.ts";
import { sent } from "../actions/sent-attestations.ts";
import { type Answer, closedPort, httpServer, json, type LocalServer } from "../api/local-server.ts";
import { runHere } from "./terminal.ts";

const RECORDED = { status: 201, body: "OK" };
const TOKEN = "glpat-0123456789";
const HEAD = "1".repeat(40);

const merged = {
  ...{ iid: 7, title: "Sort", state: "merged", sha: HEAD },
  ...{ created_at: "2026-11-14T22:13:20Z", merged_at: "2026-11-14T22:30:00Z", merge_commit_sha: SHA },
  ...{ source_branch: "feature", target_branch: "main", author: { name: "Grace", username: "grace" } },
  web_url: "https://gitlab.example.com/acme/web/-/merge_requests/7",
};
const commit = {
  ...{ id: HEAD, message: "Sort\n\nAssisted-by: Robot:1", created_at: "2026-11-14T22:00:00Z" },
  ...{ author_name: "Grace", author_email: "grace@example.com", web_url: "https://gitlab.example.com/c" },
};

/** GitLab with one merge request of project 4. */
const gitLab = (approvers: readonly string[], linked: unknown = [merged]): Answer => {
  const project = "/api/v4/projects/4";
  const answers: Readonly<Record<string, unknown>> = {
    [`${project}/repository/commits/${SHA}/merge_requests`]: linked,
    [`${project}/merge_requests/7/commits`]: [commit],
    [`${project}/merge_requests/7/approvals`]: {
      approved_by: approvers.map((username) => ({
        user: { name: username, username },
        approved_at: "2026-11-14T22:20:00Z",
      })),
    },
  };
  return (response, { path, headers }) => {
    const found = answers[path.split("?", 1)[0] ?? ""];
    if (headers.authorization !== `Bearer ${TOKEN}`) json(response, 401, { message: "401 Unauthorized" });
    else json(response, found === undefined ? 404 : 200, found ?? { message: "404 Not Found" });
  };
};

async function attest(
  host: Pick<LocalServer, "url">,
  options: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
) {
  await using server = await recordingServer([RECORDED]);
  const given = {
    ...{ flow: "web", name: "review", kind: "pull_request", commit: SHA, "code-host-token": TOKEN },
    ...options,
  };
  const args = Object.entries(given).flatMap(([name, value]) => (value === "" ? [] : [`--${name}`, value]));
  const service = {
    EVIDENCE_BASE_URL: server.address,
    EVIDENCE_ORG: "acme",
    EVIDENCE_API_KEY: "de_0123456789",
  };
  const job = { GITLAB_CI: "true", CI_API_V4_URL: `${host.url}/api/v4`, CI_PROJECT_ID: "4" };
  const run = await runHere(["attest", ...args], { env: { ...service, ...job, ...env } });
  return { ...run, data: sent(server.requests[0]).data, requests: server.requests };
}

test("a job at GitLab records the merge request of its project, with its review", async () => {
  const host = await httpServer(gitLab(["ada"]));
  const run = await attest(host);
  expect(run.status, run.stderr).toBe(0);
  expect(run.data).toMatchObject({
    git_provider: "gitlab",
    pull_requests: [{ state: "merged", merge_commit: SHA, approvers: [{ username: "ada (@ada)" }] }],
    user_data: { review: { four_eyes: true, written_with_agents: true, agents: ["Robot:1"] } },
  });
  expect(run.stdout).toMatch(/^Compliant +yes$/m);
  expect(run.stdout + run.stderr).not.toContain(TOKEN);
});

test("a merge request that only its author approved does not count if an approval is required", async () => {
  const run = await attest(await httpServer(gitLab(["grace"])), { "require-approvals": "1" });
  const whyNot = expect.stringContaining("grace (@grace) approved, but wrote some of the commits");
  expect(run.data).toMatchObject({
    pull_requests: [],
    user_data: {
      pull_requests_not_counted: [merged.web_url],
      review: { four_eyes: false, four_eyes_missing: expect.arrayContaining([whyNot]) },
    },
  });
  expect(run.stdout).toMatch(/^Compliant +no: pull request #7 has 0 of 1 approvals/m);
});

test("a commit without a merge request is recorded as not compliant", async () => {
  const run = await attest(await httpServer(gitLab([], [])), { timeout: "2" });
  expect(run.data).toMatchObject({ pull_requests: [], user_data: { review: { four_eyes: false } } });
  expect(run.stdout).toContain("no: GitLab has no pull request for the commit");
});

test.each<[string, Record<string, string>, Record<string, string>, string[]]>([
  [
    "no token",
    { "code-host-token": "" },
    {},
    ["code-host-token: is required to read from GitLab", "project access token with the scope read_api"],
  ],
  [
    "the token of the job",
    { "code-host-token": "glcbt-1_x" },
    {},
    ["code-host-token: is the token of a job", "cannot read merge requests"],
  ],
  [
    "another token",
    { "code-host-token": "glpat-x" },
    {},
    ["code-host-token: GitLab does not accept the token"],
  ],
  [
    "another project",
    { "code-host-repository": "acme/other" },
    {},
    [
      "code-host-repository: GitLab has no 'api/v4/projects/acme",
      "for 'acme/other', or hides it from the token",
    ],
  ],
  ["no project", {}, { CI_PROJECT_ID: "" }, ["code-host-repository: is required to read from GitLab"]],
  [
    "an address that is not encrypted",
    { "code-host-url": "http://git.example" },
    {},
    ["code-host-url: is http://"],
  ],
  ["no address", { "code-host": "azure" }, {}, ["code-host-url: is required to read from Azure DevOps"]],
  ["user data of that name", { "user-data": '{"review": 1}' }, {}, ["user-data: must not contain 'review'"]],
  [
    "a token for GitHub",
    { "code-host": "github" },
    {},
    ["code-host-token: is not used for GitHub: set --code-host to another host"],
  ],
  [
    "GitHub without a repository",
    { "code-host": "github", "code-host-token": "" },
    {},
    ["code-host: must name the host of the pull requests"],
  ],
])("nothing is recorded with %s", async (_, inputs, env, problems) => {
  const run = await attest(await httpServer(gitLab(["ada"])), { retries: "0", ...inputs }, env);
  expect(run.status).toBe(1);
  expect(run.requests).toEqual([]);
  for (const problem of problems) expect(run.stderr).toContain(problem);
});

test("a host that does not answer is undecided, and the advice names the option", async () => {
  const run = await attest({ url: `http://127.0.0.1:${await closedPort()}` }, { retries: "0" });
  expect(run).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("Check that --code-host-url is right"),
  });
});

test.each([
  ["a token of a job as a web token", "eyJ0eXAi.eyJhdWQi.c2ln", "Bearer eyJ0eXAi.eyJhdWQi.c2ln"],
  ["a personal access token as a password", "pat0123456789", `Basic ${btoa(":pat0123456789")}`],
])("Azure DevOps gets %s, from the variable of the job", async (_, token, authorization) => {
  const host = await httpServer((response) => json(response, 200, { results: [] }));
  await attest(
    host,
    { "code-host-token": "", timeout: "2" },
    {
      ...{
        GITLAB_CI: "",
        TF_BUILD: "True",
        BUILD_REPOSITORY_PROVIDER: "TfsGit",
        BUILD_REPOSITORY_NAME: "web",
      },
      ...{ SYSTEM_COLLECTIONURI: `${host.url}/acme/`, SYSTEM_TEAMPROJECT: "shop", SYSTEM_ACCESSTOKEN: token },
    },
  );
  const [query] = host.received;
  expect(query?.path).toBe("/acme/shop/_apis/git/repositories/web/pullrequestquery?api-version=5.1");
  expect(query?.headers.authorization).toBe(authorization);
});

test("the token of an Azure job is not sent to another address", async () => {
  const host = await httpServer((response) => json(response, 200, { results: [] }));
  const run = await attest(
    host,
    { "code-host-token": "", "code-host-url": `${host.url}/other` },
    {
      ...{
        GITLAB_CI: "",
        TF_BUILD: "True",
        BUILD_REPOSITORY_PROVIDER: "TfsGit",
        BUILD_REPOSITORY_NAME: "web",
      },
      ...{
        SYSTEM_COLLECTIONURI: `${host.url}/acme/`,
        SYSTEM_TEAMPROJECT: "shop",
        SYSTEM_ACCESSTOKEN: "secret",
      },
    },
  );
  expect(run.stderr).toContain("code-host-token: is required to read from Azure DevOps");
  expect(host.received).toEqual([]);
});

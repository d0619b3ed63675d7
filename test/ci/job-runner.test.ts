import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { attestationInputs, attestInputs } from "../../src/actions/attest/inputs.ts";
import { record } from "../../src/actions/attest/record.ts";
import { beginTrail } from "../../src/actions/begin-trail.ts";
import { describeOrigin } from "../../src/actions/origin.ts";
import { askQuery } from "../../src/actions/running-commit/query.ts";
import { describeBody } from "../../src/api/client/call.ts";
import { connect } from "../../src/api/client/connection.ts";
import { InputError } from "../../src/api/client/errors.ts";
import { readJob } from "../../src/ci/job-runner.ts";
import { compareCommits } from "../../src/github/api/comparison.ts";
import type { ActionContext } from "../../src/github/step/action.ts";
import { readInputs } from "../../src/github/step/inputs.ts";
import { readRunner } from "../../src/github/step/runner.ts";
import { emptyCommit, git } from "../github/clones.ts";
import { tempFolder } from "../github/runners.ts";
import { HEAD } from "./contexts.ts";

/** A job that sends nothing, with the bodies of its requests and its warnings. */
async function contextOf(variables: Record<string, string>, folder = tempFolder()) {
  const bodies: unknown[] = [];
  const warnings: string[] = [];
  const context: ActionContext = {
    runner: await readJob({ PATH: process.env["PATH"], ...variables }, folder),
    connection: connect({ apiKey: "key", org: "acme", region: "eu" }),
    signal: new AbortController().signal,
    dryRun: true,
    allowHttp: false,
    call: async (operation, request) => {
      bodies.push(await describeBody(operation, request));
      return undefined;
    },
    byInputs: (error) => Promise.resolve(error),
    mask: () => {},
    info: () => {},
    warn: (text) => warnings.push(text),
    error: () => {},
  };
  return { context, bodies, warnings };
}

/** Trail of a job in the form that the service receives. */
async function trailOf(
  variables: Record<string, string>,
  folder?: string,
  texts: Record<string, string> = {},
) {
  const { context, bodies, warnings } = await contextOf(variables, folder);
  const { values } = readInputs(beginTrail.inputs, { flow: "web", ...texts }, {});
  await beginTrail.run(values, context);
  return { trail: JSON.parse(JSON.stringify(bodies[0])), warnings };
}

const gitlab = {
  GITLAB_CI: "true",
  CI_COMMIT_SHA: HEAD,
  CI_COMMIT_BRANCH: "main",
  CI_COMMIT_MESSAGE: "Sell more\n",
  CI_COMMIT_AUTHOR: "Ada Lovelace <ada@example.com>",
  CI_COMMIT_TIMESTAMP: "2023-11-14T22:13:20Z",
  CI_PROJECT_ID: "4711",
  CI_PROJECT_PATH: "acme/shop/web",
  CI_PROJECT_NAMESPACE: "acme/shop",
  CI_PROJECT_DESCRIPTION: "The shop",
  CI_PROJECT_URL: "https://gitlab.com/acme/shop/web",
  CI_JOB_URL: "https://gitlab.com/acme/shop/web/-/jobs/9001",
};

const bitbucket = {
  BITBUCKET_BUILD_NUMBER: "90",
  BITBUCKET_COMMIT: HEAD,
  BITBUCKET_BRANCH: "main",
  BITBUCKET_REPO_FULL_NAME: "acme/web",
  BITBUCKET_REPO_UUID: "{4711}",
  BITBUCKET_PROJECT_KEY: "SHOP",
};

const azure = {
  TF_BUILD: "True",
  SYSTEM_COLLECTIONURI: "https://dev.azure.com/acme/",
  SYSTEM_TEAMPROJECT: "Payment",
  BUILD_BUILDID: "90",
  BUILD_REPOSITORY_ID: "repo-id",
  BUILD_REPOSITORY_NAME: "web",
  BUILD_REPOSITORY_PROVIDER: "TfsGit",
  BUILD_REPOSITORY_URI: "https://acme@dev.azure.com/acme/Payment/_git/web",
  BUILD_SOURCEBRANCH: "refs/heads/main",
  BUILD_SOURCEVERSION: HEAD,
  BUILD_SOURCEVERSIONMESSAGE: "Sell more",
};

describe("the trail of a job", () => {
  test("on GitLab has everything from variables, without a clone", async () => {
    expect(await trailOf(gitlab)).toEqual({
      trail: {
        name: HEAD,
        git_commit_info: {
          sha1: HEAD,
          message: "Sell more",
          author: "Ada Lovelace <ada@example.com>",
          branch: "main",
          timestamp: 1_700_000_000,
          url: `https://gitlab.com/acme/shop/web/-/commit/${HEAD}`,
        },
        repo_info: {
          name: "acme/shop/web",
          url: "https://gitlab.com/acme/shop/web",
          id: "4711",
          description: "The shop",
          provider: "gitlab",
          namespace_path: ["acme", "shop"],
        },
        origin_url: "https://gitlab.com/acme/shop/web/-/jobs/9001",
      },
      warnings: [],
    });
  });

  test("on Bitbucket and Azure has the repository in the form of each", async () => {
    expect((await trailOf(bitbucket)).trail).toMatchObject({
      git_commit_info: { branch: "main", url: `https://bitbucket.org/acme/web/commits/${HEAD}` },
      repo_info: {
        name: "acme/web",
        url: "https://bitbucket.org/acme/web",
        id: "{4711}",
        provider: "bitbucket_cloud",
        namespace_path: ["acme"],
        additional_info: { project_key: "SHOP" },
      },
      origin_url: "https://bitbucket.org/acme/web/pipelines/results/90",
    });
    expect((await trailOf(azure)).trail).toMatchObject({
      git_commit_info: { message: "Sell more", branch: "main" },
      repo_info: {
        name: "acme/Payment/web",
        url: "https://dev.azure.com/acme/Payment/_git/web",
        id: "repo-id",
        provider: "azure_devops_services",
        namespace_path: ["acme", "Payment"],
      },
      origin_url: "https://dev.azure.com/acme/Payment/_build/results?buildId=90",
    });
  });

  test("prefers the clone to variables, but not for another commit", async () => {
    const folder = tempFolder();
    git(folder, ["init", "--quiet", "--initial-branch=work"]);
    const parent = emptyCommit(folder, "First");
    const sha = emptyCommit(folder, "Sell more\n\nThe whole message.");
    const { trail, warnings } = await trailOf(
      { ...gitlab, CI_COMMIT_SHA: sha, CI_COMMIT_MESSAGE: "Cut" },
      folder,
    );
    expect(trail.git_commit_info).toMatchObject({
      sha1: sha,
      message: "Sell more\n\nThe whole message.",
      branch: "main",
      parents: [parent],
    });
    const other = await trailOf({ ...gitlab, CI_COMMIT_SHA: sha }, folder, { commit: parent });
    expect(other.trail.git_commit_info).toEqual({
      sha1: parent,
      message: "First",
      author: "Ada Lovelace <ada@example.com>",
      timestamp: 1_700_000_000,
      url: `https://gitlab.com/acme/shop/web/-/commit/${parent}`,
      parents: [],
    });
    expect([...warnings, ...other.warnings]).toEqual([]);
  });

  test("of a clone outside of any CI system has no address of a run", async () => {
    const folder = tempFolder();
    git(folder, ["init", "--quiet", "--initial-branch=main"]);
    git(folder, ["remote", "add", "origin", "https://ada:secret@code.example/acme/web.git"]);
    const sha = emptyCommit(folder, "Sell more");
    const { trail } = await trailOf({}, folder);
    expect(trail).toMatchObject({
      name: sha,
      git_commit_info: { branch: "main", url: `https://code.example/acme/web/commit/${sha}` },
      repo_info: { name: "acme/web", url: "https://code.example/acme/web", provider: "git" },
    });
    expect(trail).not.toHaveProperty("origin_url");
    expect(JSON.stringify(trail)).not.toContain("secret");
  });
});

describe("a job with something missing names what to set", () => {
  test.each([
    [{ GITLAB_CI: "true" }, "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"],
    [{ TF_BUILD: "True" }, "SYSTEM_PULLREQUEST_SOURCECOMMITID"],
    [{ BITBUCKET_BUILD_NUMBER: "1" }, "BITBUCKET_COMMIT"],
    [{ CIRCLECI: "true" }, "CIRCLE_SHA1"],
    [{ BUILDKITE: "true", BUILDKITE_COMMIT: "HEAD" }, "BUILDKITE_COMMIT"],
    [{ JENKINS_URL: "https://jenkins.example" }, "checkout scm"],
    [{ TEAMCITY_VERSION: "2025.11" }, "BUILD_VCS_NUMBER"],
    [{ CODEBUILD_BUILD_ID: "web:1" }, "CODEBUILD_RESOLVED_SOURCE_VERSION"],
    [{ CI: "woodpecker" }, "CI_COMMIT_SHA"],
    [{ FORGEJO_ACTIONS: "true" }, "GITHUB_SHA"],
    [{}, "Git clone"],
  ] as [Record<string, string>, string][])("%j without a commit", async (variables, advice) => {
    const error = await trailOf(variables).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      message: "trail: is required, because there is no commit to name the trail after",
      advice: expect.stringContaining(advice),
    });
  });

  test("a comparison without a candidate", async () => {
    const { context } = await contextOf({ JENKINS_URL: "https://jenkins.example" });
    const question = { flow: "web", environment: "prod", gitHubEnvironment: undefined };
    const asked = askQuery({ ...question, candidate: undefined, token: undefined }, context);
    await expect(asked).rejects.toMatchObject({
      message: "candidate: is required, because the job has no commit",
      advice: expect.stringContaining("checkout scm"),
    });
  });

  test("an artifact without a repository and a run", async () => {
    const { context } = await contextOf({ TF_BUILD: "True", BUILD_SOURCEVERSION: HEAD });
    const texts = { kind: "artifact", name: "web", flow: "web", fingerprint: "a".repeat(64) };
    const attestation = attestationInputs(readInputs(attestInputs, texts, {}).values);
    if (attestation?.kind !== "artifact") throw new Error("The inputs are of another kind");
    const origin = await describeOrigin(attestation, context);
    const request = {
      ...{ kind: attestation.kind, values: attestation, trail: HEAD },
      ...{ fingerprint: "a".repeat(64), origin },
    };
    const error = await record(request, context).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({
      details: ["origin-url: is required outside of a CI job", "commit: has no known repository"],
      advice:
        "Pass SYSTEM_COLLECTIONURI, SYSTEM_TEAMPROJECT and BUILD_BUILDID to this command. Pass BUILD_REPOSITORY_NAME and BUILD_REPOSITORY_URI to this command.",
    });
  });

  test("a pull request whose head a shallow clone does not have", async () => {
    const origin = tempFolder();
    git(origin, ["init", "--quiet", "--initial-branch=main"]);
    const head = emptyCommit(origin, "Add a basket");
    const merge = emptyCommit(origin, "Merge pull request 7 from feature into main");
    const folder = join(tempFolder(), "clone");
    git(origin, ["clone", "--quiet", "--depth=1", pathToFileURL(origin).href, folder]);
    const build = {
      ...azure,
      BUILD_SOURCEBRANCH: "refs/pull/7/merge",
      BUILD_SOURCEVERSION: merge,
      SYSTEM_PULLREQUEST_PULLREQUESTID: "7",
      SYSTEM_PULLREQUEST_SOURCEBRANCH: "refs/heads/feature",
      SYSTEM_PULLREQUEST_SOURCECOMMITID: head,
    };
    const { trail, warnings } = await trailOf(build, folder);
    expect(trail.git_commit_info).toEqual({
      sha1: head,
      branch: "feature",
      url: `https://dev.azure.com/acme/Payment/_git/web/commit/${head}`,
    });
    expect(warnings).toEqual([
      `The author and the time of commit ${head} are unknown, because the clone does not contain it. Set fetchDepth: 0 for the checkout step.`,
    ]);
  });

  test("a commit without any clone", async () => {
    expect((await trailOf(bitbucket)).warnings).toEqual([
      `The author and the time of commit ${HEAD} are unknown, because this folder is in no clone. Run this command in the checkout of the repository.`,
    ]);
    expect((await trailOf(bitbucket, undefined, { redact: "author" })).warnings).toEqual([]);
  });
});

describe("two commits of a job", () => {
  async function compared(depth: readonly string[]) {
    const origin = tempFolder();
    git(origin, ["init", "--quiet", "--initial-branch=main"]);
    const base = emptyCommit(origin, "First");
    const head = emptyCommit(origin, "Sell more");
    const folder = join(tempFolder(), "clone");
    git(origin, ["clone", "--quiet", ...depth, pathToFileURL(origin).href, folder]);
    const { context, warnings } = await contextOf({ ...gitlab, CI_COMMIT_SHA: head }, folder);
    const { runner, signal, warn } = context;
    return { comparison: await compareCommits({ runner, base, head, signal, warn }), warnings, head };
  }

  test("are compared by the clone, with links to the code host", async () => {
    const { comparison, warnings, head } = await compared([]);
    expect(comparison).toMatchObject({
      status: "ahead",
      commits: [{ sha: head, url: `https://gitlab.com/acme/shop/web/-/commit/${head}` }],
    });
    expect(warnings).toEqual([]);
  });

  test("are not compared by a shallow clone, and a warning names the setting", async () => {
    const { comparison, warnings } = await compared(["--depth=1"]);
    expect(comparison).toMatchObject({ status: "unknown" });
    expect(warnings).toEqual([
      'The clone does not contain both commits with their history, so they were not compared. Set the variable GIT_DEPTH: "0" for the job.',
    ]);
  });
});

describe("the runner of a job", () => {
  test("of GitHub Actions is as before", async () => {
    const variables = {
      GITHUB_ACTIONS: "true",
      GITHUB_SHA: HEAD,
      GITHUB_REPOSITORY: "acme/web",
      GITHUB_RUN_ID: "9",
    };
    expect(await readJob(variables)).toStrictEqual(readRunner(variables));
  });

  test("of another system has none of GitHub's facts", async () => {
    const variables = {
      ...{ GITHUB_ACTIONS: "true", FORGEJO_ACTIONS: "true", GITHUB_SHA: HEAD, GITHUB_REF: "refs/heads/main" },
      ...{ GITHUB_REPOSITORY: "acme/web", GITHUB_SERVER_URL: "https://git.example", GITHUB_RUN_ID: "9" },
      ...{ GITHUB_RUN_NUMBER: "3", GITHUB_ACTOR: "ada", RUNNER_TEMP: "/tmp/9", EVIDENCE_API_KEY: "secret" },
    };
    const { ci, ...runner } = await readJob(variables, tempFolder());
    expect(runner).toMatchObject({
      sha: HEAD,
      runId: "9",
      runUrl: "https://git.example/acme/web/actions/runs/3",
      actor: "ada",
      tempDir: "/tmp/9",
    });
    expect(runner.repository).toBeUndefined();
    expect(runner.workspace).toBeUndefined();
    expect(runner.childEnv).not.toHaveProperty("EVIDENCE_API_KEY");
    expect(ci?.repository?.name).toBe("acme/web");
  });

  test.each([
    ["https://github.com/acme/web.git", "https://github.com", "https://api.github.com"],
    ["https://github.example/acme/web.git", "https://github.example", "https://github.example/api/v3"],
    ["https://acme.ghe.com/acme/web.git", "https://acme.ghe.com", "https://api.acme.ghe.com"],
  ])("can read the repository %s at GitHub", async (url, serverUrl, apiUrl) => {
    const build = { JENKINS_URL: "https://jenkins.example", GIT_URL: url, GIT_COMMIT: HEAD };
    expect(await readJob(build, tempFolder())).toMatchObject({ repository: "acme/web", serverUrl, apiUrl });
  });
});

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/api/client/errors.ts";
import {
  type CommitQuestion,
  commitOf,
  describeCommit,
  MAX_MESSAGE_BYTES,
} from "../../../src/github/event/commit.ts";
import { commitsOfEvent } from "../../../src/github/event/event-commit.ts";
import { type Runner, readRunner } from "../../../src/github/step/runner.ts";
import { gitHubServer, json, repository } from "../github-server.ts";
import { runnerFor, tempFolder } from "../runners.ts";

const head = "1111111111111111111111111111111111111111";
const merge = "2222222222222222222222222222222222222222";
const base = "3333333333333333333333333333333333333333";
const zero = "0".repeat(40);

const branchOf = (runner: Runner, sha: string) =>
  commitsOfEvent(runner).find((commit) => commit.sha === sha)?.branch;

const ours = { full_name: "acme/web" };
const pullRequest = (ref: string, repo: unknown = ours, user?: unknown) => ({
  pull_request: {
    head: { sha: head, ref, repo, user },
    base: { sha: base, ref: "main", repo: ours },
    merge_commit_sha: merge,
  },
  repository: ours,
});

interface Case {
  event: string;
  payload: unknown;
  env: NodeJS.ProcessEnv;
  commit: string | undefined;
  branch: string | undefined;
}

const cases: Case[] = [
  {
    event: "push to a branch",
    payload: { ref: "refs/heads/feature/a", after: head, head_commit: { id: head } },
    env: { GITHUB_SHA: head, GITHUB_REF: "refs/heads/feature/a" },
    commit: head,
    branch: "feature/a",
  },
  {
    event: "push of a tag",
    payload: { ref: "refs/tags/v1", after: head, head_commit: { id: head } },
    env: { GITHUB_SHA: head, GITHUB_REF: "refs/tags/v1" },
    commit: head,
    branch: undefined,
  },
  {
    event: "push whose commit is not checked out, which the payload describes",
    payload: { ref: "refs/heads/gone", after: merge, head_commit: { id: head } },
    env: { GITHUB_SHA: base, GITHUB_REF: "refs/heads/main" },
    commit: base,
    branch: "main",
  },
  {
    event: "push to a branch named like a trial merge",
    payload: {},
    env: { GITHUB_SHA: head, GITHUB_REF: "refs/heads/refs/pull/7/merge" },
    commit: head,
    branch: "refs/pull/7/merge",
  },
  {
    event: "push to a ref below a trial merge",
    payload: {},
    env: { GITHUB_SHA: head, GITHUB_REF: "refs/pull/7/merge/more" },
    commit: head,
    branch: undefined,
  },
  {
    event: "pull_request with a long number, whose payload is lost",
    payload: {},
    env: { GITHUB_SHA: merge, GITHUB_REF: "refs/pull/7001/merge" },
    commit: undefined,
    branch: undefined,
  },
  {
    event: "push of an annotated tag, whose object the runner names",
    payload: { ref: "refs/tags/v1", after: base, head_commit: { id: head } },
    env: { GITHUB_SHA: base, GITHUB_REF: "refs/tags/v1" },
    commit: head,
    branch: undefined,
  },
  {
    event: "push that deletes a branch",
    payload: { ref: "refs/heads/gone", after: zero, deleted: true, head_commit: null },
    env: { GITHUB_SHA: base, GITHUB_REF: "refs/heads/main" },
    commit: base,
    branch: "main",
  },
  {
    event: "deletion that leaves no commit",
    payload: { ref: "refs/heads/gone", after: zero, deleted: true, head_commit: null },
    env: { GITHUB_SHA: zero, GITHUB_REF: "refs/heads/gone" },
    commit: undefined,
    branch: undefined,
  },
  {
    event: "pull_request from a branch",
    payload: pullRequest("feature"),
    env: { GITHUB_SHA: merge, GITHUB_REF: "refs/pull/7/merge", GITHUB_HEAD_REF: "feature" },
    commit: head,
    branch: "feature",
  },
  {
    event: "pull_request from a fork's main branch",
    payload: pullRequest("main", { full_name: "linus/web", owner: { login: "linus" } }),
    env: { GITHUB_SHA: merge, GITHUB_REF: "refs/pull/7/merge", GITHUB_HEAD_REF: "main" },
    commit: head,
    branch: "linus:main",
  },
  {
    event: "pull_request from a fork within the organization",
    payload: pullRequest("main", { full_name: "acme/web-experiment", owner: { login: "acme" } }),
    env: { GITHUB_SHA: merge, GITHUB_REF: "refs/pull/7/merge", GITHUB_REPOSITORY: "acme/web" },
    commit: head,
    branch: "acme:main",
  },
  {
    event: "pull_request from our repository, whose name is in another case",
    payload: pullRequest("main", { full_name: "Acme/Web", owner: { login: "Acme" } }),
    env: { GITHUB_SHA: merge, GITHUB_REF: "refs/pull/7/merge", GITHUB_REPOSITORY: "acme/web" },
    commit: head,
    branch: "main",
  },
  {
    event: "pull_request from a fork that was deleted since",
    payload: pullRequest("main", null, { login: "linus" }),
    env: { GITHUB_SHA: merge, GITHUB_REF: "refs/pull/7/merge", GITHUB_HEAD_REF: "main" },
    commit: head,
    branch: "linus:main",
  },
  {
    event: "pull_request without the owner of the branch",
    payload: pullRequest("main", null),
    env: { GITHUB_SHA: merge, GITHUB_REF: "refs/pull/7/merge", GITHUB_HEAD_REF: "main" },
    commit: head,
    branch: undefined,
  },
  {
    event: "pull_request whose payload is lost: the trial merge is not its commit",
    payload: {},
    env: { GITHUB_SHA: merge, GITHUB_REF: "refs/pull/7/merge", GITHUB_HEAD_REF: "feature" },
    commit: undefined,
    branch: undefined,
  },
  {
    event: "pull_request_target",
    payload: pullRequest("feature"),
    env: { GITHUB_SHA: base, GITHUB_REF: "refs/heads/main", GITHUB_HEAD_REF: "feature" },
    commit: head,
    branch: "feature",
  },
  {
    event: "pull_request_review",
    payload: { review: { commit_id: base }, ...pullRequest("feature") },
    env: { GITHUB_SHA: merge, GITHUB_REF: "refs/pull/7/merge" },
    commit: head,
    branch: "feature",
  },
  {
    event: "merge_group",
    payload: {
      merge_group: {
        head_sha: head,
        head_ref: "refs/heads/gh-readonly-queue/main/pr-7-abc",
        base_sha: base,
        base_ref: "refs/heads/main",
      },
    },
    env: { GITHUB_SHA: head, GITHUB_REF: "refs/heads/gh-readonly-queue/main/pr-7-abc" },
    commit: head,
    branch: "gh-readonly-queue/main/pr-7-abc",
  },
  {
    event: "workflow_run",
    payload: {
      workflow_run: { head_sha: head, head_branch: "feature", head_repository: ours, event: "pull_request" },
      repository: ours,
    },
    env: { GITHUB_SHA: base, GITHUB_REF: "refs/heads/main" },
    commit: head,
    branch: "feature",
  },
  {
    event: "workflow_run for a fork, which GitHub names without its owner",
    payload: {
      workflow_run: {
        head_sha: head,
        head_branch: "main",
        head_repository: { full_name: "linus/web" },
        event: "pull_request",
      },
      repository: ours,
    },
    env: { GITHUB_SHA: base, GITHUB_REF: "refs/heads/main" },
    commit: head,
    branch: "linus:main",
  },
  {
    event: "workflow_run of a release, where GitHub gives the tag as the branch",
    payload: {
      workflow_run: { head_sha: head, head_branch: "v1", event: "release", head_repository: ours },
      repository: ours,
    },
    env: { GITHUB_SHA: base, GITHUB_REF: "refs/heads/main" },
    commit: head,
    branch: undefined,
  },
  {
    event: "workflow_dispatch on a branch",
    payload: { inputs: {}, ref: "refs/heads/hotfix" },
    env: { GITHUB_SHA: head, GITHUB_REF: "refs/heads/hotfix" },
    commit: head,
    branch: "hotfix",
  },
  {
    event: "schedule",
    payload: { schedule: "0 3 * * *" },
    env: { GITHUB_SHA: head, GITHUB_REF: "refs/heads/main" },
    commit: head,
    branch: "main",
  },
  {
    event: "release",
    payload: { release: { tag_name: "v1", target_commitish: "main" } },
    env: { GITHUB_SHA: head, GITHUB_REF: "refs/tags/v1" },
    commit: head,
    branch: undefined,
  },
  {
    event: "deployment of a commit without a ref",
    payload: { deployment: { sha: head, ref: head } },
    env: { GITHUB_SHA: head, GITHUB_REF: "" },
    commit: head,
    branch: undefined,
  },
  ...["deployment", "deployment_status"].map((event) => ({
    event: `${event} caused by a workflow run, which is for another commit than that run`,
    payload: {
      deployment: { sha: head, ref: "feature" },
      workflow_run: { head_sha: base, head_branch: "main", head_repository: ours, event: "push" },
      repository: ours,
    },
    env: { GITHUB_EVENT_NAME: event, GITHUB_SHA: head, GITHUB_REF: "refs/heads/feature" },
    commit: head,
    branch: "feature",
  })),
  {
    event: "comment on a pull request, which knows only the default branch",
    payload: { issue: { number: 7, pull_request: { url: "https://api.github.com/x" } } },
    env: { GITHUB_SHA: base, GITHUB_REF: "refs/heads/main" },
    commit: base,
    branch: "main",
  },
  { event: "none: another machine", payload: {}, env: {}, commit: undefined, branch: undefined },
];

describe("the commit of the event, and its branch", () => {
  test.each(cases)("$event", ({ payload, env, commit, branch }) => {
    const runner = runnerFor(payload, env);
    expect(commitOf(runner)).toBe(commit);
    expect(commitOf(runner, " ")).toBe(commit);
    expect(commit && branchOf(runner, commit)).toBe(branch);
  });

  test("are never the trial merge's, whatever the payload contains", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("pull_request", "workflow_run"), fc.jsonValue()), (event) => {
        const runner: Runner = {
          ...readRunner({ GITHUB_SHA: merge, GITHUB_REF: "refs/pull/7/merge" }),
          event,
        };
        expect(commitOf(runner)).toBeUndefined();
        expect(branchOf(runner, merge)).toBeUndefined();
      }),
    );
  });
});

describe("the commit input", () => {
  const runner = runnerForPush();

  test("is used before the event's, in lower case, without the event's branch", () => {
    const input = "ABCDEF0123456789ABCDEF0123456789ABCDEF01";
    expect(commitOf(runner, ` ${input}\n`)).toBe(input.toLowerCase());
    expect(branchOf(runner, input.toLowerCase())).toBeUndefined();
  });

  test.each(["HEAD", "abc123", "main", "g".repeat(40), "a".repeat(41), "--upload-pack=x"])(
    "is rejected when it is '%s'",
    (input) => {
      expect(() => commitOf(runner, input)).toThrow(InputError);
      expect(() => commitOf(runner, input)).toThrow(/commit: must be a full commit SHA/);
    },
  );

  test("is rejected when it is all zeros, which means no commit", () => {
    for (const input of [zero, ` ${zero}\n`]) {
      expect(() => commitOf(runner, input)).toThrow(/commit: must not be all zeros/);
    }
    for (const input of [`${zero}0`, `x${zero}`, `${zero}x`]) {
      expect(() => commitOf(runner, ` ${input} `)).toThrow(`hexadecimal digits, not '${input}'`);
    }
  });
});

function runnerForPush(): Runner {
  return readRunner({ GITHUB_SHA: head, GITHUB_REF: "refs/heads/main" });
}

interface Description {
  info: Awaited<ReturnType<typeof describeCommit>>;
  warnings: string[];
}

async function describeWith(question: Partial<CommitQuestion> & { runner: Runner }): Promise<Description> {
  const warnings: string[] = [];
  const info = await describeCommit({
    sha: head,
    redact: new Set(),
    signal: new AbortController().signal,
    warn: (text) => warnings.push(text),
    ...question,
  });
  return { info, warnings };
}

const pushed = {
  ref: "refs/heads/main",
  after: head,
  head_commit: {
    id: head,
    message: "From the event",
    timestamp: "2023-11-14T23:13:20+01:00",
    author: { name: "Eve", email: "eve@example.com", username: "eve" },
    committer: { name: "GitHub", email: "noreply@github.com", username: "web-flow" },
  },
};

describe("the description of a commit", () => {
  test("is the event's when there is no other source", async () => {
    const runner = runnerFor(pushed, {
      GITHUB_SHA: head,
      GITHUB_REF: "refs/heads/main",
      GITHUB_REPOSITORY: "acme/web",
      GITHUB_SERVER_URL: "https://ghe.example",
    });
    expect(await describeWith({ runner })).toStrictEqual({
      info: {
        sha1: head,
        message: "From the event",
        author: "Eve <eve@example.com>",
        authorUsername: "eve",
        branch: "main",
        timestamp: 1_700_000_000,
        url: `https://ghe.example/acme/web/commit/${head}`,
      },
      warnings: [],
    });
  });

  test("is only the SHA when no source has it", async () => {
    const { info, warnings } = await describeWith({ runner: readRunner({}) });
    expect(info).toStrictEqual({ sha1: head });
    expect(warnings).toEqual([]);
  });

  test("excludes the event's data for another commit", async () => {
    const runner = runnerFor(pushed, { GITHUB_SHA: head });
    expect((await describeWith({ runner, sha: base })).info).toStrictEqual({ sha1: base });
  });

  test.each(["workflow_run", "merge_group"])("includes the description in %s", async (name) => {
    const runner = runnerFor({ [name]: { head_sha: head, head_commit: pushed.head_commit } });
    expect((await describeWith({ runner })).info).toMatchObject({ message: "From the event" });
  });

  test("is GitHub's first, then the clone's, then the event's", async () => {
    const workspace = tempFolder();
    const sha = commitIn(workspace, "From the clone\n");
    const github = await gitHubServer(
      json(200, {
        sha,
        commit: {
          author: { name: "Grace", email: "grace@example.com" },
          verification: { verified: false, reason: "unsigned" },
        },
        author: null,
      }),
    );
    const runner = runnerFor(
      { head_commit: { ...pushed.head_commit, id: sha } },
      {
        PATH: process.env["PATH"],
        GITHUB_WORKSPACE: workspace,
        GITHUB_REPOSITORY: "acme/web",
        GITHUB_API_URL: github.url,
      },
    );
    expect(await describeWith({ runner, sha, token: "tok" })).toStrictEqual({
      info: {
        sha1: sha,
        message: "From the clone",
        author: "Grace <grace@example.com>",
        authorUsername: "eve",
        timestamp: 1_600_000_000,
        url: `https://github.com/acme/web/commit/${sha}`,
        parents: [],
        verified: false,
        signatureState: "UNSIGNED",
      },
      warnings: [],
    });
  });

  test("is the other sources', with a warning, when the token has no permission", async () => {
    const github = await gitHubServer(json(403, { message: "Resource not accessible by integration" }));
    const runner = runnerFor(pushed, { GITHUB_REPOSITORY: "acme/web", GITHUB_API_URL: github.url });
    const { info, warnings } = await describeWith({ runner, token: "tok" });
    expect(info).toMatchObject({ message: "From the event" });
    expect(info).not.toHaveProperty("verified");
    expect(warnings).toEqual([expect.stringContaining("contents: read")]);
  });

  test("is requested from GitHub until the caller's time limit", async () => {
    const github = await gitHubServer(() => {});
    const runner = runnerFor(pushed, { GITHUB_REPOSITORY: "acme/web", GITHUB_API_URL: github.url });
    const { warnings } = await describeWith({ runner, token: "tok", gitHubTimeLimitMs: 40 });
    expect(warnings).toEqual([expect.stringContaining("GitHub did not answer within 0.04 s")]);
  });

  test("is never requested from GitHub without a token", async () => {
    const github = await gitHubServer(json(200, {}));
    const runner = runnerFor(pushed, { GITHUB_REPOSITORY: "acme/web", GITHUB_API_URL: github.url });
    await describeWith({ runner, token: "" });
    expect(github.requests).toEqual([]);
  });
});

describe("the branch of a run started by a push", () => {
  const run = (branch: string, url?: string) =>
    runnerFor(
      {
        workflow_run: { head_sha: head, head_branch: branch, head_repository: ours, event: "push" },
        repository: { ...ours, default_branch: "main" },
      },
      { GITHUB_REPOSITORY: "acme/web", GITHUB_API_URL: url },
    );
  const withTags = (...names: string[]) =>
    gitHubServer(
      repository({
        "/git/matching-refs/tags/v1": names.map((name) => ({ ref: `refs/tags/${name}` })),
        [`/commits/${head}`]: { sha: head, commit: { message: "From GitHub" } },
      }),
    );

  test.each([
    [["v1", "v1.1"], undefined],
    [["v1.1"], "v1"],
    [[], "v1"],
  ])("is unset if GitHub has a tag of that name: %j", async (tags, branch) => {
    const github = await withTags(...tags);
    const { info, warnings } = await describeWith({ runner: run("v1", github.url), token: "tok" });
    expect([info.branch, info.message, warnings]).toEqual([branch, "From GitHub", []]);
  });

  test("is the default branch without a request, and unset where GitHub cannot be reached", async () => {
    expect((await describeWith({ runner: run("main") })).info.branch).toBe("main");
    const { info, warnings } = await describeWith({ runner: run("v1") });
    expect(info).not.toHaveProperty("branch");
    expect(warnings).toEqual([
      "No branch is recorded: 'v1' may be a tag. To check the branch at GitHub, set github-token to a token with the permission contents: read.",
    ]);
  });
});

describe("redacted fields are omitted", () => {
  const runner = () => runnerFor(pushed, { GITHUB_SHA: head, GITHUB_REF: "refs/heads/main" });

  test.each([
    ["author", { author: "**REDACTED**", authorUsername: undefined }],
    ["message", { message: "**REDACTED**" }],
    ["branch", { branch: "**REDACTED**" }],
  ] as const)("for %s, as the interface's own client writes it", async (redaction, redacted) => {
    const { info: whole } = await describeWith({ runner: runner() });
    const { info } = await describeWith({ runner: runner(), redact: new Set([redaction]) });
    expect(info).toEqual(JSON.parse(JSON.stringify({ ...whole, ...redacted })));
  });

  test("for author with the trailers of the message that name authors", async () => {
    const message =
      "Fix\n\nCo-authored-by: Bob <b@example.com>\nReviewed-by: Cyd\nSigned-off-by: Eve <e@x.example>";
    const { info } = await describeWith({
      runner: runnerFor({ head_commit: { ...pushed.head_commit, message } }),
      redact: new Set(["author"]),
    });
    expect(info.message).toBe("Fix\n\nReviewed-by: Cyd");
  });

  test("for author with the owner of the fork that a branch is in", async () => {
    const runner = runnerFor(pullRequest("main", { full_name: "linus/web" }));
    const { info } = await describeWith({ runner, redact: new Set(["author"]) });
    expect(info.branch).toBe("**REDACTED**:main");
  });

  test("without revealing its length", async () => {
    const long = { ...pushed, head_commit: { ...pushed.head_commit, message: "x".repeat(200_000) } };
    const { warnings } = await describeWith({ runner: runnerFor(long), redact: new Set(["message"]) });
    expect(warnings).toEqual([]);
  });
});

describe("a commit message", () => {
  const withMessage = (message: string) =>
    describeWith({ runner: runnerFor({ head_commit: { id: head, message } }) });

  test("is kept whole up to 64 KiB", async () => {
    const message = "x".repeat(MAX_MESSAGE_BYTES);
    const { info, warnings } = await withMessage(`${message}\n`);
    expect(info.message).toBe(message);
    expect(warnings).toEqual([]);
  });

  test("is truncated between characters above that, with a warning", async () => {
    const { info, warnings } = await withMessage(`x${"🎉".repeat(50_000)}`);
    expect(info.message).toBe(`x${"🎉".repeat(MAX_MESSAGE_BYTES / 4 - 1)}…`);
    expect(warnings).toEqual([expect.stringContaining("200001 bytes")]);
  });
});

test("an interrupt ends the description with the interrupt's own reason", async () => {
  const controller = new AbortController();
  const github = await gitHubServer(() => controller.abort(new Error("interrupted")));
  const runner = readRunner({ GITHUB_REPOSITORY: "acme/web", GITHUB_API_URL: github.url });
  const description = describeWith({ runner, token: "tok", signal: controller.signal });
  await expect(description).rejects.toThrow("interrupted");

  const { signal } = controller;
  await expect(describeWith({ runner: readRunner({}), signal })).rejects.toThrow("interrupted");
});

function commitIn(folder: string, message: string): string {
  const env = {
    PATH: process.env["PATH"],
    GIT_CONFIG_GLOBAL: join(folder, "none"),
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.com",
    GIT_AUTHOR_DATE: "1600000000 +0000",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.com",
  };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, env });
  git("init", "--quiet");
  git("commit", "--quiet", "--allow-empty", "-m", message);
  return git("rev-parse", "HEAD").toString().trim();
}

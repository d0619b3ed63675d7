import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { gitHubServer, json, repository } from "../github/github-server.ts";
import { PUSH, runBundle, runHere, SHA } from "./bundle-run.ts";
import { type Answer, recordingServer } from "./recording-server.ts";
import { annotationsIn, sent } from "./sent-attestations.ts";

const RECORDED = { status: 201, body: "OK", headers: { "x-request-id": "req-1" } };
const headSha = "1".repeat(40);

/** GitHub's list entry of a squash merge, whose commit is none of the pull request's own. */
const squashed = {
  html_url: "https://github.com/acme/web/pull/7",
  number: 7,
  title: "Sort the cart",
  state: "closed",
  user: { login: "grace", type: "User" },
  created_at: "2026-11-14T22:13:20Z",
  merged_at: "2026-11-14T22:30:00Z",
  merge_commit_sha: SHA,
  head: { ref: "feature", sha: headSha, repo: { full_name: "acme/web" } },
  base: { ref: "main", sha: "2".repeat(40), repo: { full_name: "acme/web" } },
};
const commit = {
  sha: headSha,
  html_url: `https://github.com/acme/web/commit/${headSha}`,
  commit: {
    message: "Sort the cart\n\nCo-authored-by: Linus <42+linus@users.noreply.github.com>",
    author: { name: "Grace Hopper", email: "grace@example.com", date: "2026-11-14T22:13:20Z" },
    committer: { name: "GitHub", email: "noreply@github.com", date: "2026-11-14T22:13:20Z" },
  },
  author: { login: "grace" },
  committer: { login: "web-flow" },
  parents: [],
};
const reviewBy = (login: string, state = "APPROVED") => ({
  user: { login, type: login.endsWith("[bot]") ? "Bot" : "User" },
  state,
  submitted_at: "2026-11-14T22:20:00Z",
  commit_id: headSha,
});

const gitHub = (answers: Record<string, unknown> = {}) =>
  repository({
    [`/commits/${SHA}`]: { ...commit, sha: SHA },
    [`/commits/${SHA}/pulls`]: [squashed],
    "/pulls/7": squashed,
    "/pulls/7/commits": [commit],
    "/pulls/7/reviews": [reviewBy("ada")],
    ...answers,
  });

interface Asked {
  inputs?: Record<string, string>;
  event?: { name: string; payload: unknown };
  response?: Answer;
}

async function attest(
  answer: RequestListener,
  { inputs = {}, event, response = RECORDED }: Asked = {},
  by = runHere,
) {
  const github = await gitHubServer(answer);
  await using server = await recordingServer([response]);
  const run = await by("attest", {
    server,
    inputs: { flow: "web", name: "review", kind: "pull_request", "github-token": "gh-token", ...inputs },
    env: { GITHUB_API_URL: github.url, ...(event && { GITHUB_EVENT_NAME: event.name }) },
    event: event?.payload ?? PUSH,
  });
  const { data } = sent(server.requests[0]);
  return { ...run, snapshot: run.snapshot, data, requests: server.requests, githubRequests: github.requests };
}

test("reports a rejected field under github-token, which read it, and not under data", async () => {
  const errors = { "pull_requests[0].url": "is not good" };
  const response = { status: 400, body: { message: "Input payload validation failed", errors } };
  const run = await attest(gitHub(), { response });
  expect(annotationsIn(run.stdout)).toEqual([
    expect.stringContaining("%0Agithub-token: 'pull_requests[0].url': is not good"),
  ]);
});

test("records the pull request of a squashed commit", async () => {
  const run = await attest(gitHub(), {}, runBundle);
  expect(run.snapshot).toMatchSnapshot();
  expect(run.status).toBe(0);
});

test("finds the pull request of a commit by the merge queue's branch", async () => {
  const headRef = `refs/heads/gh-readonly-queue/main/pr-7-${"2".repeat(40)}`;
  const open = { ...squashed, state: "open", merged_at: null };
  const run = await attest(gitHub({ [`/commits/${SHA}/pulls`]: [], "/pulls/7": open }), {
    event: {
      name: "merge_group",
      payload: { merge_group: { head_sha: SHA, head_ref: headRef }, repository: PUSH.repository },
    },
  });
  expect(run.data["pull_requests"]).toMatchObject([{ url: squashed.html_url, state: "OPEN" }]);
  expect(run.outputs["compliant"]).toBe("true");
});

test("waits for GitHub to link a commit that was just merged", async () => {
  let reads = 0;
  const late: RequestListener = (request, response) =>
    json(200, ++reads === 1 ? [] : [squashed])(request, response);
  const run = await attest(gitHub({ [`/commits/${SHA}/pulls`]: late }));
  expect(run.data["pull_requests"]).toMatchObject([{ url: squashed.html_url, state: "MERGED" }]);
  expect(reads).toBe(2);
});

test("records a commit without a pull request as not compliant", async () => {
  const run = await attest(gitHub({ [`/commits/${SHA}/pulls`]: [] }));
  expect(run.data).toMatchObject({ git_provider: "github", pull_requests: [] });
  expect(run.outputs).toMatchObject({ status: "recorded", compliant: "false" });
  expect(run.stdout).toContain("not compliant: GitHub has no pull request for the commit.");
});

test("records nothing without the permission, and shows the line to add", async () => {
  const denied = json(403, { message: "Resource not accessible by integration" });
  const run = await attest(gitHub({ [`/commits/${SHA}/pulls`]: denied }));
  expect(run.status).toBe(1);
  expect(run.requests).toEqual([]);
  expect(annotationsIn(run.stdout)).toEqual([
    expect.stringMatching(/^::error title=input.invalid::github-token: .*\(403\)/),
  ]);
  expect(run.stdout).toContain("permissions:%0A    pull-requests: read");
});

test.each([
  ["no token", { "github-token": "" }, "github-token: is required to read the pull requests from GitHub"],
  [
    "a commit that is not a SHA",
    { commit: "main" },
    "commit: must be a full commit SHA of 40 hexadecimal digits, not 'main'",
  ],
])("records nothing with %s", async (_, inputs, problem) => {
  const run = await attest(gitHub(), { inputs });
  expect(run.status).toBe(1);
  expect(run.requests).toEqual([]);
  expect(annotationsIn(run.stdout)).toEqual([expect.stringContaining(`::${problem}`)]);
});

describe("require-approvals: 1", () => {
  const judged = async (...reviews: unknown[]) =>
    attest(gitHub({ "/pulls/7/reviews": reviews }), { inputs: { "require-approvals": "1" } });

  test("is met by an approver who wrote none of the commits", async () => {
    const run = await judged(reviewBy("ada"));
    expect(run.outputs["compliant"]).toBe("true");
    expect(run.data["pull_requests"]).toMatchObject([
      { approvers: [{ username: "ada", state: "APPROVED" }] },
    ]);
  });

  test.each([["its author", [reviewBy("grace")], "grace approved, but wrote some of the commits"]])(
    "is not met by %s",
    async (_, reviews, why) => {
      const run = await judged(...reviews);
      expect(run.outputs).toMatchObject({ status: "recorded", compliant: "false" });
      expect(run.data["pull_requests"]).toEqual([]);
      expect(run.data["user_data"]).toMatchObject({
        pull_requests_not_counted: [squashed.html_url],
        why_not: expect.arrayContaining([expect.stringContaining(why)]),
      });
      expect(run.stdout).toContain(why);
    },
  );
});

test("accepts pull requests in the format of the API without asking GitHub", async () => {
  const brief = { url: "https://git.example/7", state: "MERGED", merge_commit: SHA };
  const data = { git_provider: "gitlab", pull_requests: [brief] };
  const run = await attest(gitHub(), { inputs: { data: JSON.stringify(data), "github-token": "" } });
  expect(run.data).toMatchObject(data);
  expect(run.outputs["compliant"]).toBe("true");
  expect(run.githubRequests).toEqual([]);
});

test("neutralizes a hostile title", async () => {
  const title = "\u001b[31m\n::error::x\n##[add-mask]y | <img src=x> `a` @b";
  const run = await attest(gitHub({ [`/commits/${SHA}/pulls`]: [{ ...squashed, title }] }));
  expect(run.stdout).not.toContain("\u001b");
  expect(annotationsIn(run.stdout)).toEqual([]);
  const row = run.snapshot.split("\n").find((line) => line.startsWith("| [&#35;7"));
  expect(row).toBe(
    "| [&#35;7<br>&#58; &#58;error&#58;&#58;x<br>&#35;&#35; &#91;add-mask&#93;y &#124; &#60;img src=x&#62; &#96;a&#96; &#64;<wbr>b](<https://github.com/acme/web/pull/7>) | merged | ada |",
  );
});

import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { pullRequestSubmission } from "../../../src/api/resources/attestation-kinds.ts";
import { toWire } from "../../../src/api/wire-names.ts";
import { describePullRequest, type PullRequest } from "../../../src/github/api/pull-request.ts";
import {
  LINK_TIME_LIMIT_MS,
  linkWaitMs,
  type PullRequestQuestion,
  readPullRequests,
} from "../../../src/github/api/pull-requests.ts";
import { type GitHubServer, gitHubServer, json, Pages, repository } from "../github-server.ts";

const headSha = "1".repeat(40);
const baseSha = "2".repeat(40);
const squash = "3".repeat(40);
const trial = "4".repeat(40);

/** GitHub's list entry of a squash merge. */
const merged = {
  html_url: "https://github.com/acme/web/pull/7",
  number: 7,
  title: "Sort the cart",
  state: "closed",
  user: { login: "grace", type: "User" },
  created_at: "2023-11-14T22:13:20Z",
  merged_at: "2023-11-14T22:30:00Z",
  merge_commit_sha: squash,
  head: { ref: "feature", sha: headSha, repo: { full_name: "acme/web" } },
  base: { ref: "main", sha: baseSha, repo: { full_name: "acme/web" } },
};

const commit = {
  sha: headSha,
  html_url: `https://github.com/acme/web/commit/${headSha}`,
  commit: {
    message: "Sort the cart\n\nCo-authored-by: Linus <linus@example.com>",
    author: { name: "Grace Hopper", email: "grace@example.com", date: "2023-11-14T22:13:20Z" },
    committer: { name: "GitHub", email: "noreply@github.com", date: "2023-11-14T22:13:20Z" },
    verification: { verified: true, reason: "valid" },
  },
  author: { login: "grace" },
  committer: { login: "web-flow" },
  parents: [{ sha: baseSha }],
};

const approval = {
  user: { login: "ada", type: "User" },
  state: "APPROVED",
  submitted_at: "2023-11-14T22:20:00Z",
  commit_id: headSha,
};

const linkedTo = (...pullRequests: unknown[]) => ({
  [`/commits/${squash}/pulls`]: pullRequests,
  "/pulls/7/commits": [commit],
  "/pulls/7/reviews": [approval],
});

describe("the branch of a pull request", () => {
  const fork = { full_name: "linus/web", owner: { login: "linus" } };

  test.each([
    ["in our repository has its plain name", { repo: merged.head.repo }, "feature"],
    ["in a fork is prefixed with the fork's owner", { repo: fork }, "linus:feature"],
    [
      "in a deleted fork is prefixed with the former owner",
      { repo: null, user: { login: "linus" } },
      "linus:feature",
    ],
    ["in a deleted fork of a deleted account has no owner", { repo: null, user: null }, "ghost:feature"],
  ])("%s, and its commits are of that branch", async (_, origin, branch) => {
    const head = { ref: "feature", sha: headSha, ...origin };
    const [pullRequest] = await pullRequestsFrom(linkedTo({ ...merged, head }));
    if (pullRequest === undefined) return expect.fail("no pull request");
    const { headRef, commits } = describePullRequest(pullRequest);
    expect([headRef, ...commits.map((each) => each.branch)]).toEqual([branch, branch]);
  });
});

function read(github: Pick<GitHubServer, "url">, changes: Partial<PullRequestQuestion> = {}) {
  return readPullRequests({
    apiUrl: github.url,
    repository: "acme/web",
    sha: squash,
    token: "tok",
    signal: new AbortController().signal,
    env: {},
    waitMs: () => 1,
    linkTimeLimitMs: 0,
    ...changes,
  });
}

async function pullRequestsFrom(answers: Record<string, unknown>, changes?: Partial<PullRequestQuestion>) {
  const result = await read(await gitHubServer(repository(answers)), changes);
  return "answer" in result ? result.answer : expect.unreachable(result.fault.message);
}

async function faultFrom(listener: RequestListener, changes?: Partial<PullRequestQuestion>) {
  const result = await read(await gitHubServer(listener), changes);
  return "fault" in result ? result.fault : expect.unreachable("GitHub returned an answer");
}

describe("the pull request of a squashed commit", () => {
  test("is returned with its commits, its people and its reviews", async () => {
    expect(await pullRequestsFrom(linkedTo(merged))).toEqual([
      {
        url: "https://github.com/acme/web/pull/7",
        number: 7,
        title: "Sort the cart",
        state: "MERGED",
        author: "grace",
        createdAt: 1_700_000_000,
        mergedAt: 1_700_001_000,
        headBranch: "feature",
        baseBranch: "main",
        mergeCommit: squash,
        commits: [
          {
            sha: headSha,
            url: commit.html_url,
            facts: {
              message: commit.commit.message,
              author: "Grace Hopper <grace@example.com>",
              authorUsername: "grace",
              timestamp: 1_700_000_000,
              parents: [baseSha],
              verified: true,
              signatureState: "VALID",
            },
            people: [
              { username: "grace", email: "grace@example.com" },
              { username: "web-flow", email: "noreply@github.com" },
            ],
          },
        ],
        complete: true,
        reviews: [{ username: "ada", bot: false, state: "APPROVED", timestamp: 1_700_000_400 }],
      },
    ]);
  });

  test("has no merge commit while it is open, because GitHub names only a trial merge", async () => {
    const open = { ...merged, state: "open", merged_at: null, merge_commit_sha: trial };
    const [found] = await pullRequestsFrom(linkedTo(open));
    expect(found).toMatchObject({ state: "OPEN" });
    expect(found).not.toHaveProperty("mergeCommit");
    expect(found).not.toHaveProperty("mergedAt");
  });

  test("is closed when it was closed without a merge", async () => {
    const closed = { ...merged, merged_at: null };
    expect(await pullRequestsFrom(linkedTo(closed))).toMatchObject([{ state: "CLOSED" }]);
  });

  test("is read to the last page of every list", async () => {
    const other = { ...merged, number: 8 };
    const github = await gitHubServer(
      repository({
        [`/commits/${squash}/pulls`]: new Pages([merged], [other]),
        "/pulls/7/commits": new Pages([commit], [{ ...commit, sha: baseSha }]),
        "/pulls/7/reviews": new Pages([{ ...approval, state: "COMMENTED" }], [approval]),
        "/pulls/8/commits": [commit],
        "/pulls/8/reviews": [],
      }),
    );
    const result = await read(github);
    expect(result).toMatchObject({
      answer: [
        { number: 7, commits: [{}, {}], reviews: [{ state: "APPROVED" }] },
        { number: 8, reviews: [] },
      ],
    });
    expect(github.requests.map(({ url }) => url)).toContain(
      `/repos/acme/web/commits/${squash}/pulls?per_page=100&page=2`,
    );
  });

  test("excludes those of a fork that shares the commit", async () => {
    const elsewhere = { ...merged, number: 70, base: { ref: "main", repo: { full_name: "linus/web" } } };
    expect(await pullRequestsFrom(linkedTo(elsewhere, merged))).toMatchObject([{ number: 7 }]);
  });

  test("was opened by a ghost when the account was deleted", async () => {
    expect(await pullRequestsFrom(linkedTo({ ...merged, user: null }))).toMatchObject([{ author: "ghost" }]);
  });
});

describe("the event's pull request", () => {
  const answers = { ...linkedTo(), "/pulls/7": merged };

  test("is requested by its number, because the queue's commit is linked to none", async () => {
    const github = await gitHubServer(repository(answers));
    expect(await read(github, { number: 7 })).toMatchObject({ answer: [{ number: 7 }] });
    expect(github.requests.map(({ url }) => url)).not.toContainEqual(expect.stringContaining("/commits/3"));
  });

  test("that is hidden is reported with the permission and the lines to add", async () => {
    const fault = await faultFrom(repository({}), { number: 7 });
    expect(fault.explain("https://api.github.com", "returned no pull requests of the commit")).toBe(
      [
        "the pull request #7, or all of acme/web, does not exist or is hidden from the token (404); the job needs the permission `pull-requests: read`: api.github.com returned no pull requests of the commit.",
        "Add this to the job, next to the permissions that it has already:",
        "  permissions:",
        "    pull-requests: read",
      ].join("\n"),
    );
  });
});

describe("the commits that GitHub lists", () => {
  const many = (count: number) => Array.from({ length: count }, () => commit);
  const answersFor = (count: number, inAll: number) => ({
    ...linkedTo(merged),
    "/pulls/7/commits": new Pages(many(100), many(100), many(count - 200)),
    "/pulls/7": { ...merged, commits: inAll },
  });

  test.each([
    [249, 249, true],
    [250, 250, true],
    [250, 251, false],
  ])("%i of %i: complete is %s", async (listed, inAll, complete) => {
    const [found] = await pullRequestsFrom(answersFor(listed, inAll));
    expect(found?.commits).toHaveLength(listed);
    expect(found?.complete).toBe(complete);
  });
});

describe("a commit that GitHub has not linked yet", () => {
  /** Answers the list request with each of these in turn, and with the last from then on. */
  const inTurn = (...answers: RequestListener[]): RequestListener => {
    let reads = 0;
    return (request, response) => {
      const answer = answers[Math.min(reads++, answers.length - 1)];
      answer?.(request, response);
    };
  };
  const linking = (...answers: RequestListener[]) => ({
    ...linkedTo(merged),
    [`/commits/${squash}/pulls`]: inTurn(...answers),
  });

  test("is requested again until it is linked, despite temporary faults", async () => {
    const answers = linking(
      json(200, []),
      json(502, {}),
      (request) => request.socket.destroy(),
      json(200, [merged]),
    );
    const github = await gitHubServer(repository(answers));
    const attempts: number[] = [];
    const waitMs = (attempt: number) => {
      attempts.push(attempt);
      return 1;
    };
    expect(await read(github, { linkTimeLimitMs: 10, waitMs })).toMatchObject({ answer: [{ number: 7 }] });
    expect(attempts).toEqual([1, 1, 2]);
  });

  test("has no pull request when the time for that is up", async () => {
    const github = await gitHubServer(repository({ [`/commits/${squash}/pulls`]: [] }));
    expect(await read(github, { linkTimeLimitMs: 3, waitMs: () => 1 })).toEqual({ answer: [] });
    expect(github.requests).toHaveLength(4);
  });

  test("is waited for ten seconds, with growing intervals", () => {
    expect(LINK_TIME_LIMIT_MS).toBe(10_000);
    expect([1, 2, 3, 4, 5].map(linkWaitMs)).toEqual([500, 1000, 2000, 4000, 8000]);
  });

  test("is not requested again after a permanent error", async () => {
    const github = await gitHubServer(json(403, {}));
    const result = await read(github, { linkTimeLimitMs: 10 });
    expect(result).toMatchObject({ fault: { advice: expect.stringContaining("pull-requests: read") } });
    expect(github.requests).toHaveLength(1);
  });

  test("is reported as a fault when GitHub's errors persist", async () => {
    const github = await gitHubServer(json(503, {}));
    expect(await read(github)).toMatchObject({ fault: { message: "GitHub answered 503" } });
    expect(github.requests).toHaveLength(3);
  });

  test("is abandoned at once when the step is interrupted", async () => {
    const controller = new AbortController();
    const github = await gitHubServer(json(200, []));
    const waitMs = () => {
      setImmediate(() => controller.abort(new Error("interrupted")));
      return 3_600_000;
    };
    const reads = read(github, { signal: controller.signal, linkTimeLimitMs: 3_600_000, waitMs });
    await expect(reads).rejects.toThrow("interrupted");
  });
});

describe("an invalid response is a fault", () => {
  test.each([
    ["no list", { [`/commits/${squash}/pulls`]: { message: "?" } }, "GitHub's response is not a list"],
    ["no pull request", linkedTo({ id: 1 }), "GitHub's response is not a pull request"],
    [
      "half a pull request",
      linkedTo({ ...merged, head: null }),
      "GitHub's response does not describe the pull request",
    ],
    [
      "no commits",
      { ...linkedTo(merged), "/pulls/7/commits": [{ oid: 1 }] },
      "GitHub's response is not the commits of pull request #7",
    ],
  ])("for %s", async (_, answers, why) => {
    expect((await faultFrom(repository(answers))).message).toBe(why);
  });

  test("for no response before the time is up", async () => {
    expect((await faultFrom(() => {}, { timeLimitMs: 50 })).message).toBe(
      "GitHub did not answer within 0.05 s",
    );
  });
});

describe("the pull request data sent to the service", () => {
  const known = async () => {
    const reviews = [
      approval,
      { ...approval, user: { login: "bob" }, state: "CHANGES_REQUESTED" },
      { ...approval, user: { login: "cyd" }, state: "DISMISSED" },
    ];
    const [found] = await pullRequestsFrom({ ...linkedTo(merged), "/pulls/7/reviews": reviews });
    return found ?? expect.unreachable("exists");
  };
  const sent = (pullRequest: PullRequest) =>
    toWire(pullRequestSubmission, {
      attestationName: "review",
      gitProvider: "github",
      pullRequests: [describePullRequest(pullRequest)],
    });

  test("has the interface's fields, with valid approvals only", async () => {
    const submission = pullRequestSubmission.parse(sent(await known()));
    expect(submission.pull_requests).toEqual([
      {
        url: "https://github.com/acme/web/pull/7",
        state: "MERGED",
        author: "grace",
        title: "Sort the cart",
        created_at: 1_700_000_000,
        merged_at: 1_700_001_000,
        head_ref: "feature",
        base_ref: "main",
        merge_commit: squash,
        approvers: [{ username: "ada", state: "APPROVED", timestamp: 1_700_000_400 }],
        commits: [
          {
            sha1: headSha,
            message: commit.commit.message,
            author: "Grace Hopper <grace@example.com>",
            author_username: "grace",
            branch: "feature",
            url: commit.html_url,
            timestamp: 1_700_000_000,
            parents: [baseSha],
            verified: true,
            signature_state: "VALID",
          },
        ],
      },
    ]);
  });

  test("is accepted while the pull request is open, too", async () => {
    const { mergedAt: _, mergeCommit: __, ...open } = await known();
    expect(() => pullRequestSubmission.parse(sent({ ...open, state: "OPEN" }))).not.toThrow();
  });

  test.each([
    ["author", /grace|linus/i],
    ["message", /sort the cart/i],
    ["branch", /feature/],
  ] as const)("contains nothing of the %s that is redacted", async (redaction, secret) => {
    const pullRequest = await known();
    const ofFork = { ...pullRequest, headBranch: "linus:feature" };
    expect(JSON.stringify(describePullRequest(ofFork))).toMatch(secret);
    expect(JSON.stringify(describePullRequest(ofFork, new Set([redaction])))).not.toMatch(secret);
  });

  test("contains the beginning of a long message", async () => {
    const pullRequest = await known();
    const commits = pullRequest.commits.map((each) => ({ ...each, facts: { message: "🎉".repeat(2_000) } }));
    const [first] = describePullRequest({ ...pullRequest, commits }).commits;
    expect(first?.message?.length).toBe(2_000);
    expect(first?.message?.isWellFormed()).toBe(true);
  });
});

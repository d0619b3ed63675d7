import { describe, expect, test } from "vitest";
import { reviewFacts } from "../../src/github/api/review-facts.ts";
import { json } from "../api/local-server.ts";
import { type Answers, HEAD, hostServer, inputsOf, read, refusal, SHA, sent } from "./host-server.ts";

const repository = "/Web%20shop/_apis/git/repositories/web";
const asked = { provider: "azure", repository: "Web shop/web" } as const;

const identity = (displayName: string, uniqueName: string, more: object = {}) => ({
  ...{ displayName, uniqueName, id: `ID-${displayName}`, url: "https://vssps.example/1" },
  ...more,
});
const grace = identity("Grace Hopper", "grace@example.com");
const ada = identity("Ada Lovelace", "ada@example.com");
const completed = {
  pullRequestId: 7,
  status: "completed",
  createdBy: grace,
  creationDate: "2026-11-14T22:13:20.1234567Z",
  closedDate: "2026-11-14T22:30:00.7654321Z",
  title: "Sort the cart",
  sourceRefName: "refs/heads/feature",
  targetRefName: "refs/heads/main",
  lastMergeSourceCommit: { commitId: HEAD },
  lastMergeCommit: { commitId: SHA },
  reviewers: [],
};
const commit = {
  commitId: HEAD,
  author: { name: "Grace Hopper", email: "grace@example.com", date: "2026-11-14T22:00:00Z" },
  committer: { name: "Grace Hopper", email: "grace@example.com", date: "2026-11-14T22:05:00Z" },
  comment: "Sort the cart",
  url: `https://dev.azure.com/acme/1/_apis/git/repositories/2/commits/${HEAD}`,
};
const vote = (properties: Readonly<Record<string, string>>, publishedDate: string, more: object = {}) => ({
  publishedDate,
  properties: Object.fromEntries(
    Object.entries({ CodeReviewThreadType: "VoteUpdate", ...properties }).map(([name, $value]) => [
      name,
      { $type: "System.String", $value },
    ]),
  ),
  ...more,
});
const answers = (changes: Answers = {}): Answers => ({
  [`${repository}/pullrequestquery`]: {
    queries: [],
    results: [{ [SHA]: [completed] }, { [SHA]: [completed] }],
  },
  [`${repository}/pullRequests/7/reviewers`]: {
    value: [
      { ...ada, vote: 10 },
      { ...identity("Bob", "bob@example.com"), vote: 5 },
      { ...identity("Cyd", "cyd@example.com"), vote: -10 },
    ],
    count: 3,
  },
  [`${repository}/pullRequests/7/threads`]: {
    value: [
      vote({ CodeReviewVoteResult: "10", CodeReviewVotedByIdentity: "1" }, "2026-11-14T22:20:00.1Z", {
        identities: { 1: ada },
      }),
      vote({ CodeReviewVoteResult: "10", CodeReviewVotedByTfId: "id-ada lovelace" }, "2026-11-14T22:25:00Z"),
      vote({ CodeReviewVoteResult: "-5", CodeReviewVotedByTfId: "id-ada lovelace" }, "2026-11-14T22:27:00Z"),
      { publishedDate: "2026-11-14T22:29:00Z", comments: [], properties: null, identities: null },
    ],
  },
  [`${repository}/pullRequests/7/commits`]: { value: [commit], count: 1 },
  ...changes,
});
const found = async (changes?: Answers) => read(await hostServer(answers(changes)), asked);

test("a completed pull request of Azure DevOps has the public client's payload, with the time of the vote", async () => {
  const server = await hostServer(answers());
  expect(sent("azure", await read(server, asked))).toEqual([
    {
      url: `${server.url}/Web%20shop/_git/web/pullrequest/7`,
      merge_commit: SHA,
      state: "completed",
      approvers: [
        { username: "Ada Lovelace (ada@example.com)", state: "APPROVED", timestamp: 1_794_695_100 },
      ],
      author: "Grace Hopper (grace@example.com)",
      created_at: 1_794_694_400,
      merged_at: 1_794_695_400,
      title: "Sort the cart",
      head_ref: "refs/heads/feature",
      base_ref: "refs/heads/main",
      commits: [
        {
          sha1: HEAD,
          message: "Sort the cart",
          author: "Grace Hopper <grace@example.com>",
          timestamp: 1_794_693_600,
          branch: "refs/heads/feature",
          url: commit.url,
        },
      ],
    },
  ]);
  const [query] = server.received;
  expect([query?.method, query?.path]).toEqual(["POST", `${repository}/pullrequestquery?api-version=5.1`]);
  expect(JSON.parse(query?.body.toString() ?? "")).toEqual({
    queries: [
      { type: "commit", items: [SHA] },
      { type: "lastMergeCommit", items: [SHA] },
    ],
  });
});

test("an active pull request has no commit of its trial merge", async () => {
  const active = { ...completed, status: "active", closedDate: undefined };
  const results = [{}, { [SHA]: [active] }];
  const [first] = sent("azure", await found({ [`${repository}/pullrequestquery`]: { results } }));
  expect(first).toMatchObject({ state: "active" });
  expect(first).not.toHaveProperty("merged_at");
  expect(first).not.toHaveProperty("merge_commit");
});

test("commits are read to the last page, with their whole messages", async () => {
  const path = `${repository}/pullRequests/7/commits`;
  const short = { ...commit, commitId: SHA, comment: "Sort", commentTruncated: true };
  const [first] = await found({
    [`${path}?api-version=5.1&%24top=100`]: (response: Parameters<typeof json>[0]) =>
      json(response, 200, { value: [commit] }, { "x-ms-continuationtoken": "next 1" }),
    [`${path}?api-version=5.1&%24top=100&continuationToken=next+1`]: { value: [short] },
    [`${repository}/commits/${SHA}`]: { ...commit, comment: "Sort\n\nAssisted-by: Robot:1" },
  });
  expect(first?.commits.map(({ sha }) => sha)).toEqual([HEAD, SHA]);
  expect(reviewFacts(first ? [first] : [], new Set())).toMatchObject({ agents: ["Robot:1"] });
});

describe("four eyes at Azure DevOps", () => {
  const committed = (email: string) => ({
    ...commit,
    author: { name: "A", email, date: commit.author.date },
  });
  test.each([
    ["another person", { ...ada, vote: 10 }, commit, true],
    ["an author by the address", { ...ada, vote: 10 }, committed("ADA@example.com"), false],
    ["the creator", { ...grace, vote: 10 }, committed("x@example.com"), false],
    ["only a group", { ...identity("Team", "vstfs:///1", { isContainer: true }), vote: 10 }, commit, false],
    ["a pipeline", { ...identity("Web Build Service (acme)", "2f1"), vote: 10 }, commit, false],
  ])("approved by %s: %s", async (_, approval, one, four_eyes) => {
    const all = await found({
      [`${repository}/pullRequests/7/reviewers`]: { value: [approval] },
      [`${repository}/pullRequests/7/commits`]: { value: [one] },
    });
    expect(reviewFacts(all, new Set())).toMatchObject({ four_eyes });
  });

  test("are found among 100 reviewers", async () => {
    const reviewers = Array.from({ length: 100 }, (_, index) => ({
      ...identity(`P${index}`, `p${index}@example.com`),
      vote: index === 99 ? 10 : 0,
    }));
    const [first] = await found({ [`${repository}/pullRequests/7/reviewers`]: { value: reviewers } });
    expect(first?.reviews).toMatchObject([{ username: "P99 (p99@example.com)" }]);
    expect(first?.reviews[0]?.timestamp).toBeUndefined();
  });
});

test("the sign-in page is reported as a token that is not accepted", async () => {
  const page = {
    [`${repository}/pullrequestquery`]: (response: Parameters<typeof json>[0]) =>
      void response.writeHead(203, { "content-type": "text/html" }).end("<h1>Sign in</h1>"),
  };
  expect(await inputsOf(found(page))).toEqual(["code-host-token"]);
  expect(await refusal(answers(page), asked)).toContain(
    'Azure DevOps does not accept the token: text/html "<h1>Sign in</h1>" (HOST, status 203)',
  );
});

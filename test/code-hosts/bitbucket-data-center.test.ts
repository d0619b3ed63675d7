import { describe, expect, test } from "vitest";
import { reviewFacts } from "../../src/github/api/review-facts.ts";
import { type Answers, HEAD, hostServer, read, SHA, sent } from "./host-server.ts";

const repository = "/rest/api/1.0/projects/ACME/repos/web";
const asked = { provider: "bitbucket", repository: "ACME/web" } as const;

const user = (name: string, displayName: string, more: object = {}) => ({
  ...{ name, displayName, emailAddress: `${name}@example.com`, slug: name, active: true, type: "NORMAL" },
  ...more,
});
const page = (...values: unknown[]) => ({
  values,
  size: values.length,
  limit: 100,
  start: 0,
  isLastPage: true,
});
const reviewer = (who: object, more: object = {}) => ({
  ...{ user: who, role: "REVIEWER", approved: true, status: "APPROVED", lastReviewedCommit: HEAD },
  ...more,
});
const merged = {
  id: 7,
  version: 3,
  title: "Sort the cart",
  state: "MERGED",
  open: false,
  closed: true,
  createdDate: 1_794_694_400_123,
  updatedDate: 1_794_695_400_456,
  closedDate: 1_794_695_400_456,
  fromRef: { id: "refs/heads/feature", displayId: "feature", latestCommit: HEAD },
  toRef: { id: "refs/heads/main", displayId: "main" },
  author: { user: user("grace", "Grace Hopper"), role: "AUTHOR", approved: false, status: "UNAPPROVED" },
  reviewers: [
    reviewer(user("ada", "Ada Lovelace")),
    reviewer(user("bob", "Bob"), { approved: false, status: "NEEDS_WORK" }),
  ],
  participants: [],
  properties: { mergeCommit: { displayId: SHA.slice(0, 11), id: SHA } },
  links: { self: [{ href: "https://git.example.com/projects/ACME/repos/web/pull-requests/7" }] },
};
const commit = {
  id: HEAD,
  displayId: HEAD.slice(0, 11),
  message: "Sort the cart",
  author: user("grace", "Grace Hopper"),
  authorTimestamp: 1_794_693_600_000,
  committer: { name: "Grace Hopper", emailAddress: "grace@laptop" },
  committerTimestamp: 1_794_693_700_000,
  parents: [],
};
const answers = (changes: Answers = {}): Answers => ({
  [`${repository}/commits/${SHA}/pull-requests`]: page(merged),
  [`${repository}/pull-requests/7`]: merged,
  [`${repository}/pull-requests/7/commits`]: page(commit),
  [`${repository}/pull-requests/7/activities`]: page(
    { id: 3, createdDate: 1_794_694_900_000, user: user("ada", "Ada"), action: "APPROVED" },
    { id: 2, createdDate: 1_794_694_850_000, user: user("ada", "Ada"), action: "UNAPPROVED" },
    { id: 1, createdDate: 1_794_694_800_000, user: user("ada", "Ada"), action: "APPROVED" },
  ),
  ...changes,
});
const found = async (changes?: Answers) => read(await hostServer(answers(changes)), asked);

test("a merged pull request of Bitbucket Data Center has the payload of Bitbucket, with the time of the merge", async () => {
  const server = await hostServer(answers());
  const [first] = sent("bitbucket", await read(server, asked));
  expect(first).toEqual({
    url: "https://git.example.com/projects/ACME/repos/web/pull-requests/7",
    merge_commit: SHA,
    state: "MERGED",
    approvers: [{ username: "Ada Lovelace", state: "APPROVED", timestamp: 1_794_694_900 }],
    author: "Grace Hopper",
    created_at: 1_794_694_400,
    merged_at: 1_794_695_400,
    title: "Sort the cart",
    head_ref: "feature",
    base_ref: "main",
    commits: [
      {
        sha1: HEAD,
        message: "Sort the cart",
        author: "Grace Hopper <grace@example.com>",
        timestamp: 1_794_693_600,
        branch: "feature",
        url: `${server.url}/projects/ACME/repos/web/commits/${HEAD}`,
      },
    ],
  });
});

test("a merge commit is found among the newest merges, and only there", async () => {
  const other = { ...merged, id: 8, properties: { mergeCommit: { id: HEAD } } };
  const byMerge = {
    [`${repository}/commits/${SHA}/pull-requests`]: page(),
    [`${repository}/pull-requests`]: page(other, merged),
  };
  expect(await found(byMerge)).toMatchObject([{ number: 7 }]);
  expect(await found({ ...byMerge, [`${repository}/pull-requests`]: page(other) })).toEqual([]);
});

test("lists are read to the last page", async () => {
  const path = `${repository}/pull-requests/7/commits`;
  const [first] = await found({
    [`${path}?limit=100`]: { ...page(commit), isLastPage: false, nextPageStart: 100 },
    [`${path}?limit=100&start=100`]: page({ ...commit, id: SHA }),
  });
  expect(first?.commits.map(({ sha }) => sha)).toEqual([HEAD, SHA]);
});

test("a declined pull request has no merge, and does not count for four eyes", async () => {
  const declined = { ...merged, state: "DECLINED", properties: {} };
  const all = await found({ [`${repository}/pull-requests/7`]: declined });
  expect(sent("bitbucket", all)[0]).not.toHaveProperty("merged_at");
  expect(reviewFacts(all, new Set())).toMatchObject({ four_eyes: false });
});

describe("four eyes at Bitbucket Data Center", () => {
  test.each([
    ["another person", reviewer(user("ada", "Ada")), true],
    ["the author's account", reviewer(user("Grace", "G.")), false],
    ["the committer by name", reviewer(user("gh", "Grace Hopper")), false],
    ["a service user", reviewer(user("ci", "CI", { type: "SERVICE" })), false],
  ])("approved by %s: %s", async (_, approval, four_eyes) => {
    const all = await found({ [`${repository}/pull-requests/7`]: { ...merged, reviewers: [approval] } });
    expect(reviewFacts(all, new Set())).toMatchObject({ four_eyes });
  });
});

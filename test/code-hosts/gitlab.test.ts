import { describe, expect, test } from "vitest";
import { reviewFacts } from "../../src/github/api/review-facts.ts";
import { json } from "../api/local-server.ts";
import { type Answers, HEAD, hostServer, inputsOf, read, refusal, SHA, sent } from "./host-server.ts";

const project = "/api/v4/projects/acme%2Fshop%2Fweb";
const asked = { provider: "gitlab", repository: "acme/shop/web" } as const;

/** GitLab's list entry of a squash with a merge commit. */
const merged = {
  id: 84,
  iid: 7,
  project_id: 4,
  title: "Sort the cart",
  description: "Closes #3",
  state: "merged",
  created_at: "2026-11-14T22:13:20.123Z",
  updated_at: "2026-11-14T22:30:00.456Z",
  merged_at: "2026-11-14T22:30:00.456Z",
  target_branch: "main",
  source_branch: "feature",
  author: { id: 1, name: "Grace Hopper", username: "grace", state: "active" },
  sha: HEAD,
  merge_commit_sha: SHA,
  squash_commit_sha: "c".repeat(40),
  web_url: "https://gitlab.example.com/acme/shop/web/-/merge_requests/7",
};
const commit = {
  id: HEAD,
  short_id: HEAD.slice(0, 8),
  created_at: "2026-11-14T23:13:20.000+01:00",
  parent_ids: [],
  title: "Sort the cart",
  message: "Sort the cart\n\nCo-authored-by: Linus <42-linus@users.noreply.gitlab.com>\n",
  author_name: "Grace Hopper",
  author_email: "grace@example.com",
  authored_date: "2026-11-14T22:00:00.000Z",
  committer_name: "GitLab",
  committer_email: "noreply@gitlab.example.com",
  committed_date: "2026-11-14T22:13:20.000Z",
  web_url: `https://gitlab.example.com/acme/shop/web/-/commit/${HEAD}`,
};
const approvedBy = (name: string, username: string, more: object = {}) => ({
  user: { id: 2, name, username, state: "active", web_url: `https://gitlab.example.com/${username}` },
  ...more,
});
const note = (username: string, body: string, created_at: string, more: object = {}) => ({
  ...{ id: 1, body, author: { id: 2, username, name: username }, created_at, system: true },
  ...more,
});

const answers = (changes: Answers = {}): Answers => ({
  [`${project}/repository/commits/${SHA}/merge_requests`]: [merged],
  [`${project}/merge_requests/7/approvals`]: { approved_by: [approvedBy("Ada Lovelace", "ada")] },
  [`${project}/merge_requests/7/notes`]: [
    note("ada", "approved this merge request", "2026-11-14T22:25:00.000Z"),
    note("ada", "unapproved this merge request", "2026-11-14T22:22:00.000Z"),
    note("ada", "approved this merge request", "2026-11-14T22:20:00.000Z"),
    note("ada", "approved this merge request", "2026-11-14T22:29:00.000Z", { system: false }),
  ],
  [`${project}/merge_requests/7/commits`]: [commit],
  [`${project}/repository/commits/${HEAD}/signature`]: {
    signature_type: "SSH",
    verification_status: "verified",
  },
  ...changes,
});
const found = async (changes?: Answers) => read(await hostServer(answers(changes)), asked);

describe("a merged merge request of GitLab", () => {
  test("has the public client's payload, with the time of the approval", async () => {
    expect(sent("gitlab", await found())).toEqual([
      {
        url: merged.web_url,
        merge_commit: SHA,
        state: "merged",
        approvers: [{ username: "Ada Lovelace (@ada)", timestamp: 1_794_695_100 }],
        author: "Grace Hopper (@grace)",
        created_at: 1_794_694_400,
        merged_at: 1_794_695_400,
        title: "Sort the cart",
        head_ref: "feature",
        base_ref: "main",
        commits: [
          {
            sha1: HEAD,
            message: commit.message,
            author: "Grace Hopper <grace@example.com>",
            timestamp: 1_794_693_600,
            branch: "feature",
            url: commit.web_url,
            verified: true,
            signature_state: "verified",
          },
        ],
      },
    ]);
  });

  test("is asked for with the token only, without the notes if the approvals have times", async () => {
    const approved_by = [approvedBy("Ada", "ada", { approved_at: "2026-11-14T22:20:00Z" })];
    const server = await hostServer(answers({ [`${project}/merge_requests/7/approvals`]: { approved_by } }));
    const [first] = await read(server, asked);
    expect(first?.reviews).toMatchObject([{ username: "Ada (@ada)", timestamp: 1_794_694_800 }]);
    expect(server.received.map(({ path }) => path)).toEqual([
      `${project}/repository/commits/${SHA}/merge_requests?per_page=100`,
      `${project}/merge_requests/7/commits?per_page=100`,
      `${project}/repository/commits/${HEAD}/signature`,
      `${project}/merge_requests/7/approvals`,
    ]);
  });

  test.each([
    ["a squash without a merge commit", { merge_commit_sha: null }, "c".repeat(40)],
    ["a fast-forward", { merge_commit_sha: null, squash_commit_sha: null }, HEAD],
  ])("has the commit of %s", async (_, change, mergeCommit) => {
    const path = `${project}/repository/commits/${SHA}/merge_requests`;
    expect(await found({ [path]: [{ ...merged, ...change }] })).toMatchObject([{ mergeCommit }]);
  });
});

test("an open merge request without commits has no merge, and a list of commits nevertheless", async () => {
  const open = {
    ...merged,
    state: "opened",
    merged_at: null,
    merge_commit_sha: null,
    squash_commit_sha: null,
  };
  const [first] = sent(
    "gitlab",
    await found({
      [`${project}/repository/commits/${SHA}/merge_requests`]: [open],
      [`${project}/merge_requests/7/approvals`]: { approved_by: [] },
      [`${project}/merge_requests/7/commits`]: [],
    }),
  );
  expect(first).toMatchObject({ state: "opened", approvers: [], commits: [] });
  expect(first).not.toHaveProperty("merged_at");
  expect(first).not.toHaveProperty("merge_commit");
});

test("an unsigned commit has no signature, and 500 commits are read to the last page", async () => {
  const shas = Array.from({ length: 500 }, (_, index) => index.toString(16).padStart(40, "0"));
  const pages = Object.fromEntries(
    [1, 2, 3, 4, 5].map((page) => [
      `${project}/merge_requests/7/commits?per_page=100${page > 1 ? `&page=${page}` : ""}`,
      (response: Parameters<typeof json>[0]) =>
        json(
          response,
          200,
          shas.slice((page - 1) * 100, page * 100).map((id) => ({ ...commit, id })),
          page < 5 ? { "x-next-page": String(page + 1) } : { "x-next-page": "" },
        ),
    ]),
  );
  shas[0] = HEAD;
  const [first] = await found(pages);
  expect(first?.commits.map(({ sha }) => sha)).toEqual(shas);
  expect(first?.commits[1]?.facts).not.toHaveProperty("verified");
});

describe("four eyes at GitLab", () => {
  const facts = async (changes: Answers) => reviewFacts(await found(changes), new Set());
  const approvals = (...approved_by: unknown[]) => ({
    [`${project}/merge_requests/7/approvals`]: { approved_by },
  });

  test("are true if another person approved", async () => {
    expect(await facts({})).toEqual({ four_eyes: true, written_with_agents: false, agents: [] });
  });

  test.each([
    ["the author by name", approvedBy("grace hopper", "gh2"), "wrote some of the commits"],
    ["a co-author by a private address", approvedBy("L. T.", "linus"), "wrote some of the commits"],
    ["the account that opened it", approvedBy("G. H.", "grace"), "opened the pull request"],
    ["an access token", approvedBy("deploy", "project_4_bot_1a2b"), "is a bot"],
  ])("are false if only %s approved", async (_, approval, why) => {
    const { four_eyes, four_eyes_missing } = await facts(approvals(approval));
    expect(four_eyes).toBe(false);
    expect(four_eyes_missing?.join()).toContain(why);
  });
});

test.each([
  [
    "a project that does not exist",
    { [`${project}/repository/commits/${SHA}/merge_requests`]: undefined },
    "code-host-repository",
    `GitLab has no '${project.slice(1)}/repository/commits/${SHA}/merge_requests' for 'acme/shop/web'`,
  ],
  [
    "a job token",
    {
      [`${project}/repository/commits/${SHA}/merge_requests`]: (response: Parameters<typeof json>[0]) =>
        json(response, 401, { message: "401 Unauthorized" }),
    },
    "code-host-token",
    "GitLab does not accept the token: 401 Unauthorized (HOST, status 401)",
  ],
])("%s is refused under its input", async (_, changes, input, problem) => {
  const text = await refusal(answers(changes), asked);
  expect(text).toContain(problem);
  expect(await inputsOf(found(changes))).toEqual([input]);
});

test("the refusal of a token says which token to create", async () => {
  const forbidden = (response: Parameters<typeof json>[0]) =>
    json(response, 403, { error: "insufficient_scope" });
  const text = await refusal(answers({ [`${project}/merge_requests/7/approvals`]: forbidden }), asked);
  expect(text).toContain("/merge_requests/7/approvals': insufficient_scope");
  expect(text).toContain("project access token with the scope read_api");
});

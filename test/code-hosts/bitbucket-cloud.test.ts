import { describe, expect, test } from "vitest";
import { reviewFacts } from "../../src/github/api/review-facts.ts";
import { json, type LocalServer } from "../api/local-server.ts";
import { type Answers, HEAD, hostServer, inputsOf, read, refusal, SHA, sent } from "./host-server.ts";

const repository = "/2.0/repositories/acme/web";
const asked = { provider: "bitbucket", isCloud: true } as const;

const user = (display_name: string, more: object = {}) => ({
  ...{ display_name, type: "user", uuid: `{${display_name.toLowerCase()}}`, account_id: `1:${display_name}` },
  ...more,
});
const listed = {
  type: "pullrequest",
  id: 7,
  title: "Sort the cart",
  links: {
    self: { href: "https://elsewhere.example/2.0/repositories/acme/web/pullrequests/7" },
    html: { href: "https://bitbucket.org/acme/web/pull-requests/7" },
  },
};
const participant = (who: object, more: object = {}) => ({
  ...{ type: "participant", user: who, role: "REVIEWER", approved: true, state: "approved" },
  ...{ participated_on: "2026-11-14T22:20:00.123456+00:00" },
  ...more,
});
const details = {
  ...listed,
  state: "MERGED",
  author: user("Grace"),
  created_on: "2026-11-14T22:13:20.123456+00:00",
  updated_on: "2026-11-14T22:30:00.654321+00:00",
  merge_commit: { hash: SHA.slice(0, 12), type: "commit" },
  source: { branch: { name: "feature" }, commit: { hash: HEAD.slice(0, 12) } },
  destination: { branch: { name: "main" } },
  participants: [
    participant(user("Ada")),
    participant(user("Bob"), { approved: false, state: "changes_requested" }),
    participant(user("Cyd"), { approved: false, state: null, role: "PARTICIPANT", participated_on: null }),
  ],
};
const commit = {
  hash: HEAD,
  date: "2026-11-14T22:00:00+00:00",
  message: "Sort the cart\n",
  author: { raw: "Grace Hopper <grace@example.com>", type: "author", user: user("Grace") },
  links: { html: { href: `https://bitbucket.org/acme/web/commits/${HEAD}` } },
};
const answers = (changes: Answers = {}): Answers => ({
  [`${repository}/commit/${SHA}/pullrequests`]: { values: [listed], pagelen: 50, size: 1, page: 1 },
  [`${repository}/pullrequests/7`]: details,
  [`${repository}/pullrequests/7/commits`]: { values: [commit] },
  ...changes,
});
const found = async (changes?: Answers) => read(await hostServer(answers(changes)), asked);

test("a merged pull request of Bitbucket has the public client's payload", async () => {
  expect(sent("bitbucket", await found())).toEqual([
    {
      url: "https://bitbucket.org/acme/web/pull-requests/7",
      merge_commit: SHA,
      state: "MERGED",
      approvers: [{ username: "Ada", state: "approved", timestamp: 1_794_694_800 }],
      author: "Grace",
      created_at: 1_794_694_400,
      merged_at: 1_794_695_400,
      title: "Sort the cart",
      head_ref: "feature",
      base_ref: "main",
      commits: [
        {
          sha1: HEAD,
          message: "Sort the cart\n",
          author: "Grace Hopper <grace@example.com>",
          timestamp: 1_794_693_600,
          branch: "feature",
          url: `https://bitbucket.org/acme/web/commits/${HEAD}`,
        },
      ],
    },
  ]);
});

test("an open pull request has no time and no commit of a merge", async () => {
  const open = { ...details, state: "OPEN", merge_commit: null };
  const [first] = sent("bitbucket", await found({ [`${repository}/pullrequests/7`]: open }));
  expect(first).toMatchObject({ state: "OPEN" });
  expect(first).not.toHaveProperty("merged_at");
  expect(first).not.toHaveProperty("merge_commit");
});

test("the asked commit is no merge commit if another one is", async () => {
  const other = { ...details, merge_commit: { hash: "d".repeat(12) } };
  expect((await found({ [`${repository}/pullrequests/7`]: other }))[0]?.mergeCommit).toBeUndefined();
});

test("pages are read by their own addresses, but from the same host with the same path", async () => {
  const next = "https://elsewhere.example/2.0/other?page=x%3D%3D&pagelen=50";
  const server: LocalServer = await hostServer(
    answers({
      [`${repository}/pullrequests/7/commits?pagelen=50`]: { values: [commit], next },
      [`${repository}/pullrequests/7/commits?pagelen=50&page=x%3D%3D`]: {
        values: [{ ...commit, hash: SHA }],
      },
    }),
  );
  const [first] = await read(server, asked);
  expect(first?.commits.map(({ sha }) => sha)).toEqual([HEAD, SHA]);
});

describe("four eyes at Bitbucket", () => {
  const four = async (...participants: unknown[]) => {
    const pullRequests = await found({ [`${repository}/pullrequests/7`]: { ...details, participants } });
    return reviewFacts(pullRequests, new Set());
  };

  test("are true if another person approved", async () => {
    expect(await four(participant(user("Ada")))).toMatchObject({ four_eyes: true });
  });

  test.each([
    ["the author's account", participant(user("Grace", { display_name: "G." })), "wrote some of the commits"],
    [
      "a person with the author's name",
      participant(user("Ada", { display_name: "grace hopper" })),
      "wrote some",
    ],
    ["an app", participant(user("Deployer", { type: "app_user" })), "is a bot"],
    ["a deleted account", participant({}), "the account was deleted"],
  ])("are false if only %s approved", async (_, approval, why) => {
    const { four_eyes, four_eyes_missing } = await four(approval);
    expect(four_eyes).toBe(false);
    expect(four_eyes_missing?.join()).toContain(why);
  });
});

test("an index that is not complete is waited for, and never counts as no pull request", async () => {
  let count = 0;
  const path = `${repository}/commit/${SHA}/pullrequests`;
  const indexed: Answers = {
    [path]: (response: Parameters<typeof json>[0]) =>
      json(response, ++count === 1 ? 202 : 200, { values: count === 1 ? [] : [listed] }),
  };
  expect(await found(indexed)).toMatchObject([{ number: 7 }]);
  const text = await refusal(
    answers({
      [path]: (response: Parameters<typeof json>[0]) => json(response, 202, { message: "indexing" }),
    }),
    asked,
  );
  expect(text).toContain("Bitbucket did not return '2.0/repositories/acme/web/commit/");
  expect(text).toContain("indexing (HOST, status 202)");
});

test("a commit that is not found is one of the input for the repository", async () => {
  const error = { type: "error", error: { message: "Repository acme/web not found" } };
  const lost = {
    [`${repository}/commit/${SHA}/pullrequests`]: (response: Parameters<typeof json>[0]) =>
      json(response, 404, error),
  };
  expect(await inputsOf(found(lost))).toEqual(["code-host-repository"]);
  expect(await refusal(answers(lost), asked)).toContain("Repository acme/web not found (status 404)");
});

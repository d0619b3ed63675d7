import { describe, expect, test } from "vitest";
import type { Person, PullRequest } from "../../../src/github/api/pull-request.ts";
import { reviewFacts } from "../../../src/github/api/review-facts.ts";

interface Written {
  readonly message?: string;
  readonly author?: string;
  readonly people?: readonly Person[];
}

function pullRequest(written: Written = {}, changes: Partial<PullRequest> = {}): PullRequest {
  const {
    message = "Sort the cart",
    author = "Grace <grace@example.com>",
    people = [{ username: "grace" }],
  } = written;
  return {
    ...{
      url: "https://github.com/acme/web/pull/7",
      number: 7,
      title: "Sort",
      state: "MERGED",
      author: "grace",
    },
    ...{ createdAt: 1_700_000_000, headBranch: "feature", complete: true },
    commits: [{ sha: "1".repeat(40), facts: { message, author }, people }],
    reviews: [{ username: "ada", bot: false, state: "APPROVED" }],
    ...changes,
  };
}

const facts = (...all: PullRequest[]) => reviewFacts(all, new Set());

test("a change that one person wrote and another approved has four eyes and no agents", () => {
  expect(facts(pullRequest())).toEqual({ four_eyes: true, written_with_agents: false, agents: [] });
});

test.each<[string, PullRequest[], string]>([
  ["no pull request", [], "no open or merged pull request contains the commit"],
  ["a closed pull request", [pullRequest({}, { state: "CLOSED" })], "no open or merged pull request"],
  ["an abandoned one", [pullRequest({}, { state: "abandoned" })], "no open or merged pull request"],
  ["no approval", [pullRequest({}, { reviews: [] })], "0 of 1 approvals"],
  [
    "too many commits to know all authors",
    [pullRequest({}, { complete: false })],
    "some authors are unknown",
  ],
  [
    "an approval of its opener",
    [pullRequest({}, { author: "Ada Lovelace (@ada)", opener: { username: "ADA" } })],
    "ada approved, but opened the pull request",
  ],
])("%s has no four eyes, and the reason", (_, all, reason) => {
  const { four_eyes, four_eyes_missing } = facts(...all);
  expect(four_eyes).toBe(false);
  expect(four_eyes_missing?.join()).toContain(reason);
});

describe("agents took part:", () => {
  test.each<[string, Written, string[]]>([
    [
      "Assisted-by without an address",
      { message: "Sort\n\nAssisted-by: Robot:v1 [lint]\r\n" },
      ["Robot:v1 [lint]"],
    ],
    ["Assisted-by with an address of programs", { message: "assisted-by: R <noreply@robot.example>" }, ["R"]],
    [
      "a co-author that is a bot",
      { message: "Co-Authored-By: dep[bot] <1+dep[bot]@users.noreply.github.com>" },
      ["dep[bot]"],
    ],
    [
      "a co-author that nobody can write to",
      { message: "Co-authored-by: Robot <no-reply@robot.example>" },
      ["Robot"],
    ],
    [
      "a co-author that is a known program",
      { message: "Co-authored-by: Cursor <cursoragent@cursor.com>" },
      ["Cursor"],
    ],
    [
      "a program of GitHub",
      { message: "Co-authored-by: Copilot <198982749+Copilot@users.noreply.github.com>" },
      ["Copilot"],
    ],
    [
      "an author that is a bot",
      { author: "dep[bot] <d@x.example>", people: [{ username: "dep[bot]" }] },
      ["dep[bot]"],
    ],
    ["an author with the account of a program", { people: [{ username: "Runner", bot: true }] }, ["Runner"]],
    [
      "a token of GitLab",
      { author: "r <project_4_bot_1a@noreply.gitlab.com>", people: [{ name: "r" }] },
      ["r"],
    ],
    ["each once", { message: "Assisted-by: B\nAssisted-by: A\nAssisted-by: b" }, ["A", "b"]],
  ])("%s", (_, written, agents) => {
    expect(facts(pullRequest(written))).toMatchObject({ written_with_agents: true, agents });
  });

  test("the opener", () => {
    const opened = pullRequest({}, { author: "Renewer (@r)", opener: { username: "r", bot: true } });
    expect(facts(opened)).toMatchObject({ written_with_agents: true, agents: ["Renewer (@r)"] });
  });

  test.each<[string, Written]>([
    ["a helpful person", { message: "Assisted-by: Ada <ada@example.com>" }],
    ["a co-author", { message: "Co-authored-by: Ada <ada@example.com>" }],
    ["a private address", { message: "Co-authored-by: Ada <1+ada@users.noreply.github.com>" }],
    ["a line that is no trailer", { message: "This was Assisted-by: nobody" }],
    ["an empty trailer", { message: "Assisted-by:   " }],
    ["the committer of a merge", { people: [{ username: "grace" }, { username: "web-flow", bot: true }] }],
  ])("not %s", (_, written) => {
    expect(facts(pullRequest(written))).toMatchObject({ written_with_agents: false, agents: [] });
  });

  test("at most 20 of them, with short names, are listed", () => {
    const message = Array.from(
      { length: 30 },
      (_, index) => `Assisted-by: ${index + 10}${"x".repeat(200)}`,
    ).join("\n");
    const { agents = [] } = facts(pullRequest({ message }));
    expect(agents).toHaveLength(20);
    expect(Math.max(...agents.map(({ length }) => length))).toBe(100);
  });
});

test.each(["author", "message"] as const)("redacting the %s leaves out the names of agents", (redaction) => {
  const shown = reviewFacts(
    [pullRequest({ message: "Assisted-by: Robot" }, { reviews: [] })],
    new Set([redaction]),
  );
  expect(shown).toMatchObject({ written_with_agents: true, four_eyes: false });
  expect(shown).not.toHaveProperty("agents");
});

test("redacting the author leaves out the reasons, which name authors", () => {
  const own = pullRequest({}, { reviews: [{ username: "grace", bot: false, state: "APPROVED" }] });
  expect(JSON.stringify(reviewFacts([own], new Set(["author"])))).not.toContain("grace");
});

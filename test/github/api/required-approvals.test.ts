import { describe, expect, test } from "vitest";
import { peopleOf } from "../../../src/github/api/authorship.ts";
import type { Person, PullRequest, Review } from "../../../src/github/api/pull-request.ts";
import { missingApprovals } from "../../../src/github/api/required-approvals.ts";

const by = (...people: Person[]) => [{ sha: "1".repeat(40), facts: {}, people }];

const review = (username: string, changes: Partial<Review> = {}): Review => ({
  username,
  bot: false,
  state: "APPROVED",
  ...changes,
});

function pullRequest(changes: Partial<PullRequest> = {}): PullRequest {
  return {
    url: "https://github.com/acme/web/pull/7",
    number: 7,
    title: "Sort the cart",
    state: "MERGED",
    author: "grace",
    createdAt: 1_700_000_000,
    headBranch: "feature",
    commits: by({ username: "grace", email: "grace@example.com" }),
    complete: true,
    reviews: [review("ada")],
    ...changes,
  };
}

describe("approvals suffice", () => {
  test("when as many people approved as are required", () => {
    const reviews = [review("ada"), review("bob")];
    expect(missingApprovals([pullRequest({ reviews })], 2)).toEqual([]);
    expect(missingApprovals([pullRequest({ reviews })], 3)).toEqual([
      "pull request #7 has 2 of 3 approvals from people who are not authors of its commits",
    ]);
  });

  test("when none are required, whatever exists", () => {
    expect(missingApprovals([], 0)).toEqual([]);
    expect(missingApprovals([pullRequest({ reviews: [], complete: false })], 0)).toEqual([]);
  });

  test("when one of several pull requests has them", () => {
    const bare = pullRequest({ number: 8, reviews: [] });
    expect(missingApprovals([bare, pullRequest()], 1)).toEqual([]);
  });
});

describe("approvals do not suffice, and the reason is given", () => {
  const lacking = "pull request #7 has 0 of 1 approvals from people who are not authors of its commits";

  test.each([
    ["was never approved", [], []],
    ["was rejected", [review("ada", { state: "CHANGES_REQUESTED" })], ["ada requested changes"]],
    [
      "has a dismissed approval",
      [review("ada", { state: "DISMISSED" })],
      ["ada approved or requested changes, but the review was dismissed"],
    ],
    ["was only commented", [review("ada", { state: "COMMENTED" })], ["ada only commented"]],
    ["was approved by a bot", [review("app[bot]", { bot: true })], ["app[bot] approved, but is a bot"]],
    [
      "was approved by a deleted account",
      [review("ghost")],
      ["ghost approved, but the account was deleted, so the approver is unknown"],
    ],
    [
      "was approved by its author, spelled differently",
      [review("Grace")],
      ["Grace approved, but wrote some of the commits"],
    ],
    ["has comments of its author, which are ignored", [review("grace", { state: "COMMENTED" })], []],
  ])("when it %s", (_, reviews, reasons) => {
    expect(missingApprovals([pullRequest({ reviews })], 1)).toEqual([lacking, ...reasons]);
  });

  test("when one more is required, and lists those that count", () => {
    expect(missingApprovals([pullRequest()], 2)).toEqual([
      "pull request #7 has 1 of 2 approvals from people who are not authors of its commits",
    ]);
  });

  test("when no pull request contains the commit, or only a closed one", () => {
    const whyNot = ["no open or merged pull request contains the commit"];
    expect(missingApprovals([], 1)).toEqual(whyNot);
    expect(missingApprovals([pullRequest({ state: "CLOSED" })], 1)).toEqual(whyNot);
  });

  test("when the approvals are spread over pull requests", () => {
    const other = pullRequest({ number: 8, reviews: [review("bob")] });
    expect(missingApprovals([pullRequest(), other], 2)).toEqual([
      "pull request #7 has 1 of 2 approvals from people who are not authors of its commits",
      "pull request #8 has 1 of 2 approvals from people who are not authors of its commits",
    ]);
  });

  test("when GitHub does not list all commits: an approver may have written one", () => {
    expect(missingApprovals([pullRequest({ complete: false })], 1)).toContain(
      "pull request #7 has more commits than GitHub lists, so some authors are unknown",
    );
  });
});

describe("contributors to a commit do not count", () => {
  const missingFor = (...people: Person[]) => missingApprovals([pullRequest({ commits: by(...people) })], 1);

  test.each<[string, Person[]]>([
    ["as its author", [{ username: "ada" }]],
    ["by the noreply address of a private account", [{ email: "12+Ada@users.noreply.github.com" }]],
    ["by an older address of that kind", [{ email: "ada@users.noreply.github.com" }]],
    ["by such an address of an Enterprise host", [{ email: "12+ada@users.noreply.ghe.example" }]],
    [
      "by an address that belongs to their account in another commit",
      [{ email: "ADA@example.com" }, { username: "ada", email: "ada@example.com" }],
    ],
  ])("%s", (_, people) => {
    expect(missingFor(...people)).toContain("ada approved, but wrote some of the commits");
  });

  test("as its author, its committer or a co-author", () => {
    const record = {
      sha: "1".repeat(40),
      html_url: undefined,
      commit: {
        message:
          "Sort\n\nCo-authored-by: Bob <bob@users.noreply.github.com>\r\nco-authored-by: Cyd <cyd@example.com>\n",
        author: { name: "Grace", email: "grace@example.com", date: undefined },
        committer: { name: "Ada", email: "ada@example.com", date: undefined },
        verification: undefined,
      },
      author: { login: "grace" },
      committer: { login: "ada" },
      parents: [],
    };
    const reviews = ["grace", "ada", "bob", "dan"].map((name) => review(name));
    const { message } = record.commit;
    const commits = [{ sha: record.sha, facts: { message }, people: peopleOf(record) }];
    expect(missingApprovals([pullRequest({ commits, reviews })], 2)).toEqual([
      "pull request #7 has 1 of 2 approvals from people who are not authors of its commits",
      ...["grace", "ada", "bob"].map((name) => `${name} approved, but wrote some of the commits`),
    ]);
  });

  test("but unknown addresses exclude no one", () => {
    expect(missingFor({ username: "grace" }, { email: "noreply@assistant.example" })).toEqual([]);
  });
});

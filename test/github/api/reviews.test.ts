import { describe, expect, test } from "vitest";
import { latestReviews } from "../../../src/github/api/reviews.ts";

/** One reviewer's reviews, in chronological order. */
const of = (login: string, ...states: string[]) =>
  states.map((state, at) => ({
    user: { login, type: "User" },
    state,
    submitted_at: `2023-11-14T22:13:2${at}Z`,
  }));

const statesOf = (records: readonly unknown[]) =>
  latestReviews(records).map(({ username, state }) => `${username}: ${state}`);

describe("a reviewer's decision", () => {
  test.each([
    ["an approval", ["APPROVED"], "APPROVED"],
    ["an approval after a rejection", ["CHANGES_REQUESTED", "APPROVED"], "APPROVED"],
    ["a rejection after an approval", ["APPROVED", "CHANGES_REQUESTED"], "CHANGES_REQUESTED"],
    ["an approval followed by comments", ["APPROVED", "COMMENTED", "COMMENTED"], "APPROVED"],
    ["a rejection followed by comments", ["CHANGES_REQUESTED", "COMMENTED"], "CHANGES_REQUESTED"],
    ["a dismissed approval", ["COMMENTED", "DISMISSED"], "DISMISSED"],
    [
      "a dismissed rejection, which does not restore an earlier approval",
      ["APPROVED", "DISMISSED"],
      "DISMISSED",
    ],
    ["an approval after a dismissal", ["DISMISSED", "APPROVED"], "APPROVED"],
    ["a comment", ["COMMENTED"], "COMMENTED"],
    ["the submitted review, not the pending one", ["COMMENTED", "PENDING"], "COMMENTED"],
  ])("is %s", (_, states, word) => {
    expect(statesOf(of("ada", ...states))).toEqual([`ada: ${word}`]);
  });

  test("has the time of the review that counts", () => {
    expect(latestReviews(of("ada", "APPROVED", "COMMENTED"))).toEqual([
      { username: "ada", bot: false, state: "APPROVED", timestamp: 1_700_000_000 },
    ]);
  });

  test("is one, whatever the case of the account", () => {
    expect(statesOf([...of("Ada", "APPROVED"), ...of("ada", "CHANGES_REQUESTED")])).toEqual([
      "ada: CHANGES_REQUESTED",
    ]);
  });
});

test("reviewers do not affect each other", () => {
  const records = [...of("ada", "APPROVED"), ...of("bob", "CHANGES_REQUESTED")];
  expect(statesOf(records)).toEqual(["ada: APPROVED", "bob: CHANGES_REQUESTED"]);
});

test.each([
  [{ login: "review-app[bot]", type: "Bot" }, true],
  [{ login: "copilot", type: "Bot" }, true],
  [{ login: "old-app[bot]" }, true],
  [{ login: "ada", type: "User" }, false],
])("%j is a bot: %s", (user, bot) => {
  expect(latestReviews([{ user, state: "APPROVED" }])).toMatchObject([{ bot }]);
});

test("a review of a deleted account is a ghost's, and anything else is ignored", () => {
  const records = [null, { state: 5 }, "review", { user: null, state: "APPROVED" }];
  expect(latestReviews(records)).toEqual([{ username: "ghost", bot: false, state: "APPROVED" }]);
});

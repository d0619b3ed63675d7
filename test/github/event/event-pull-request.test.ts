import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { pullRequestOfEvent } from "../../../src/github/event/event-pull-request.ts";
import { feature, fork, main, merge, queue } from "../events/commits.ts";
import { runnerFor } from "../runners.ts";

const payloadOf = (name: string): object =>
  JSON.parse(readFileSync(new URL(`../events/${name}.json`, import.meta.url), "utf8"));
const numberOf = (payload: unknown, sha: string, env = {}) =>
  pullRequestOfEvent(runnerFor(payload, env), sha);

describe("the event names the pull request", () => {
  test("for its own head, from a branch or a fork", () => {
    expect(numberOf(payloadOf("pull-request"), feature.sha)).toBe(7);
    expect(numberOf(payloadOf("pull-request-fork"), fork.sha)).toBe(9);
    expect(numberOf(payloadOf("pull-request-target"), fork.sha)).toBe(9);
  });

  test("for a merge group's commit", () => {
    expect(numberOf(payloadOf("merge-group"), queue.sha)).toBe(8);
  });

  test("for a push to a branch of the queue, even for a base with slashes", () => {
    const env = {
      GITHUB_SHA: queue.sha,
      GITHUB_REF: `refs/heads/gh-readonly-queue/release/1.2/pr-12-${main.sha}`,
    };
    expect(numberOf({}, queue.sha, env)).toBe(12);
  });

  test("for the merge commit, once it is merged", () => {
    const pull_request = { number: 7, head: { sha: feature.sha }, merge_commit_sha: merge.sha };
    expect(numberOf({ pull_request: { ...pull_request, merged: true } }, merge.sha)).toBe(7);
    expect(numberOf({ pull_request: { ...pull_request, merged: false } }, merge.sha)).toBeUndefined();
  });
});

describe("the event names none", () => {
  test("for a commit other than its own", () => {
    expect(numberOf(payloadOf("pull-request"), main.sha)).toBeUndefined();
    expect(numberOf(payloadOf("merge-group"), main.sha)).toBeUndefined();
  });

  test.each([
    "refs/heads/main",
    "refs/heads/pr-7-abc",
    "refs/tags/gh-readonly-queue/main/pr-7-abc",
    undefined,
  ])("on %s", (ref) => {
    expect(numberOf({}, main.sha, { GITHUB_SHA: main.sha, GITHUB_REF: ref })).toBeUndefined();
  });

  test("when the payload is of another shape", () => {
    expect(numberOf({ pull_request: "7", merge_group: [] }, main.sha)).toBeUndefined();
  });
});

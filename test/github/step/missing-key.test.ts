import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { missingKey } from "../../../src/github/step/missing-key.ts";
import { runnerFor } from "../runners.ts";

const payloadOf = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../events/${name}.json`, import.meta.url), "utf8"));

function problemIn(event: string, payload: string, actor = "ada"): string {
  const runner = runnerFor(payloadOf(payload), {
    GITHUB_EVENT_NAME: event,
    GITHUB_REPOSITORY: "acme/web",
    GITHUB_ACTOR: actor,
  });
  const { input, problem, missing } = missingKey(runner, { auth: "auto", hasToken: false });
  expect({ input, missing }).toEqual({ input: "api-key", missing: true });
  return problem;
}

describe("the error for a missing API key", () => {
  test.each([
    ["push", "push"],
    ["schedule", "schedule"],
    ["workflow_dispatch", "workflow-dispatch"],
    ["pull_request", "pull-request"],
    // These events have the secrets, whatever the head repository.
    ["pull_request_target", "pull-request-target"],
    ["workflow_run", "workflow-run-fork"],
  ])("names the permission or the secret to add, in %s of %s", (event, payload) => {
    expect(problemIn(event, payload)).toBe(
      "is missing: add `id-token: write` to the `permissions` of the job and of the jobs that call it, if a service of your own trusts this workflow; or add `api-key: ${{ secrets.EVIDENCE_API_KEY }}` to the step, and set that secret",
    );
  });

  test.each([
    ["pull_request", "pull-request-fork"],
    ["pull_request", "pull-request-deleted-fork"],
    ["pull_request_review", "pull-request-fork"],
  ])("explains GitHub's restriction in %s of %s", (event, payload) => {
    expect(problemIn(event, payload)).toBe(
      "is missing: GitHub gives no secrets to pull requests from forks; skip this step for them",
    );
  });

  test.each([
    ["push", "push"],
    ["pull_request", "pull-request"],
  ])("names the permission to add, or Dependabot's secret, in a %s of Dependabot", (event, payload) => {
    expect(problemIn(event, payload, "dependabot[bot]")).toBe(
      "is missing: add `id-token: write` to the `permissions` of the job and of the jobs that call it, if a service of your own trusts this workflow; or set `EVIDENCE_API_KEY` among Dependabot's secrets: runs that Dependabot starts get no other secrets",
    );
  });
});

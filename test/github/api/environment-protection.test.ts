import { describe, expect, test } from "vitest";
import { readEnvironmentProtection } from "../../../src/github/api/environment-protection.ts";
import { gitHubServer, json, repository } from "../github-server.ts";

async function read(answers: Record<string, unknown>, environment = "live") {
  const github = await gitHubServer(repository(answers));
  const { signal } = new AbortController();
  const address = { apiUrl: github.url, repository: "acme/web", token: "tok", signal, env: {} };
  const result = await readEnvironmentProtection({ ...address, timeLimitMs: 2_000 }, environment);
  return { result, urls: github.requests.map(({ url }) => url) };
}

const open = { reviewers: [], preventsSelfReview: false, waitMinutes: 0 };

describe("an environment", () => {
  test("is returned with its reviewers, people and teams, and its other protection rules", async () => {
    const { result } = await read({
      "/environments/live": {
        protection_rules: [
          { type: "branch_policy" },
          { type: "wait_timer", wait_timer: 30 },
          {
            type: "required_reviewers",
            prevent_self_review: true,
            reviewers: [
              { type: "User", reviewer: { login: "ada", html_url: "https://github.com/ada" } },
              { type: "Team", reviewer: { slug: "release", name: "Release team" } },
            ],
          },
        ],
      },
    });
    expect(result).toEqual({
      answer: {
        reviewers: [
          { type: "user", name: "ada", url: "https://github.com/ada" },
          { type: "team", name: "release" },
        ],
        preventsSelfReview: true,
        waitMinutes: 30,
      },
    });
  });

  test("has no reviewers without rules", async () => {
    expect((await read({ "/environments/live": { protection_rules: [] } })).result).toEqual({ answer: open });
  });

  test("is requested by its full name, with any characters escaped", async () => {
    const name = "live/eu #1";
    const { result, urls } = await read({ [`/environments/${name}`]: { protection_rules: [] } }, name);
    expect(result).toEqual({ answer: open });
    expect(urls).toEqual(["/repos/acme/web/environments/live%2Feu%20%231"]);
  });
});

test.each([
  ["is missing or hidden", {}, "environment 'live', or all of acme/web, does not exist or is hidden"],
  ["has an invalid response", { "/environments/live": ["x"] }, "GitHub's response is not an environment"],
  [
    "hides its reviewers",
    { "/environments/live": { protection_rules: [{ type: "required_reviewers" }] } },
    "GitHub's response does not list the reviewers",
  ],
  ["may not be read", { "/environments/live": json(403, {}) }, "needs the permission `actions: read`"],
  ["is not returned in time", { "/environments/live": () => {} }, "did not answer within 2 s"],
])("has unknown reviewers when it %s", async (_, answers, why) => {
  const { result } = await read(answers);
  expect("fault" in result && result.fault.message).toContain(why);
});

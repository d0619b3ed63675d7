import { expect, test } from "vitest";
import { MAX_COMMITS, pullRequestsOfCommits } from "../../../src/github/api/commit-pull-requests.ts";
import { gitHubServer, json, repository } from "../github-server.ts";

const A = "a".repeat(40);
const B = "b".repeat(40);

function pullRequest(number: number, changes: object = {}) {
  return {
    number,
    title: "Sell more",
    state: "closed",
    merged_at: "2026-11-20T10:00:00Z",
    html_url: `https://github.com/acme/web/pull/${number}`,
    base: { repo: { full_name: "Acme/web" } },
    ...changes,
  };
}

async function read(answers: Record<string, unknown>, commits: readonly string[], timeLimitMs = 2_000) {
  const github = await gitHubServer(repository(answers));
  const warnings: string[] = [];
  const { signal } = new AbortController();
  const address = { apiUrl: github.url, repository: "acme/web", token: "tok", signal, env: {} };
  const warn = (text: string) => warnings.push(text);
  const found = await pullRequestsOfCommits({ ...address, commits, timeLimitMs, warn });
  return { found: Object.fromEntries(found), warnings, requestCount: github.requests.length };
}

test("each commit lists its pull requests, and is empty without any", async () => {
  const answers = {
    [`/commits/${A}/pulls`]: [pullRequest(7), pullRequest(8, { state: "open", merged_at: null })],
    [`/commits/${B}/pulls`]: [],
  };
  const { found, warnings } = await read(answers, [A, B]);
  const page = (number: number) => `https://github.com/acme/web/pull/${number}`;
  expect(found).toEqual({
    [A]: [
      { number: 7, title: "Sell more", state: "merged", url: page(7) },
      { number: 8, title: "Sell more", state: "open", url: page(8) },
    ],
    [B]: [],
  });
  expect(warnings).toEqual([]);
});

test("pull requests of a fork and those closed without a merge do not count", async () => {
  const elsewhere = pullRequest(7, { base: { repo: { full_name: "eve/web" } } });
  const closed = pullRequest(8, { merged_at: null });
  const { found } = await read({ [`/commits/${A}/pulls`]: [elsewhere, closed] }, [A]);
  expect(found).toEqual({ [A]: [] });
});

test("what GitHub does not return is unknown, with one warning", async () => {
  const { found, warnings } = await read({ [`/commits/${A}/pulls`]: json(403, {}) }, [A]);
  expect(found).toEqual({});
  expect(warnings).toEqual([
    expect.stringMatching(/^the token may not .* returned no pull requests of the commits\./),
  ]);
});

test("a pull request is returned with its known fields, and one without a number is ignored", async () => {
  const bare = { number: 7, state: "open" };
  const answers = {
    [`/commits/${A}/pulls`]: [bare, { ...bare, number: 8, base: {} }, { ...bare, number: null }],
  };
  const { found } = await read(answers, [A]);
  expect(found).toStrictEqual({
    [A]: [
      { number: 7, title: "", state: "open" },
      { number: 8, title: "", state: "open" },
    ],
  });
});

test.each([
  ["a response that is not a list", { message: "moved" }, "GitHub's response is not a list of pull requests"],
  ["a missing permission", json(403, {}), "pull-requests: read"],
  ["a commit that GitHub does not have", json(422, {}), "there is no such commit in acme/web"],
])("the warning shows the reason: %s", async (_, answer, why) => {
  const { found, warnings } = await read({ [`/commits/${A}/pulls`]: answer }, [A]);
  expect([found, warnings]).toEqual([{}, [expect.stringContaining(why)]]);
});

test("pull requests returned before the time was up are kept", async () => {
  const answers = { [`/commits/${A}/pulls`]: [pullRequest(7)], [`/commits/${B}/pulls`]: () => {} };
  const { found, warnings } = await read(answers, [A, B], 1_000);
  expect(Object.keys(found)).toEqual([A]);
  expect(warnings).toEqual([
    expect.stringMatching(
      /GitHub did not answer within 1 s: 127\.0\.0\.1.* did not return all pull requests/,
    ),
  ]);
});

test("commits beyond the token's rate limit are not requested", async () => {
  const commits = Array.from({ length: 120 }, (_, index) => String(index + 1).padStart(40, "0"));
  const answers = Object.fromEntries(commits.map((sha) => [`/commits/${sha}/pulls`, []]));
  const { found, requestCount } = await read(answers, commits, 20_000);
  expect(requestCount).toBe(MAX_COMMITS);
  expect(Object.keys(found).sort()).toEqual(commits.slice(0, MAX_COMMITS).sort());
});

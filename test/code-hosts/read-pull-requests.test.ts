import { describe, expect, test } from "vitest";
import { hostKind } from "../../src/code-hosts/host-kinds.ts";
import { type Answer, json } from "../api/local-server.ts";
import { type Answers, type Asked, hostServer, inputsOf, read, refusal, SHA, TOKEN } from "./host-server.ts";

const path = `/api/v4/projects/acme%2Fweb/repository/commits/${SHA}/merge_requests`;
const asked: Asked = { provider: "gitlab" };
const entry = {
  ...{
    iid: 7,
    title: "Sort",
    state: "opened",
    created_at: "2026-11-14T22:13:20Z",
    web_url: "https://x.example/7",
  },
  ...{ source_branch: "feature", target_branch: "main", author: { name: "Grace", username: "grace" } },
};
const one: Answers = {
  "/api/v4/projects/acme%2Fweb/merge_requests/7/approvals": { approved_by: [] },
  "/api/v4/projects/acme%2Fweb/merge_requests/7/commits": [],
};
const html = (status: number): Answer => {
  return (response) => void response.writeHead(status, { "content-type": "text/html" }).end("<h1>Login</h1>");
};

test("a commit is asked for again while the host has not linked it", async () => {
  const server = await hostServer({
    ...one,
    [path]: ((response, _, count) => json(response, 200, count < 3 ? [] : [entry])) satisfies Answer,
  });
  const waits: number[] = [];
  expect(await read(server, { ...asked, waits })).toMatchObject([{ number: 7 }]);
  expect(waits).toEqual([500, 1000]);
});

test("a commit without a pull request has none after ten seconds, or shortly before the timeout", async () => {
  const waits: number[] = [];
  expect(await read(await hostServer({ [path]: [] }), { ...asked, waits })).toEqual([]);
  expect(waits.reduce((sum, wait) => sum + wait)).toBe(10_000);
  const few: number[] = [];
  await read(await hostServer({ [path]: [] }), { ...asked, seconds: 1, waits: few });
  expect(few).toEqual([]);
});

describe("nothing is believed of a host", () => {
  test.each<[title: string, answer: unknown, expected: string[]]>([
    ["that is a login page", html(200), ["GitLab returned an unusable response: not JSON", "code-host-url"]],
    [
      "that is down",
      html(502),
      ["GitLab did not return 'api/v4/projects/acme%2Fweb/repository/commits/", "status 502"],
    ],
    ["without a list", { message: "?" }, ["GitLab returned an unusable response: not a list"]],
    ["with a list of texts", ["7"], ["GitLab returned an unusable response: not a list"]],
    ["with half a merge request", [{ ...entry, title: null }], ["it does not describe the pull request"]],
    ["with a merge request of an unknown time", [{ ...entry, created_at: "soon" }], ["it does not describe"]],
    [
      "with a list without an end",
      ((response) => json(response, 200, [entry], { "x-next-page": "1" })) satisfies Answer,
      ["GitLab returned an unusable response: a list without an end"],
    ],
    [
      "that redirects",
      ((response) => void response.writeHead(302, { location: "https://x.example/" }).end()) satisfies Answer,
      ["the request was redirected to https://x.example", "check code-host-token"],
    ],
    [
      "whose rate limit is used up for long",
      ((response) => json(response, 429, {}, { "retry-after": "3600" })) satisfies Answer,
      ["status 429, and GitLab asks for a wait of 3600 s before the next attempt"],
    ],
    [
      "that shows the token",
      ((response, { headers }) =>
        json(response, 400, { message: `no ${headers.authorization}` })) satisfies Answer,
      ["no Bearer ***"],
    ],
  ])("%s", async (_, answer, expected) => {
    const text = await refusal({ ...one, [path]: answer }, asked);
    for (const part of expected) expect(text).toContain(part);
    expect(text).not.toContain(TOKEN);
  });

  test("whose commits have no SHA", async () => {
    const commits = { "/api/v4/projects/acme%2Fweb/merge_requests/7/commits": [{ id: "7" }] };
    expect(await refusal({ ...one, [path]: [entry], ...commits }, asked)).toContain("it does not describe");
  });
});

test("a short wait of the rate limit is kept to", async () => {
  const waits: number[] = [];
  const limited: Answer = (response, _, count) =>
    count === 1 ? json(response, 429, {}, { "retry-after": "2" }) : json(response, 200, [entry]);
  expect(await read(await hostServer({ ...one, [path]: limited }), { ...asked, waits })).toHaveLength(1);
  expect(waits).toEqual([2000]);
});

test.each([
  ["gitlab", "web", "must be of the form group/project, not 'web'"],
  ["gitlab", "acme/../web", "must be of the form group/project, not 'acme/../web'"],
  ["bitbucket", "web", "must be of the form group/project, not 'web'"],
  ["azure", "acme//web", "must be of the form group/project, not 'acme//web'"],
] as const)("a repository of %s named %s is refused", async (provider, repository, problem) => {
  const server = await hostServer({});
  expect(await inputsOf(read(server, { provider, repository }))).toEqual(["code-host-repository"]);
  expect(await refusal({}, { provider, repository })).toContain(problem);
  expect(server.received).toEqual([]);
});

test.each([
  ["bitbucket", undefined, "Bitbucket"],
  ["bitbucket", "https://bitbucket.org", "Bitbucket"],
  ["bitbucket", "https://api.bitbucket.org/2.0", "Bitbucket"],
  ["bitbucket", "https://bitbucket.org.example.com", "Bitbucket Data Center"],
  ["gitlab", undefined, "GitLab"],
  ["azure", "https://dev.azure.com/acme", "Azure DevOps"],
] as const)("%s at %s is %s", (provider, url, name) => {
  expect(hostKind(provider, url).name).toBe(name);
});

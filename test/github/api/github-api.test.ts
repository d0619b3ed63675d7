import { text } from "node:stream/consumers";
import { getOctokit } from "@actions/github";
import { describe, expect, test } from "vitest";
import type { GitHubAddress } from "../../../src/github/api/github-address.ts";
import { gitHubAddress } from "../../../src/github/api/github-address.ts";
import { askGitHub, type GitHubRequest } from "../../../src/github/api/github-api.ts";
import { readRunner } from "../../../src/github/step/runner.ts";
import { type GitHubServer, gitHubServer, json, Pages, repository } from "../github-server.ts";

const labels: GitHubRequest = { path: "/labels", subject: "label", permission: "contents: read" };

function at(github: Pick<GitHubServer, "url">, changes: Partial<GitHubAddress> = {}): GitHubAddress {
  const { signal } = new AbortController();
  return { apiUrl: github.url, repository: "acme/web", token: "tok", signal, env: {}, ...changes };
}

describe("the pages of a list", () => {
  test("are requested one after the other, at the linked address", async () => {
    const github = await gitHubServer(repository({ "/labels": new Pages(["a"], ["b"], ["c"]) }));
    const result = await askGitHub(at(github), async ({ pages }) => {
      const all: unknown[] = [];
      for await (const page of pages(labels)) all.push(page);
      return all;
    });
    expect(result).toEqual({ answer: [["a"], ["b"], ["c"]] });
    expect(github.requests.map(({ url }) => url)).toEqual(
      [1, 2, 3].map((page) => `/repos/acme/web/labels?per_page=100&page=${page}`),
    );
  });

  test("are requested only as far as the reader reads", async () => {
    const github = await gitHubServer(repository({ "/labels": new Pages(["a"], ["b"]) }));
    await askGitHub(at(github), async ({ pages }) => {
      for await (const _ of pages(labels)) break;
    });
    expect(github.requests).toHaveLength(1);
  });
});

test("a parameter cannot leave its place in the path", async () => {
  const github = await gitHubServer(json(200, {}));
  await askGitHub(at(github), ({ get }) =>
    get({ ...labels, path: "/labels/{name}", parameters: { name: "../a b?c#d" } }),
  );
  expect(github.requests.map(({ url }) => url)).toEqual(["/repos/acme/web/labels/..%2Fa%20b%3Fc%23d"]);
});

test("all requests share one time limit", async () => {
  const github = await gitHubServer(json(200, {}));
  const result = await askGitHub(at(github, { timeLimitMs: 100 }), async ({ get, signal }) => {
    for (;;) {
      signal.throwIfAborted();
      await get(labels);
    }
  });
  expect(result).toMatchObject({ fault: { message: "GitHub did not answer within 0.1 s" } });
});

test("a response cut off by the time limit is discarded", async () => {
  const github = await gitHubServer((_, response) => {
    response.writeHead(200, { "content-type": "text/plain" }).write("half");
  });
  expect(await askGitHub(at(github, { timeLimitMs: 300 }), ({ get }) => get(labels))).toMatchObject({
    fault: { message: "GitHub did not answer within 0.3 s" },
  });
});

test.each([
  [500, true],
  [503, true],
  [401, false],
  [403, false],
  [404, false],
])("status %i is temporary: %s", async (status, passing) => {
  const github = await gitHubServer(json(status, {}));
  expect(await askGitHub(at(github), ({ get }) => get(labels))).toMatchObject({ fault: { status, passing } });
});

test("our own bugs are not reported as GitHub's errors", async () => {
  const github = await gitHubServer(json(200, {}));
  const mistaken = askGitHub(at(github), async () => {
    throw new TypeError("ours");
  });
  await expect(mistaken).rejects.toThrow(TypeError);
});

describe("requests concern the job's repository", () => {
  const { signal } = new AbortController();
  const runner = readRunner({
    GITHUB_REPOSITORY: "acme/web",
    GITHUB_API_URL: "https://ghe.example/api/v3",
    HTTPS_PROXY: "http://proxy.example",
    INPUTS: "{}",
  });

  test("at its host, through its proxy", () => {
    expect(gitHubAddress(runner, "tok", signal)).toMatchObject({
      apiUrl: "https://ghe.example/api/v3",
      repository: "acme/web",
      env: { HTTPS_PROXY: "http://proxy.example" },
    });
  });

  test("not without a token, and not outside GitHub", () => {
    expect(gitHubAddress(runner, "", signal)).toBeUndefined();
    expect(gitHubAddress(runner, undefined, signal)).toBeUndefined();
    expect(gitHubAddress(readRunner({}), "tok", signal)).toBeUndefined();
  });
});

/** A path parameter, a query, a change with a body and one without a response. */
const REQUESTS = [
  { method: "GET", path: "/commits/{ref}/pulls", parameters: { ref: "feature/a b" } },
  { method: "GET", path: "/labels", parameters: { per_page: 100, page: 2 } },
  { method: "POST", path: "/issues/{number}/comments", parameters: { number: 7 }, body: { body: "größer" } },
  { method: "DELETE", path: "/issues/comments/{id}", parameters: { id: 9 } },
] as const;

test.each(REQUESTS)("a request equals the one of GitHub's own client: $method $path", async (request) => {
  const { method, path, parameters } = request;
  const sent: object[] = [];
  const github = await gitHubServer(async (message, response) => {
    const { accept, authorization, "content-type": type } = message.headers;
    sent.push({
      method: message.method,
      url: message.url,
      accept,
      authorization,
      type,
      body: await text(message),
    });
    response.writeHead(204).end();
  });
  await askGitHub(at(github), ({ get, send }) => {
    const input = { ...labels, path, parameters };
    return method === "GET" ? get(input) : send({ ...input, ...request });
  });
  await getOctokit("tok", { baseUrl: github.url }).request(`${method} /repos/acme/web${path}`, {
    ...parameters,
    ...("body" in request ? request.body : {}),
  });
  expect(sent).toHaveLength(2);
  expect(sent[0]).toEqual(sent[1]);
});

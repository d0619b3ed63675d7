import { once } from "node:events";
import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { type CommitAddress, fetchCommit } from "../../../src/github/api/commit-api.ts";
import { type GitHubServer, gitHubServer, json } from "../github-server.ts";

const sha = "0123456789abcdef0123456789abcdef01234567";
const parent = "fedcba9876543210fedcba9876543210fedcba98";

const answer = {
  sha,
  commit: {
    message: "Fix the cart\n\nIt was empty",
    author: { name: "Ada Lovelace", email: "ada@example.com", date: "2023-11-14T22:13:20Z" },
    committer: { name: "GitHub", email: "noreply@github.com", date: "2024-01-01T00:00:00Z" },
    verification: { verified: true, reason: "valid", signature: "…", payload: "…" },
  },
  author: { login: "ada", id: 1 },
  parents: [{ sha: parent, url: "https://api.github.com/x" }],
  files: [],
};

function readFacts(github: Pick<GitHubServer, "url">, changes: Partial<CommitAddress> = {}) {
  const { signal } = new AbortController();
  return fetchCommit({
    apiUrl: github.url,
    repository: "acme/web",
    sha,
    token: "tok",
    signal,
    env: {},
    ...changes,
  });
}

async function factsFrom(body: unknown) {
  return (await readFacts(await gitHubServer(json(200, body)))).facts;
}

async function warningFrom(listener: RequestListener, changes: Partial<CommitAddress> = {}) {
  const { facts, warning } = await readFacts(await gitHubServer(listener), changes);
  expect(facts).toEqual({});
  return warning;
}

const never: RequestListener = () => {};

describe("GitHub's record of a commit", () => {
  test("is requested once, with the token, and without its files", async () => {
    const github = await gitHubServer(json(200, answer));
    await readFacts({ url: `${github.url}/api/v3` });
    expect(github.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET /api/v3/repos/acme/web/commits/${sha}?per_page=1`,
    ]);
    expect(github.requests[0]?.headers.authorization).toBe("token tok");
  });

  test("contains the commit's facts, with the author's time", async () => {
    expect(await readFacts(await gitHubServer(json(200, answer)))).toStrictEqual({
      facts: {
        message: "Fix the cart\n\nIt was empty",
        author: "Ada Lovelace <ada@example.com>",
        authorUsername: "ada",
        timestamp: 1_700_000_000,
        parents: [parent],
        verified: true,
        signatureState: "VALID",
      },
    });
  });

  test("has no account for a bot whose address belongs to none", async () => {
    const facts = await factsFrom({ ...answer, author: null });
    expect(facts.authorUsername).toBeUndefined();
    expect(facts.author).toBe("Ada Lovelace <ada@example.com>");
  });

  test.each([
    [{ name: "Ada", email: "" }, "Ada"],
    [{ name: "Ada", email: null }, "Ada"],
    [{ name: "Ada", email: "1+ada@users.noreply.github.com" }, "Ada <1+ada@users.noreply.github.com>"],
    [{ name: "", email: "ada@example.com" }, "<ada@example.com>"],
    [null, undefined],
  ])("shows the visible parts of the author %j", async (author, shown) => {
    const facts = await factsFrom({ ...answer, commit: { ...answer.commit, author } });
    expect(facts.author).toBe(shown);
  });

  test.each([
    ["unsigned", "UNSIGNED"],
    ["malformed_signature", "MALFORMED_SIG"],
    ["unknown_signature_type", "UNKNOWN_SIG_TYPE"],
    ["gpgverify_unavailable", "GPGVERIFY_UNAVAILABLE"],
    ["some_reason_of_tomorrow", "SOME_REASON_OF_TOMORROW"],
  ])("maps the signature state %s to %s", async (reason, state) => {
    const verification = { verified: false, reason };
    const facts = await factsFrom({ ...answer, commit: { ...answer.commit, verification } });
    expect(facts).toMatchObject({ verified: false, signatureState: state });
  });

  test("is used partly when some fields are invalid", async () => {
    const commit = { ...answer.commit, author: { name: 5, date: "yesterday" }, verification: "none" };
    const facts = await factsFrom({ ...answer, commit, parents: [{ id: 1 }], author: {} });
    expect(JSON.parse(JSON.stringify(facts))).toEqual({ message: answer.commit.message });
  });

  test("leaves no open connection that would keep the process alive", async () => {
    const github = await gitHubServer(json(200, answer));
    // The client would keep the connection for as long as the server says, which is longer than a test may take.
    github.server.keepAliveTimeout = 600_000;
    const connected = once(github.server, "connection");
    await readFacts(github);
    const [socket] = await connected;
    if (!socket.destroyed) await once(socket, "close");
    expect(socket.destroyed).toBe(true);
  });
});

describe("when GitHub does not return a commit, the facts are unknown and the warning shows the reason", () => {
  test.each([
    [401, {}, "GitHub did not accept the token (401)"],
    [403, {}, "the job needs the permission `contents: read`"],
    [404, {}, "the job needs the permission `contents: read`"],
    [409, {}, "there is no such commit in acme/web (409)"],
    [422, {}, "there is no such commit in acme/web (422)"],
    [500, {}, "GitHub answered 500"],
    [503, {}, "GitHub answered 503"],
    [
      403,
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000000" },
      "the token's rate limit is used up until 2023-11-14T22:13:20.000Z (403)",
    ],
    [
      429,
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "soon" },
      "the token's rate limit is used up (429)",
    ],
    [403, { "retry-after": "3000" }, "the token's rate limit is used up for now (403)"],
  ])("for status %i with %j", async (status, headers, why) => {
    const github = await gitHubServer(json(status, { message: "Secret words of a server" }, headers));
    const { facts, warning } = await readFacts(github);
    expect(facts).toEqual({});
    expect(warning).toContain(why);
    expect(warning).toContain("such as signature verification, are omitted");
    expect(warning).not.toContain("Secret words");
    expect(github.requests).toHaveLength(1);
  });

  test.each([
    ["broken JSON", '{"sha": "'],
    ["a web page", "<html></html>"],
    ["nothing", ""],
    ["null", "null"],
    ["another commit", JSON.stringify({ ...answer, sha: parent })],
    ["a commit without its details", JSON.stringify({ sha })],
  ])("for a response that is %s", async (_, body) => {
    const warning = await warningFrom((_request, response) => {
      response.setHeader("content-type", "application/json").end(body);
    });
    expect(warning).toContain("GitHub's response does not describe the commit");
  });

  test("for an endless response", async () => {
    const warning = await warningFrom((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const megabyte = Buffer.alloc(1024 * 1024, " ");
      const more = (): void => {
        while (!response.destroyed && response.write(megabyte));
      };
      response.on("drain", more);
      more();
    });
    expect(warning).toContain("GitHub's response about the commit is larger than 20 MB");
  });

  test("for a refused connection", async () => {
    const github = await gitHubServer(never);
    github.server.close();
    await once(github.server, "close");
    expect((await readFacts(github)).warning).toContain("connection refused");
  });

  test("for a broken connection", async () => {
    const warning = await warningFrom((request) => request.socket.destroy());
    expect(warning).toContain("the other side closed the connection");
  });

  test("when the time is up before any response", async () => {
    expect(await warningFrom(never, { timeLimitMs: 50 })).toContain("GitHub did not answer within 0.05 s");
  });

  test("when the time is up in the middle of a response", async () => {
    const half: RequestListener = (_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write('{"sha":');
    };
    expect(await warningFrom(half, { timeLimitMs: 300 })).toContain("GitHub did not answer within 0.3 s");
  });

  test("for invalid proxy variables", async () => {
    const env = { http_proxy: "socks5://proxy.example" };
    const { facts, warning } = await readFacts({ url: "http://github.example" }, { env });
    expect(facts).toEqual({});
    expect(warning).toContain("http_proxy: must be an http:// or https:// address of a proxy");
  });

  test("for an invalid address", async () => {
    expect((await readFacts({ url: "not an address" })).warning).toContain(
      "no request to GitHub is possible",
    );
  });
});

test("a proxy is used where the variables name one, and its error is shown", async () => {
  const proxy = await gitHubServer(never);
  const urls: (string | undefined)[] = [];
  proxy.server.on("connect", (request, socket) => {
    urls.push(request.url);
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
  });
  const { warning } = await readFacts(
    { url: "https://ghe.example/api/v3" },
    { env: { HTTPS_PROXY: proxy.url } },
  );
  expect(urls).toEqual(["ghe.example:443"]);
  expect(warning).toContain("ghe.example returned no details");
  expect(warning).toContain("the proxy requires authentication (407)");
});

test("an interrupt ends the wait with the interrupt's own reason", async () => {
  const controller = new AbortController();
  const github = await gitHubServer(() => controller.abort(new Error("interrupted")));
  await expect(readFacts(github, { signal: controller.signal })).rejects.toThrow("interrupted");
});

import { createServer } from "node:https";
import { describe, expect, test } from "vitest";
import { archiveOf, gitHubWith } from "../actions/spool-artifacts.ts";
import { selfSigned } from "../api/certificates.ts";
import { forwardProxy } from "../api/forward-proxy.ts";
import { closedPort, httpServer, json, listening, tcpServer } from "../api/local-server.ts";
import { GITHUB_TOKEN, replaySample } from "./replays.ts";
import { expectFailure, runSample, type Sample } from "./samples.ts";

/** What is left is said, and that nothing of it was recorded. */
const LEFT = { status: "left", replayed: "0", found: "0", left: "2" };

/** The action to replay, for two submissions that an earlier run spooled, and what GitHub was asked for. */
async function replayOfTwo() {
  const { github } = await gitHubWith({ archive: await archiveOf("v1", "unit", "lint") });
  const sample: Sample = {
    ...(await replaySample()),
    inputs: { "github-token": GITHUB_TOKEN, retries: "1" },
    env: { GITHUB_API_URL: github.url },
  };
  return { sample, github };
}

interface Fault {
  readonly baseUrl: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How often the service was asked. */
  readonly asked?: () => number;
}

async function answering(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Fault> {
  const server = await httpServer((response) =>
    typeof body === "string"
      ? response.writeHead(status, headers).end(body)
      : json(response, status, body, headers),
  );
  return { baseUrl: server.url, asked: () => server.received.length };
}

const FAULTS: readonly [fault: string, begin: () => Promise<Fault>, attempts: number, said: RegExp][] = [
  [
    "401",
    () => answering(401, { message: "expired" }),
    1,
    /the API key was rejected: expired \(.*, status 401\)/,
  ],
  [
    "403",
    () => answering(403, { message: "no" }),
    1,
    /lacks the right to \w+ in organization 'acme': no \(.*, status 403\)/,
  ],
  ["500", () => answering(500, { message: "disk full" }), 2, /disk full \(.*, status 500, 2 attempts\)/],
  [
    "the page of a gateway",
    () => answering(502, "<html>Bad gateway", { "content-type": "text/html" }),
    2,
    /text\/html "<html>Bad gateway"/,
  ],
  [
    "a web page for an answer",
    () => answering(200, "<html>Log in", { "content-type": "text/html" }),
    1,
    /not JSON: text\/html "<html>Log in"/,
  ],
  [
    "a redirect",
    () => answering(302, "", { location: "https://elsewhere.example/" }),
    1,
    /the request was redirected to https:\/\/elsewhere\.example\/ \(.*, status 302\)\n.*set base-url/,
  ],
  [
    "nobody there",
    async () => ({ baseUrl: `http://127.0.0.1:${await closedPort()}` }),
    2,
    /connection refused \(.*, 2 attempts\)/,
  ],
  [
    "half an answer",
    async () => {
      const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n";
      const server = await tcpServer((socket) => socket.once("data", () => socket.end(`${head}[{"a`)));
      return { baseUrl: server.url, asked: server.connections };
    },
    2,
    /, 2 attempts\)/,
  ],
  [
    "a certificate of its own",
    async () => {
      let connections = 0;
      const server = createServer(selfSigned(["localhost"])).on("tlsClientError", () => {});
      server.on("connection", () => connections++);
      return { baseUrl: `https://localhost:${await listening(server)}`, asked: () => connections };
    },
    1,
    /the certificate is self-signed \(.*\)\n.*NODE_EXTRA_CA_CERTS/,
  ],
  [
    "a proxy that wants another password",
    async () => {
      const proxy = await forwardProxy(9, { authorization: "Basic other" });
      const env = { HTTPS_PROXY: `http://user:hunter2-secret@127.0.0.1:${proxy.port}` };
      return { baseUrl: "https://evidence.test", env, asked: () => proxy.asked.length };
    },
    1,
    /the proxy requires authentication \(407\)/,
  ],
];

// What keeps one from being sent keeps the others too, so that the second is not tried.
describe("replay leaves what it cannot record, and says why:", () => {
  test.each(FAULTS)("%s", async (_, begin, attempts, said) => {
    const { sample } = await replayOfTwo();
    const { baseUrl, env, asked } = await begin();
    const step = await runSample(sample, { baseUrl, ...(env && { env }) });
    expectFailure(sample, step, said);
    expect(step.outputs).toEqual(LEFT);
    expect(asked?.() ?? attempts).toBe(attempts);
    expect(step.stdout.replace(/^::add-mask::.*$/gm, "")).not.toContain("hunter2");
  });
});

test.each([
  [{ "api-key": "" }, "api-key: is missing: set the secret `EVIDENCE_API_KEY`, or pass `api-key`"],
  [{ "api-key": "\ufeffde_0123456789" }, "api-key: holds a blank or a character outside ASCII"],
  [{ "api-key": "short" }, "api-key: is too short to be a key"],
  [{ org: ".." }, "org: '..' is not a name"],
  [{ "base-url": "http://10.0.0.1" }, "base-url: is http://, which would send the key in clear"],
  [{ "base-url": "https://user:secret@evidence.example" }, "base-url: must not hold a user or password"],
  [{ "dry-run": "no" }, "dry-run: must be true or false, not 'no'"],
  [{ "auth-scheme": "bearer, basic" }, "auth-scheme: must be bearer or basic"],
])("replay refuses %j before it asks anybody", async (inputs, said) => {
  const { sample, github } = await replayOfTwo();
  const server = await httpServer((response) => json(response, 200, []));
  expectFailure(sample, await runSample(sample, { baseUrl: server.url, inputs }), said);
  expect({ gitHub: github.requests, service: server.received }).toEqual({ gitHub: [], service: [] });
});

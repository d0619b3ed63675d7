import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { spool } from "../../src/spool/spool.ts";
import { API_KEY } from "../actions/bundle-run.ts";
import { selfSigned } from "../api/certificates.ts";
import { forwardProxy } from "../api/forward-proxy.ts";
import { closedPort, httpServer, json, listening, tcpServer } from "../api/local-server.ts";
import { gitHubServer, repository } from "../github/github-server.ts";
import { connectTo, fileOf, sampleSubmission, temporaryFolder } from "../spool/fixtures.ts";
import { zipOf } from "../spool/zip-archive.ts";
import { expectFailure, runSample, type Sample, startSample } from "./samples.ts";
import { STAGES } from "./slow-servers.ts";
import { annotations } from "./step.ts";

/** The action that sends what earlier runs kept, once it has got it from GitHub. */
const REPLAY: Sample = {
  name: "replay",
  inputs: { "github-token": "ghs_token", retries: "1" },
  answer: () => [],
  writes: true,
  posts: true,
};
/** What is left is said, and that nothing of it was recorded. */
const LEFT = { status: "left", replayed: "0", found: "0", left: "2" };

let archive: Buffer;
beforeAll(async () => {
  archive = await archiveOfTwo();
});

/** What a job uploads that kept two attestations. */
async function archiveOfTwo(): Promise<Buffer> {
  await using folder = await temporaryFolder();
  const connection = connectTo("http://127.0.0.1:9", API_KEY);
  for (const attestationName of ["unit", "lint"]) {
    const body = { attestationName, isCompliant: true };
    const files = [fileOf("log.txt", "all is well")];
    await spool(folder.path, sampleSubmission(connection, { body, files }));
  }
  await connection.close();
  const files: Record<string, Buffer> = {};
  for (const entry of await readdir(folder.path, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files[path.slice(folder.path.length + 1)] = await readFile(path);
  }
  return zipOf(files);
}

/** GitHub with this as its one artifact. */
async function gitHub() {
  const store = await gitHubServer((_, response) => response.writeHead(200).end(archive));
  const artifact = {
    id: 1,
    name: "delivery-evidence-spool-70-1-0123abcd",
    size_in_bytes: archive.length,
    expired: false,
    created_at: new Date().toISOString(),
    digest: `sha256:${createHash("sha256").update(archive).digest("hex")}`,
    workflow_run: { repository_id: 4711, head_repository_id: 4711, head_branch: "main" },
  };
  const toStore = (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(302, { location: `${store.url}/1` }).end();
  const answers = {
    "/actions/artifacts": { total_count: 1, artifacts: [artifact] },
    "/actions/artifacts/1/zip": toStore,
  };
  const { url, requests } = await gitHubServer(repository(answers));
  return { requests, env: { GITHUB_API_URL: url } };
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
  ["401", () => answering(401, { message: "expired" }), 1, /rejected the API key \(401\): expired/],
  [
    "403",
    () => answering(403, { message: "no" }),
    1,
    /lacks the right to \w+ in organization 'acme' \(403\): no/,
  ],
  ["500", () => answering(500, { message: "disk full" }), 2, /with 500 after 2 attempts: disk full/],
  [
    "the page of a gateway",
    () => answering(502, "<html>Bad gateway", { "content-type": "text/html" }),
    2,
    /502 text\/html "<html>Bad gateway"/,
  ],
  [
    "a web page for an answer",
    () => answering(200, "<html>Log in", { "content-type": "text/html" }),
    1,
    /200 text\/html "<html>Log in", not JSON/,
  ],
  [
    "a redirect",
    () => answering(302, "", { location: "https://elsewhere.example/" }),
    1,
    /redirected the request \(302\) to https:\/\/elsewhere\.example\/\n.*set base-url/,
  ],
  [
    "nobody there",
    async () => ({ baseUrl: `http://127.0.0.1:${await closedPort()}` }),
    2,
    /connection refused \(after 2 attempts\)/,
  ],
  [
    "half an answer",
    async () => {
      const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n";
      const server = await tcpServer((socket) => socket.once("data", () => socket.end(`${head}[{"a`)));
      return { baseUrl: server.url, asked: server.connections };
    },
    2,
    /failed: .* \(after 2 attempts\)/,
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
    /its certificate is self-signed\n.*NODE_EXTRA_CA_CERTS/,
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
    const { env } = await gitHub();
    const fault = await begin();
    const step = await runSample(REPLAY, { baseUrl: fault.baseUrl, env: { ...env, ...fault.env } });
    expectFailure(REPLAY, step, said);
    expect(step.outputs).toEqual(LEFT);
    expect(fault.asked?.() ?? attempts).toBe(attempts);
    expect(step.stdout.replace(/^::add-mask::.*$/gm, "")).not.toContain("hunter2");
  });

  test.each(Object.entries(STAGES))("a service that stalls %s", async (_, stall) => {
    const { env } = await gitHub();
    const server = await stall();
    const step = await runSample(REPLAY, { baseUrl: server.url, env, inputs: { timeout: "1" } });
    expectFailure(REPLAY, step, /gave no complete answer to GET within 1 s/);
    expect(step.outputs).toEqual(LEFT);
  });
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends replay with 130 and what is not known", async (signal) => {
  const { env } = await gitHub();
  const server = await (STAGES["before it says anything"] ?? expect.fail("no such stage"))();
  const step = startSample(REPLAY, { baseUrl: server.url, env });
  await server.stalled;
  step.child.kill(signal);
  const ended = await step.ended;
  expect(ended).toMatchObject({ status: 130, signal: null, stderr: "" });
  expect(annotations(ended.stdout)).toEqual([
    "Interrupted: what was being sent may or may not have been recorded.",
  ]);
  expect(server.open()).toBe(0);
});

test.each([
  [{ "api-key": "" }, "api-key: is empty; secrets are not available to workflows from forks"],
  [{ "api-key": "\ufeffde_0123456789" }, "api-key: holds a blank or a character outside ASCII"],
  [{ "api-key": "short" }, "api-key: is too short to be a key"],
  [{ org: ".." }, "org: '..' is not a name"],
  [{ "base-url": "http://10.0.0.1" }, "base-url: is http://, which would send the key in clear"],
  [{ "base-url": "https://user:secret@evidence.example" }, "base-url: must not hold a user or password"],
  [{ "dry-run": "no" }, "dry-run: must be true or false, not 'no'"],
  [{ "auth-scheme": "bearer, basic" }, "auth-scheme: must be bearer or basic"],
])("replay refuses %j before it asks anybody", async (inputs, said) => {
  const { env, requests } = await gitHub();
  const server = await httpServer((response) => json(response, 200, []));
  expectFailure(REPLAY, await runSample(REPLAY, { baseUrl: server.url, env, inputs }), said);
  expect({ gitHub: requests, service: server.received }).toEqual({ gitHub: [], service: [] });
});

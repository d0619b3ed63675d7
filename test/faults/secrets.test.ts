import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { forwardProxy } from "../api/forward-proxy.ts";
import { closedPort, httpServer, json, type LocalServer, tcpServer } from "../api/local-server.ts";
import { masksIn } from "../github/printed.ts";
import { base64, DEBUG, formsOf, leftBy, stem } from "./left-behind.ts";
import { startReplayCommand } from "./replays.ts";
import {
  contentService,
  expectFailure,
  runSample,
  runSampleBundle,
  type Sample,
  sampleOf,
  startSample,
} from "./samples.ts";
import type { EndedStep } from "./step.ts";

const attest = sampleOf("attest");
const PASSWORD = "pr0xy-Pa%ss/w0rd";
const TOKEN = "Xq7wVbN3mKz9TfR2pLc8YdHs";
const HOOK = `https://hooks.slack.example/services/T0123/B0123/${TOKEN}`;
/** A sequence of characters found in no text of ours, so that each match is part of the key. */
const SIGNS = "q~J^Zx!W0%Kv$Y7-Gj|U4_Xw+Q1'Vb8}Zk@H5?Nf;J2{Tq*M9<Rd]C6>Bp(L3.Sg:E=Fz,D&h/Ax[y\\u#o\"`)";

const keyOf = (length: number) => SIGNS.repeat(2).slice(0, length);

interface Failure {
  readonly name: string;
  /** The service or proxy of the step. */
  begin(): Promise<{ baseUrl: string; env?: Record<string, string>; inputs?: Record<string, string> }>;
}

/** A service that echoes the whole request, headers and body, in every response. */
function echoing(status: number, wrap: (echo: string) => unknown): Promise<LocalServer> {
  return httpServer((response, { headers, body }) => {
    const credentials = headers.authorization?.split(" ")[1] ?? "";
    const plain = Buffer.from(credentials, "base64").toString("latin1");
    const echo = [
      ...Object.entries(headers).map((header) => header.join(": ")),
      headers.authorization,
      credentials,
      base64(credentials),
      plain,
      body.toString(),
    ].join("\n");
    const wrapped = wrap(echo);
    if (typeof wrapped === "string")
      response.writeHead(status, { "x-request-id": printable(credentials) }).end(wrapped);
    else json(response, status, wrapped, { "x-request-id": printable(credentials) });
  });
}

const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, "");

const cutPage: Failure = {
  name: "a page that is truncated in the middle of it",
  begin: async () => {
    const { url } = await httpServer((response, { headers }) => {
      const echo = headers.authorization ?? "";
      // Only the first 200 characters of a page are shown, so the last ones shown are the first of the key.
      const before = "x".repeat(200 - Math.ceil(echo.length / 2));
      response.writeHead(500, { "content-type": "text/html" }).end(`${before}${echo}`);
    });
    return { baseUrl: url, inputs: { retries: "0" } };
  },
};

const FAILURES: readonly Failure[] = [
  {
    name: "a rejected key whose response echoes it",
    begin: async () => ({ baseUrl: (await echoing(401, (echo) => ({ message: echo }))).url }),
  },
  {
    name: "rejected fields whose response echoes it",
    begin: async () => ({
      baseUrl: (await echoing(400, (echo) => ({ message: "no", errors: { authorization: echo } }))).url,
      inputs: { "auth-scheme": "basic" },
    }),
  },
  {
    name: "a server error with a page that echoes it",
    begin: async () => ({
      baseUrl: (await echoing(502, (echo) => `<html>${echo}`)).url,
      inputs: { retries: "0", "auth-scheme": "basic" },
    }),
  },
  cutPage,
  {
    name: "a success with a page that echoes it",
    begin: async () => ({ baseUrl: (await echoing(200, (echo) => `<html>${echo}`)).url }),
  },
  {
    name: "a success that echoes it",
    begin: async () => ({ baseUrl: (await echoing(201, (echo) => ({ message: echo, result: echo }))).url }),
  },
  {
    name: "a redirect to an address with it",
    begin: async () => ({
      baseUrl: (
        await httpServer((response, { headers }) => {
          const key = encodeURIComponent(printable(headers.authorization?.split(" ")[1] ?? ""));
          response.writeHead(302, { location: `https://elsewhere.example/?key=${key}` }).end();
        })
      ).url,
    }),
  },
  {
    name: "a closed port",
    begin: async () => ({ baseUrl: `http://127.0.0.1:${await closedPort()}`, inputs: { retries: "0" } }),
  },
  {
    name: "a broken connection",
    begin: async () => ({
      baseUrl: (await tcpServer((socket) => socket.once("data", () => socket.destroy()))).url,
      inputs: { retries: "1" },
    }),
  },
  {
    name: "a service that never responds",
    begin: async () => ({ baseUrl: (await tcpServer(() => {})).url, inputs: { timeout: "1" } }),
  },
  {
    name: "a service that does not speak HTTP and echoes what it reads",
    begin: async () => ({
      baseUrl: (await tcpServer((socket) => socket.once("data", (data) => socket.end(data)))).url,
      inputs: { retries: "0" },
    }),
  },
  {
    name: "a proxy that rejects its password",
    begin: async () => {
      const { port } = await forwardProxy(9, { authorization: "Basic other" });
      return {
        baseUrl: "https://evidence.test",
        env: { HTTPS_PROXY: `http://user:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}` },
      };
    },
  },
  {
    name: "a proxy that responds for the service and echoes the request",
    begin: async () => {
      const proxy = await echoing(502, (echo) => `<html>${echo}`);
      const address = `http://user:${encodeURIComponent(PASSWORD)}@127.0.0.1:${proxy.port}`;
      return {
        baseUrl: "http://evidence.test",
        env: { HTTP_PROXY: address },
        inputs: { "allow-http": "true", retries: "0" },
      };
    },
  },
  {
    name: "an invalid proxy",
    begin: async () => ({
      baseUrl: "https://evidence.test",
      env: { HTTPS_PROXY: `socks5://user:${encodeURIComponent(PASSWORD)}@127.0.0.1:1080` },
    }),
  },
  {
    name: "invalid inputs",
    begin: async () => ({ baseUrl: "nonsense", inputs: { org: "..", timeout: "soon" } }),
  },
  {
    name: "a dry run",
    begin: async () => ({ baseUrl: "https://evidence.test", inputs: { "dry-run": "true" } }),
  },
];

describe("with all debugging on, a step leaves behind no trace of", () => {
  test.each(FAILURES.map((failure, index) => ({ ...failure, failure, length: 100 - 6 * index })))(
    "a key of $length characters, its authorization, a proxy's password or a webhook, after $name",
    async ({ failure, length }) => {
      const hooks = {
        "slack-webhooks": HOOK,
        webhooks: `https://user:${TOKEN}z@hooks.example/?token=${TOKEN}y`,
      };
      const telling = sampleOf("set-flow-action");
      const sample = { ...telling, inputs: { ...telling.inputs, ...hooks } };
      expect(leftBy(await expectHidden(sample, failure, keyOf(length)))).not.toContain(TOKEN);
    },
  );

  test.each(["bearer", "basic"])("a key, in the spool, by the scheme %s", async (scheme) => {
    const key = keyOf(46);
    const step = startSample(attest, {
      baseUrl: "http://evidence.invalid",
      inputs: {
        "api-key": key,
        "auth-scheme": scheme,
        "allow-http": "true",
        "on-unavailable": "spool",
        retries: "0",
      },
      env: {
        ...DEBUG,
        HTTP_PROXY: `http://user:${encodeURIComponent(PASSWORD)}@127.0.0.1:${await closedPort()}`,
      },
    });
    expect((await step.ended).outputs["status"]).toBe("spooled");
    const folder = join(step.temp, "delivery-evidence-spool");
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name).sort()).toEqual(["0", "submission.json"]);
    for (const { parentPath, name } of files) {
      const text = readFileSync(join(parentPath, name), "latin1");
      for (const secret of secretsOf(key)) expect(text).not.toContain(secret);
    }
  });

  test("the start of a key at the end of a truncated page", async () => {
    const key = keyOf(46);
    const { baseUrl, inputs } = await cutPage.begin();
    const step = await runSampleBundle(attest, {
      baseUrl,
      inputs: { ...inputs, "api-key": key },
      env: DEBUG,
    });
    expectFailure(attest, step, "status 500");
    expect(leftBy(step)).not.toContain(key.slice(0, 8));
  });

  test("anything derived from a key of seven characters, which is rejected before any request", async () => {
    const server = await contentService(attest);
    const refused = async (key: string) => {
      const step = await runSample(attest, { baseUrl: server.url, inputs: { "api-key": key }, env: DEBUG });
      expectFailure(attest, step, "api-key: is too short for a key; copy the whole key");
      return step;
    };
    const one = await refused("q~J^Zx!");
    // Masking it would hide every such character in the log, and thereby reveal the key.
    expect(masksIn(one.stdout)).toEqual([]);
    expect(await refused("e1Rr0rs")).toEqual(one);
    expect(server.received).toEqual([]);
  });
});

describe("a command prints no trace of", () => {
  const echoed = FAILURES.filter(({ name }) => name.includes("echoes it") || name.includes("password"));
  test.each(echoed)("a key, after $name", (failure) => expectHiddenByCommand(failure, keyOf(46)));
});

/** Runs into a failure with a key, and searches all that is left behind for it and for the proxy's password. */
async function expectHidden(sample: Sample, failure: Failure, key: string): Promise<EndedStep> {
  const { baseUrl, env, inputs } = await failure.begin();
  const step = await runSample(sample, {
    baseUrl,
    inputs: { ...inputs, "api-key": key },
    env: { ...DEBUG, ...env },
  });
  expect(step.stdout).not.toContain("Unexpected error in this action");
  const left = leftBy(step);
  for (const secret of secretsOf(key)) {
    expect(left, `${failure.name}, ${key.length} characters`).not.toContain(secret);
  }
  expect(masksIn(step.stdout)).toEqual(expect.arrayContaining([key, base64(`${key}:`)]));
  return step;
}

/** Replays into a failure with a key, and searches the output for it. */
async function expectHiddenByCommand({ name, begin }: Failure, key: string): Promise<void> {
  const { baseUrl, env = {}, inputs = {} } = await begin();
  const { "dry-run": _, "allow-http": allowHttp, ...valued } = inputs;
  const options = Object.entries(valued).map(([name, value]) => `--${name}=${value}`);
  if (allowHttp === "true") options.push("--allow-http");
  const { ended } = await startReplayCommand({
    baseUrl,
    options: ["--timeout=1", "--retries=0", ...options],
    env: { ...DEBUG, ...env, EVIDENCE_API_KEY: key },
  });
  const { status, stdout, stderr } = await ended;
  expect(status, stdout).toBe(1);
  for (const secret of secretsOf(key)) expect(stdout + stderr, name).not.toContain(secret);
}

/** A key in every form in which it can leak, and the proxy's password. */
function secretsOf(key: string): string[] {
  return [...formsOf(key), PASSWORD, encodeURIComponent(PASSWORD), stem(`user:${PASSWORD}`)];
}

import { createServer } from "node:https";
import { expect, test } from "vitest";
import { BUNDLES } from "../../scripts/bundle.ts";
import { API_KEY } from "../actions/bundle-run.ts";
import { selfSigned } from "../api/certificates.ts";
import { forwardProxy } from "../api/forward-proxy.ts";
import { closedPort, httpServer, json, listening, tcpServer } from "../api/local-server.ts";
import { masksIn } from "../github/printed.ts";
import { expectInert, HOSTILE } from "./inert.ts";
import { base64, DEBUG, formsOf, leftBy } from "./left-behind.ts";
import { GITHUB_TOKEN, replaySample } from "./replays.ts";
import {
  contentService,
  each,
  expectFailure,
  expectSuccess,
  runSampleBundle,
  type Sample,
  sampleOf,
  startSample,
} from "./samples.ts";
import { STAGES } from "./slow-servers.ts";
import { annotations } from "./step.ts";

/*
 * The other files of this folder test every fault with attest, most from the source. This one runs each bundle of dist/
 * into one fault of each kind, to find a bundle that reacts differently.
 */

/** Runs a check for each bundle: a new bundle fails until it has a sample. */
async function everyAction(check: (sample: Sample) => Promise<unknown>): Promise<void> {
  const samples = BUNDLES.map((name) => (name === "replay" ? replaySample() : sampleOf(name)));
  await each(await Promise.all(samples), check);
}

test("a missing service is retried, and then named", () =>
  everyAction(async (sample) => {
    const port = await closedPort();
    const step = await runSampleBundle(sample, {
      baseUrl: `http://127.0.0.1:${port}`,
      inputs: { retries: "1" },
    });
    expectFailure(
      sample,
      step,
      new RegExp(`connection refused \\(127\\.0\\.0\\.1:${port}, \\w+, 2 attempts\\)`),
    );
    expect(step.stdout).toMatch(/^Attempt 1 of 2 failed: .*connection refused/m);
  }));

test("a rejected request is sent once, and an echo in the response reveals no key and runs no command", () =>
  everyAction(async (sample) => {
    const server = await httpServer((response, { headers }) => {
      const authorization = headers.authorization ?? "";
      const echo = [authorization, API_KEY, base64(`${API_KEY}:`), encodeURIComponent(API_KEY)].join(" ");
      json(response, 403, { message: `${echo}\n${HOSTILE}` }, { "x-request-id": "::error::injected" });
    });
    const inputs = { "auth-scheme": "basic" };
    const step = await runSampleBundle(sample, { baseUrl: server.url, inputs, env: DEBUG });
    expectFailure(sample, step, /lacks the right to \w+ in organization 'acme': /);
    expectInert(step, [GITHUB_TOKEN]);
    for (const secret of [...formsOf(API_KEY), GITHUB_TOKEN]) expect(leftBy(step)).not.toContain(secret);
    expect(masksIn(step.stdout)).toEqual(expect.arrayContaining([API_KEY, base64(`${API_KEY}:`)]));
    expect(server.received).toHaveLength(1);
  }));

test("a web page is not a valid response, whatever its status", () =>
  everyAction(async (sample) => {
    const server = await httpServer((response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<p>Log in</p>"),
    );
    const step = await runSampleBundle(sample, { baseUrl: server.url });
    expectFailure(sample, step, 'not JSON: text/html "<p>Log in</p>" (');
    expect(server.received).toHaveLength(1);
  }));

test("the deadline ends a wait for a stalled service", () =>
  everyAction(async (sample) => {
    const server = await tcpServer(() => {});
    const step = await runSampleBundle(sample, { baseUrl: server.url, inputs: { timeout: "1" } });
    expectFailure(sample, step, /no complete answer within 1 s \(/);
    if (sample.writes) expect(step.stdout).toContain("It may or may not have been recorded");
  }));

test("SIGTERM ends a wait for a stalled service with 130 and says what is uncertain", () =>
  everyAction(async (sample) => {
    const server = await (STAGES["after its headers"] ?? expect.fail("no such stage"))();
    const step = startSample(sample, { baseUrl: server.url });
    await server.stalled;
    step.child.kill("SIGTERM");
    const ended = await step.ended;
    expect(ended).toMatchObject({ status: 130, signal: null, stderr: "" });
    expect(annotations(ended.stdout)).toEqual([
      "Interrupted: the request in progress may or may not have been recorded.",
    ]);
    expect(Object.keys(ended.outputs).length).toBeGreaterThan(0);
    expect(server.open()).toBe(0);
  }));

test("a proxy and a private authority lead to the service, and the proxy's password is hidden", async () => {
  const certificate = selfSigned(["evidence.test"]);
  const password = "p@ss:w%rd/hunter2";
  const authorization = `Basic ${base64(`user:${password}`)}`;
  await everyAction(async (sample) => {
    const server = createServer(certificate, (request, response) => {
      request.resume().on("end", () => json(response, 201, sample.answer(request.url ?? "")));
    });
    const proxy = await forwardProxy(await listening(server), { authorization });
    const env = {
      HTTPS_PROXY: `http://user:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}`,
      NODE_EXTRA_CA_CERTS: certificate.path,
      RUNNER_DEBUG: "1",
    };
    const step = await runSampleBundle(sample, { baseUrl: "https://evidence.test", env });
    expectSuccess(sample, step);
    expect(new Set(proxy.asked.map(({ line }) => line))).toEqual(new Set(["CONNECT evidence.test:443"]));
    expect(leftBy(step)).not.toMatch(/hunter2|dXNlcjp/);
  });
});

test("a full disk and a missing temporary folder do not undo what was done", () =>
  everyAction(async (sample) => {
    const server = await contentService(sample);
    // The replay action needs a folder for what it is to record.
    const gone = sample.name === "replay" ? {} : { RUNNER_TEMP: "/nowhere" };
    const env = { GITHUB_OUTPUT: "/dev/full", GITHUB_STEP_SUMMARY: "/dev/full", ...gone };
    const step = await runSampleBundle(sample, { baseUrl: server.url, env });
    const [outputs, ...all] = annotations(step.stdout, "warning").toReversed();
    // Without a GitHub token it cannot comment, and logs that.
    const others = all.filter((text) => !text.startsWith("The comment on"));
    expect(outputs).toBe(
      "/dev/full cannot be written: no space is left on the disk (ENOSPC). The outputs are not set.",
    );
    for (const text of others)
      expect(text).toMatch(/^\/(dev\/full|nowhere\/\S+) cannot be written: .+\. The /);
    if (sample.name === "attest") expect(others).toEqual([expect.stringContaining("has no summary")]);
    if (sample.name === "root") expect(others).toHaveLength(2);
    expect(annotations(step.stdout)).toEqual([]);
    expect(step).toMatchObject({ status: 0, signal: null, stderr: "" });
    expect(server.received.length).toBeGreaterThan(0);
  }));

test("invalid inputs are listed in one annotation before any request", () =>
  everyAction(async (sample) => {
    const proxy = await tcpServer((socket) => socket.destroy());
    const own = Object.keys(sample.inputs).filter((name) => name !== "github-token");
    const shared = ["org", "base-url", "auth-scheme", "timeout", "retries", "dry-run", "region"];
    const inputs = Object.fromEntries([...own, ...shared].map((name) => [name, HOSTILE]));
    const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, ALL_PROXY: proxy.url };
    const step = await runSampleBundle(sample, { inputs: { ...inputs, "api-key": "" }, env });
    expectFailure(sample, step, /^1 input is missing, and \d+ cannot be used/, "api-key: is missing: ");
    expectInert(step, [GITHUB_TOKEN]);
    expect(proxy.connections()).toBe(0);
  }));

/** Outputs of the steps that a dry run fails, because it decides nothing. */
const UNDECIDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "assert-artifact": { compliant: "false" },
  evaluate: { allow: "false" },
};

test("a dry run makes no request, and only gates fail because of it", () =>
  everyAction(async (sample) => {
    const server = await tcpServer((socket) => socket.destroy());
    const step = await runSampleBundle(sample, { baseUrl: server.url, inputs: { "dry-run": "true" } });
    expect(server.connections()).toBe(0);
    const outputs = UNDECIDED[sample.name];
    if (outputs) expect(step).toMatchObject({ status: 1, stderr: "", outputs });
    else expectSuccess(sample, step);
    if (sample.writes) {
      expect(step.stdout).toMatch(/^::group::Dry run: would send \w+\n\{\n {2}"\w+": /m);
    }
  }));

/** Simulates a bug: no connection is made, and no timer keeps the process alive. */
const LOSE_EVERYTHING = `
import net from "node:net";
net.Socket.prototype.connect = function () { return this; };
const set = globalThis.setTimeout;
globalThis.setTimeout = (...args) => set(...args).unref();
`;

test("work that never settles is not a success: when nothing is pending, the step fails and says so", () =>
  everyAction(async (sample) => {
    const server = await tcpServer(() => {});
    const step = await runSampleBundle(sample, {
      baseUrl: server.url,
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LOSE_EVERYTHING)}` },
    });
    expectFailure(sample, step, "The action ended without an outcome");
  }));

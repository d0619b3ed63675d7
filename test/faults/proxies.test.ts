import { createServer } from "node:https";
import { describe, expect, test } from "vitest";
import { type Certificate, selfSigned } from "../api/certificates.ts";
import { forwardProxy } from "../api/forward-proxy.ts";
import { closedPort, json, listening, tcpServer } from "../api/local-server.ts";
import { masksIn } from "../github/printed.ts";
import {
  contentService,
  each,
  expectFailure,
  expectSuccess,
  requestsOf,
  runSample,
  SAMPLES,
  type Sample,
  sampleOf,
} from "./samples.ts";

const PASSWORD = "p@ss:w%rd/hunter2";
const CREDENTIALS = `Basic ${Buffer.from(`user:${PASSWORD}`).toString("base64")}`;
const HOST = "evidence.test";

/** A service that only the proxy finds, since its name is nobody's. */
async function behind(certificate: Certificate, sample: Sample): Promise<number> {
  const server = createServer(certificate, (request, response) => {
    request.resume().on("end", () => json(response, 201, sample.answer(request.url ?? "")));
  });
  return listening(server);
}

describe("HTTPS_PROXY", () => {
  test.each([
    ["with its scheme", (port: number) => `http://127.0.0.1:${port}`],
    ["without a scheme", (port: number) => `127.0.0.1:${port}`],
  ])("%s leads every action to the service through a tunnel", async (_, address) => {
    const certificate = selfSigned([HOST]);
    await each(SAMPLES, async (sample) => {
      const proxy = await forwardProxy(await behind(certificate, sample));
      const env = { HTTPS_PROXY: address(proxy.port), NODE_EXTRA_CA_CERTS: certificate.path };
      expectSuccess(sample, await runSample(sample, { baseUrl: `https://${HOST}`, env }));
      expect(new Set(proxy.asked.map(({ line }) => line))).toEqual(new Set([`CONNECT ${HOST}:443`]));
    });
  });

  test("that wants a password gets it, and one that gets another says so without showing it", async () => {
    const certificate = selfSigned([HOST]);
    await each(SAMPLES, async (sample) => {
      const proxy = await forwardProxy(await behind(certificate, sample), { authorization: CREDENTIALS });
      const through = (password: string) => ({
        HTTPS_PROXY: `http://user:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}`,
        NODE_EXTRA_CA_CERTS: certificate.path,
        RUNNER_DEBUG: "1",
      });
      const right = await runSample(sample, { baseUrl: `https://${HOST}`, env: through(PASSWORD) });
      expectSuccess(sample, right);
      const wrong = await runSample(sample, { baseUrl: `https://${HOST}`, env: through("wrong-hunter2") });
      expectFailure(
        sample,
        wrong,
        `the proxy requires authentication (407) (${HOST} through the proxy 127.0.0.1:${proxy.port}, `,
      );
      expect(proxy.asked.filter(({ authorization }) => authorization !== CREDENTIALS)).toHaveLength(1);
      for (const { stdout } of [right, wrong]) {
        expect(stdout.replace(/^::add-mask::.*$/gm, "")).not.toMatch(/hunter2|dXNlcjp|abort/i);
      }
      // Also by what others print of it.
      const hidden = [PASSWORD, encodeURIComponent(PASSWORD), CREDENTIALS.replace("Basic ", "")];
      expect(masksIn(right.stdout)).toEqual(expect.arrayContaining(hidden));
    });
  });

  test.each(["socks5://user:hunter2-secret@127.0.0.1:1080", "ftp://127.0.0.1", "http://"])(
    "that is no proxy for HTTP is refused by every action, which never goes directly: %s",
    (address) =>
      each(SAMPLES, async (sample) => {
        for (const variable of ["HTTPS_PROXY", "ALL_PROXY"]) {
          const step = await runSample(sample, {
            baseUrl: `https://${HOST}`,
            env: { [variable]: address },
          });
          expectFailure(sample, step, variable, "must be an http:// or https:// address of a proxy");
          expect(step.stdout.replace(/^::add-mask::.*$/gm, "")).not.toContain("hunter2");
        }
      }),
  );

  test("that is not there is what every action names", () =>
    each(SAMPLES, async (sample) => {
      const port = await closedPort();
      const env = { HTTPS_PROXY: `http://127.0.0.1:${port}` };
      const step = await runSample(sample, { baseUrl: `https://${HOST}`, env, inputs: { retries: "0" } });
      expectFailure(sample, step, "connection refused (", `through the proxy 127.0.0.1:${port}, `);
    }));

  test("that never answers is ended by the deadline", () =>
    each(SAMPLES, async (sample) => {
      const proxy = await tcpServer(() => {});
      const step = await runSample(sample, {
        baseUrl: `https://${HOST}`,
        env: { HTTPS_PROXY: proxy.url },
        inputs: { timeout: "1" },
      });
      expectFailure(sample, step, "within 1 s");
      expect(step.seconds).toBeLessThan(6);
    }));
});

test("ALL_PROXY is used where the scheme has none of its own", async () => {
  const certificate = selfSigned([HOST]);
  await each(SAMPLES, async (sample) => {
    const proxy = await forwardProxy(await behind(certificate, sample));
    const env = { ALL_PROXY: `127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: certificate.path };
    expectSuccess(sample, await runSample(sample, { baseUrl: `https://${HOST}`, env }));
    expect(proxy.asked.length).toBeGreaterThan(0);
  });
});

describe("NO_PROXY", () => {
  // Neither is a name that anybody knows: what goes directly fails, and the proxy is not asked.
  test.each([
    [HOST, "evidence.test"],
    ["a.evidence.test", "evidence.test"],
    ["a.evidence.test", ".evidence.test"],
    [`${HOST}:8443`, "evidence.test:8443"],
    [HOST, "*"],
    [HOST, "other.example, evidence.test"],
    ["[::ffff:1]:9", "::ffff:1"],
    ["[::ffff:1]:9", "[::ffff:1]:9"],
  ])("sends the request for %s directly when it is '%s'", async (host, exempt) => {
    const sample = sampleOf("attest");
    const proxy = await forwardProxy(await closedPort());
    const env = { HTTPS_PROXY: `127.0.0.1:${proxy.port}`, NO_PROXY: exempt };
    const step = await runSample(sample, { baseUrl: `https://${host}`, env, inputs: { retries: "0" } });
    expectFailure(sample, step, ", attestGeneric)");
    expect(step.stdout).not.toContain("through the proxy");
    expect(proxy.asked).toEqual([]);
  });

  test.each([
    [HOST, "test.evidence.test"],
    [HOST, `${HOST}:8443`],
    ["10.1.2.3", "10.0.0.0/8"],
    ["notevidence.test", "evidence.test"],
  ])("sends the request for %s through the proxy when it is '%s'", async (host, exempt) => {
    const sample = sampleOf("attest");
    const proxy = await forwardProxy(await closedPort(), { status: 403 });
    const env = { HTTPS_PROXY: `127.0.0.1:${proxy.port}`, NO_PROXY: exempt };
    const step = await runSample(sample, { baseUrl: `https://${host}`, env, inputs: { retries: "0" } });
    expectFailure(sample, step, "through the proxy", "the proxy answered 403");
    expect(proxy.asked).toHaveLength(1);
  });
});

test("this machine is never asked through a proxy, which would carry the key away in clear", () =>
  each(SAMPLES, async (sample) => {
    const server = await contentService(sample);
    const proxy = await forwardProxy(server.port);
    const env = { HTTP_PROXY: `127.0.0.1:${proxy.port}`, ALL_PROXY: `127.0.0.1:${proxy.port}` };
    expectSuccess(sample, await runSample(sample, { baseUrl: server.url, env }));
    expect({ asked: proxy.asked, served: server.received.length }).toEqual({
      asked: [],
      served: requestsOf(sample),
    });
  }));

import { expect, test } from "vitest";
import { forwardProxy } from "../api/forward-proxy.ts";
import { closedPort } from "../api/local-server.ts";
import { masksIn } from "../github/printed.ts";
import { base64, withoutMasks } from "./left-behind.ts";
import { contentService, expectFailure, expectSuccess, runSample, sampleOf } from "./samples.ts";

const attest = sampleOf("attest");
const HOST = "evidence.test";

test("a proxy that rejects its password is reported without the password, which is masked", async () => {
  const password = "p@ss:w%rd/hunter2";
  const proxy = await forwardProxy(9, { authorization: "Basic other" });
  const env = {
    HTTPS_PROXY: `http://user:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}`,
    RUNNER_DEBUG: "1",
  };
  const step = await runSample(attest, { baseUrl: `https://${HOST}`, env });
  const place = `${HOST} through the proxy 127.0.0.1:${proxy.port}, `;
  expectFailure(attest, step, `the proxy requires authentication (407) (${place}`);
  expect(proxy.asked).toHaveLength(1);
  expect(withoutMasks(step.stdout)).not.toMatch(/hunter2|dXNlcjp|abort/i);
  // Also when other programs print it.
  const hidden = [password, encodeURIComponent(password), base64(`user:${password}`)];
  expect(masksIn(step.stdout)).toEqual(expect.arrayContaining(hidden));
});

test.each(["HTTPS_PROXY", "ALL_PROXY"])(
  "an unsupported proxy is rejected, and never bypassed: %s",
  async (variable) => {
    const step = await runSample(attest, {
      baseUrl: `https://${HOST}`,
      env: { [variable]: "socks5://user:hunter2-secret@127.0.0.1:1080" },
    });
    expectFailure(attest, step, variable, "must be an http:// or https:// address of a proxy");
    expect(withoutMasks(step.stdout)).not.toContain("hunter2");
  },
);

test("a proxy password with an unescaped % is rejected by the bundle as by the sources", async () => {
  // Bundlers remove calls that they believe cannot fail.
  const step = await runSample(attest, {
    baseUrl: `https://${HOST}`,
    env: { HTTPS_PROXY: "http://user:hunter2%@127.0.0.1:9" },
  });
  expectFailure(attest, step, "HTTPS_PROXY", "contains a user or password with a %");
  expect(withoutMasks(step.stdout)).not.toContain("hunter2");
});

test("NO_PROXY sends a request directly", async () => {
  const proxy = await forwardProxy(await closedPort());
  // A host name that does not resolve: a direct request fails, and the proxy gets none.
  const env = { HTTPS_PROXY: `127.0.0.1:${proxy.port}`, NO_PROXY: "other.example, evidence.test" };
  const step = await runSample(attest, { baseUrl: `https://${HOST}`, env, inputs: { retries: "0" } });
  expectFailure(attest, step, ", attestGeneric)");
  expect(step.stdout).not.toContain("through the proxy");
  expect(proxy.asked).toEqual([]);
});

test("requests to this machine never use a proxy, which would receive the key unencrypted", async () => {
  const server = await contentService(attest);
  const proxy = await forwardProxy(server.port);
  const env = { HTTP_PROXY: `127.0.0.1:${proxy.port}`, ALL_PROXY: `127.0.0.1:${proxy.port}` };
  expectSuccess(attest, await runSample(attest, { baseUrl: server.url, env }));
  expect([proxy.asked.length, server.received.length]).toEqual([0, 1]);
});

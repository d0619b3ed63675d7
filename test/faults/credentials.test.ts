import { expect, test } from "vitest";
import { API_KEY } from "../actions/bundle-run.ts";
import { masksIn } from "../github/printed.ts";
import { base64, leftBy } from "./left-behind.ts";
import { contentService, expectFailure, expectSuccess, runSample, sampleOf } from "./samples.ts";

const attest = sampleOf("attest");

test("an invalid API key is rejected with a clear message before any request", async () => {
  const server = await contentService(attest);
  const inputs = { "api-key": `\ufeff${API_KEY}✓` };
  const step = await runSample(attest, { baseUrl: server.url, inputs });
  expectFailure(attest, step, "api-key: contains a space or a non-ASCII character");
  expect(step.stdout).not.toMatch(/ByteString|ERR_INVALID_CHAR|UND_ERR/);
  expect(server.received).toEqual([]);
});

test("every line of a multi-line key is masked, and no empty one", async () => {
  const server = await contentService(attest);
  const key = "first-line-0123\r\n\n  second-line-4567  \nthird-line-89ab\n";
  const step = await runSample(attest, { baseUrl: server.url, inputs: { "api-key": key } });
  expectFailure(attest, step, "api-key: contains a space");
  const masks = masksIn(step.stdout);
  expect(masks.slice(0, 3)).toEqual(["first-line-0123", "second-line-4567", "third-line-89ab"]);
  expect(masks).not.toContain("");
  expect(step.stdout).not.toMatch(/^::add-mask::\s*$/m);
  expect(server.received).toEqual([]);
});

test("the authorization is bearer unless basic is chosen, never both, and neither is shown", async () => {
  const server = await contentService(attest);
  expectSuccess(attest, await runSample(attest, { baseUrl: server.url }));
  // The runner masks the basic authorization automatically for one key length of three.
  for (const length of [42, 43, 44]) {
    const key = API_KEY.slice(0, length);
    const inputs = { "api-key": key, "auth-scheme": "basic" };
    const step = await runSample(attest, { baseUrl: server.url, inputs, env: { RUNNER_DEBUG: "1" } });
    expectSuccess(attest, step);
    for (const secret of [key, base64(`${key}:`), base64(key).replace(/=+$/, "")]) {
      expect(leftBy(step)).not.toContain(secret);
    }
    expect(masksIn(step.stdout)).toEqual(expect.arrayContaining([key, base64(`${key}:`), base64(key)]));
  }
  expect(server.received.map(({ allHeaders }) => allHeaders["authorization"])).toEqual([
    [`Bearer ${API_KEY}`],
    ...[42, 43, 44].map((length) => [`Basic ${base64(`${API_KEY.slice(0, length)}:`)}`]),
  ]);
});

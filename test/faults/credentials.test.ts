import { describe, expect, test } from "vitest";
import { API_KEY } from "../actions/bundle-run.ts";
import { httpServer, json } from "../api/local-server.ts";
import { masksIn } from "../github/printed.ts";
import {
  contentService,
  each,
  expectFailure,
  expectSuccess,
  requestsOf,
  runSample,
  SAMPLES,
} from "./samples.ts";

const DEBUG = { ACTIONS_STEP_DEBUG: "true", RUNNER_DEBUG: "1" };
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("an API key that cannot be one is refused by every action before any request:", () => {
  test("an empty one, with the secret to set", () =>
    each(SAMPLES, async (sample) => {
      const server = await contentService(sample);
      const step = await runSample(sample, { baseUrl: server.url, inputs: { "api-key": "" } });
      expectFailure(
        sample,
        step,
        "api-key",
        "is missing: set the secret `EVIDENCE_API_KEY`, or pass `api-key`",
      );
      expect(server.received).toEqual([]);
      expect(masksIn(step.stdout)).toEqual([]);
    }));

  test.each([
    ["a BOM before it", `\ufeff${API_KEY}`],
    ["a character outside Latin-1", `${API_KEY}✓`],
    ["a character outside ASCII", `${API_KEY}é`],
    ["a blank in it", `${API_KEY} ${API_KEY}`],
  ])("one with %s, in clear words", async (_, key) => {
    await each(SAMPLES, async (sample) => {
      const server = await contentService(sample);
      const step = await runSample(sample, { baseUrl: server.url, inputs: { "api-key": key } });
      expectFailure(sample, step, "api-key: holds a blank or a character outside ASCII");
      expect(step.stdout).not.toMatch(/ByteString|ERR_INVALID_CHAR|UND_ERR/);
      expect(server.received).toEqual([]);
    });
  });

  test("one of several lines, of which every line is masked and no empty one", () =>
    each(SAMPLES, async (sample) => {
      const server = await contentService(sample);
      const key = "first-line-0123\r\n\n  second-line-4567  \nthird-line-89ab\n";
      const step = await runSample(sample, { baseUrl: server.url, inputs: { "api-key": key } });
      expectFailure(sample, step, "api-key: holds a blank");
      const masks = masksIn(step.stdout);
      expect(masks.slice(0, 3)).toEqual(["first-line-0123", "second-line-4567", "third-line-89ab"]);
      expect(masks).not.toContain("");
      expect(step.stdout).not.toMatch(/^::add-mask::\s*$/m);
      expect(server.received).toEqual([]);
    }));
});

describe("the authorization of every action", () => {
  test("is bearer unless basic is chosen, and never both", () =>
    each(SAMPLES, async (sample) => {
      const server = await contentService(sample);
      expectSuccess(sample, await runSample(sample, { baseUrl: server.url }));
      expect(server.received.map(({ allHeaders }) => allHeaders["authorization"])).toEqual(
        Array.from({ length: requestsOf(sample) }, () => [`Bearer ${API_KEY}`]),
      );
      const both = await runSample(sample, {
        baseUrl: server.url,
        inputs: { "auth-scheme": "bearer, basic" },
      });
      expectFailure(sample, both, "auth-scheme: must be bearer or basic, not 'bearer, basic'");
      expect(server.received).toHaveLength(requestsOf(sample));
    }));

  test.each([42, 43, 44, 45])(
    "as basic is the key of %i characters and its colon, and neither is shown in debugging",
    async (length) => {
      const key = "de_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ".slice(0, length);
      await each(SAMPLES, async (sample) => {
        const server = await contentService(sample);
        const inputs = { "api-key": key, "auth-scheme": "basic" };
        const step = await runSample(sample, { baseUrl: server.url, inputs, env: DEBUG });
        expectSuccess(sample, step);
        expect(server.received.map(({ allHeaders }) => allHeaders["authorization"])).toEqual(
          Array.from({ length: requestsOf(sample) }, () => [`Basic ${base64(`${key}:`)}`]),
        );
        const shown = step.stdout.replace(/^::add-mask::.*$/gm, "");
        for (const secret of [key, base64(`${key}:`), base64(key).replace(/=+$/, "")]) {
          expect(shown).not.toContain(secret);
        }
        expect(masksIn(step.stdout)).toEqual(expect.arrayContaining([key, base64(`${key}:`), base64(key)]));
      });
    },
  );
});

describe("a key that the service refuses is asked with once, in every action:", () => {
  test("401, with what the service said", () =>
    each(SAMPLES, async (sample) => {
      const body = { message: "Unauthorized: the API key has expired" };
      const server = await httpServer((response) => json(response, 401, body));
      const step = await runSample(sample, { baseUrl: server.url });
      expectFailure(
        sample,
        step,
        "the API key was rejected: Unauthorized: the API key has expired (127.0.0.1:",
      );
      expect(server.received).toHaveLength(1);
    }));

  test("403, with the operation and organization it has no right for", () =>
    each(SAMPLES, async (sample) => {
      const server = await httpServer((response) => json(response, 403, { message: "Access denied" }));
      const step = await runSample(sample, { baseUrl: server.url });
      expectFailure(
        sample,
        step,
        /lacks the right to (\w+) in organization 'acme': Access denied \(127\.0\.0\.1:\d+, \1, status 403\)/,
      );
      expect(server.received).toHaveLength(1);
    }));
});

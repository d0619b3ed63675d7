import { describe, expect, test } from "vitest";
import { authorizationOf } from "../../src/api/connection.ts";
import { lines, list, required, secret, text } from "../../src/github/input.ts";
import { maskApiKey, maskSecrets } from "../../src/github/masking.ts";
import { masksIn, printedBy } from "./printed.ts";

/** The log after the runner has replaced what it was told to mask. */
function masked(printed: string, masks: readonly string[]): string {
  return masks.reduce((text, mask) => text.replaceAll(mask, "***"), printed);
}

test("a key of any length is masked, and the basic authorization made of it", () => {
  for (let length = 1; length <= 100; length++) {
    const key = "k%9".repeat(40).slice(0, length);
    const masks = masksIn(printedBy(() => maskApiKey(key)));
    expect(masks).toEqual([key, Buffer.from(`${key}:`).toString("base64")]);
    const encoded = authorizationOf(key, "basic").slice("Basic ".length);
    expect(masked(`sent ${encoded}`, masks)).toBe("sent ***");
  }
});

test.each(["", " ", "\n", "\r\n\t"])("an empty key, %j, masks nothing", (key) => {
  expect(printedBy(() => maskApiKey(key))).toBe("");
});

test("a key is masked as it is sent, without the blanks around it", () => {
  expect(masksIn(printedBy(() => maskApiKey(" key\r\n")))).toEqual(["key", "a2V5Og=="]);
});

test("a key with a BOM is masked without it, so that it is masked with and without", () => {
  const masks = masksIn(printedBy(() => maskApiKey("\ufeffthe-key")));
  expect(masked("\ufeffthe-key and the-key", masks)).not.toContain("the-key");
});

test("each line of a key is masked, so that no line of it can be shown", () => {
  const masks = masksIn(printedBy(() => maskApiKey("first\r\n\n  second  \nthird")));
  expect(masks.slice(0, 3)).toEqual(["first", "second", "third"]);
});

describe("the secret inputs of an action", () => {
  const inputs = {
    flow: required({ description: "d" }),
    "github-token": { ...text({ description: "d" }), secret: true },
    webhooks: { ...lines({ description: "d" }), secret: true },
    emails: list({ description: "d" }),
    "api-key": secret({ description: "d", required: false }),
  } as const;

  test("are masked, item by item, and no others", () => {
    const values = {
      flow: "web",
      githubToken: "ghs_token",
      webhooks: ["https://a.example/1", "https://b.example/2"],
      emails: ["a@example.com"],
      apiKey: "key\nsecond",
    };
    expect(masksIn(printedBy(() => maskSecrets(inputs, values)))).toEqual([
      "ghs_token",
      "https://a.example/1",
      "https://b.example/2",
      "key",
      "second",
    ]);
  });

  test("mask nothing when they are absent or empty", () => {
    const values = { flow: "web", githubToken: undefined, webhooks: [], emails: [], apiKey: "" };
    expect(printedBy(() => maskSecrets(inputs, values))).toBe("");
  });
});

import { describe, expect, test } from "vitest";
import { authorizationOf } from "../../../src/api/client/connection.ts";
import { lines, list, required, secret, text } from "../../../src/github/step/input.ts";
import { log } from "../../../src/github/step/log.ts";
import {
  maskApiKey,
  maskLines,
  maskProxyPasswords,
  maskSecrets,
  withoutGivenSecrets,
  withoutSecrets,
} from "../../../src/github/step/masking.ts";
import { formsOf, stem } from "../../faults/left-behind.ts";
import { masksIn, printedBy } from "../printed.ts";

/** The log after the runner has applied its masks. */
function masked(printed: string, masks: readonly string[]): string {
  return masks.reduce((text, mask) => text.replaceAll(mask, "***"), printed);
}

test("a key of any accepted length is masked, and its basic authorization", () => {
  for (let length = 8; length <= 100; length++) {
    const key = "k%9".repeat(40).slice(0, length);
    const masks = masksIn(printedBy(() => maskApiKey(key)));
    expect(masks).toEqual([key, ...[`${key}:`, key].map((text) => Buffer.from(text).toString("base64"))]);
    const encoded = authorizationOf(key, "basic").slice("Basic ".length);
    expect(masked(`sent ${encoded}`, masks)).toBe("sent ***");
  }
});

test("a shorter key is not masked, since that would garble the log and reveal the key", () => {
  for (let length = 1; length < 8; length++) {
    expect(printedBy(() => maskApiKey("q~J^Zx!".slice(0, length)))).toBe("");
  }
});

test.each(["", " ", "\n", "\r\n\t"])("an empty key, %j, masks nothing", (key) => {
  expect(printedBy(() => maskApiKey(key))).toBe("");
});

test("a key is masked as it is sent, without the white space around it", () => {
  expect(masksIn(printedBy(() => maskApiKey(" blanks-around\r\n")))).toEqual([
    "blanks-around",
    "YmxhbmtzLWFyb3VuZDo=",
    "YmxhbmtzLWFyb3VuZA==",
  ]);
});

test("a key with a BOM is masked without it, which covers both forms", () => {
  const masks = masksIn(printedBy(() => maskApiKey("\ufeffwith-a-bom")));
  expect(masked("\ufeffwith-a-bom and with-a-bom", masks)).not.toContain("with-a-bom");
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
      apiKey: "a key\nof two lines",
    };
    expect(masksIn(printedBy(() => maskSecrets(inputs, values)))).toEqual([
      "ghs_token",
      "https://a.example/1",
      "https://b.example/2",
      "a key",
      "of two lines",
    ]);
  });

  test("mask nothing when they are absent or empty", () => {
    const values = { flow: "web", githubToken: undefined, webhooks: [], emails: [], apiKey: "" };
    expect(printedBy(() => maskSecrets(inputs, values))).toBe("");
  });
});

describe("text with a known secret", () => {
  test("contains no key of any length in any form that a service can echo", () => {
    const signs = "q~J^Zx!W0%Kv$Y7-Gj|U4_Xw+Q1'Vb8}Zk@H5?Nf;J2{Tq*M9<Rd]C6>Bp(L3.Sg:E=Fz,D&h/Ax[y\\u#o\"`)";
    for (let length = 8; length <= 100; length++) {
      // No key starts or continues like another one, so that hiding one does not hide a part of the next.
      const sign = (at: number) => signs[(at * at * 7 + at * length) % signs.length];
      const key = Array.from({ length }, (_, at) => sign(at)).join("");
      printedBy(() => maskApiKey(key));
      const echo = formsOf(key).filter((form) => form !== stem(key));
      const text = printedBy(() => log.info(`authorization: ${echo.join("\r\n::error::")}${key}${key}`));
      for (const form of formsOf(key)) expect(text, `${length} characters`).not.toContain(form);
    }
  });

  test("omits it, in base64 too, and the longest of those with a common start first", () => {
    printedBy(() => maskApiKey("prefix-of"));
    printedBy(() => maskApiKey("prefix-of-another"));
    const text = `prefix-of-another ${Buffer.from("prefix-of-another").toString("base64")} prefix-of`;
    expect(withoutSecrets(text)).toBe("*** *** ***");
    expect(withoutGivenSecrets(text)).toBe("*** *** ***");
  });

  test("is passed on when the secret was created for the caller", () => {
    printedBy(() => maskLines("a-new-key-of-the-service"));
    expect(withoutSecrets("a-new-key-of-the-service")).toBe("***");
    expect(withoutGivenSecrets("a-new-key-of-the-service")).toBe("a-new-key-of-the-service");
  });
});

test("a webhook's address is masked, and also its token alone", () => {
  const inputs = { webhooks: { ...lines({ description: "d" }), secret: true } } as const;
  const webhooks = [
    "https://u:password-of-16-ch@h.example/services/T0/abcdefghijklmnop?sig=0123456789abcdef&v=1",
  ];
  expect(masksIn(printedBy(() => maskSecrets(inputs, { webhooks })))).toEqual([
    webhooks[0],
    "password-of-16-ch",
    "abcdefghijklmnop",
    "0123456789abcdef",
  ]);
});

test("a proxy's password is masked in the variable's form, decoded and as it is sent", () => {
  const env = {
    HTTPS_PROXY: "user:s%40cret-1@p.example:3128",
    http_proxy: "http://p.example",
    ALL_PROXY: "%%%",
  };
  expect(masksIn(printedBy(() => maskProxyPasswords(env)))).toEqual([
    "s%40cret-1",
    "s@cret-1",
    Buffer.from("user:s@cret-1").toString("base64"),
  ]);
});

import { createHmac } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { InputError, verifyWebhook, WebhookVerificationError } from "../../../src/index.ts";

/** The vectors with which the libraries of Standard Webhooks test themselves. */
const ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BODY = '{"test": 2432232314}';
const PUBLIC_KEY = "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=";
const KEY_TIMESTAMP = 1_614_265_330;
const KEY_SIGNATURE =
  "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==";

const now = () => Math.floor(Date.now() / 1000);

function sign(timestamp: number | string = now(), body = BODY): string {
  const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", key).update(`${ID}.${timestamp}.${body}`).digest("base64")}`;
}

function headers(changes: Record<string, string> = {}) {
  const timestamp = changes["webhook-timestamp"] ?? String(now());
  return {
    "webhook-id": ID,
    "webhook-timestamp": timestamp,
    "webhook-signature": sign(timestamp),
    ...changes,
  };
}

/** Why a delivery is refused; undefined when it is valid. */
function reasonOf(
  given: Parameters<typeof verifyWebhook>[0],
  body = BODY,
  secret = SECRET,
): string | undefined {
  try {
    verifyWebhook(given, body, secret);
    return undefined;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
}

test("a delivery returns its payload, in any form of headers and body", () => {
  const upper = Object.fromEntries(
    Object.entries(headers()).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const several = Object.fromEntries(Object.entries(headers()).map(([name, value]) => [name, [value]]));
  for (const given of [headers(), new Headers(headers()), upper, several]) {
    expect(verifyWebhook(given, BODY, SECRET)).toEqual({ test: 2432232314 });
    expect(verifyWebhook(given, new TextEncoder().encode(BODY), SECRET)).toEqual({ test: 2432232314 });
  }
});

test("a parsed body and a missing secret are reported as mistakes of the receiver", () => {
  // As programs without types pass them: after a JSON parser, and from an unset variable.
  const mistaken: { body: string; unset: string } = JSON.parse('{"body": {"test": 2432232314}}');
  const { body, unset } = mistaken;
  const refused = (given: string, secret: string) => () => verifyWebhook(headers(), given, secret);
  expect(refused(body, SECRET)).toThrow(InputError);
  expect(refused(body, SECRET)).toThrow("body: must be the received bytes or text, not parsed JSON");
  expect(refused(BODY, unset)).toThrow(InputError);
});

test("one valid signature is enough, beside those of other versions and keys", () => {
  const other = `v1,${Buffer.alloc(32).toString("base64")}`;
  const signatures = ["v2,AAAA", other, "v1,short", "nonsense", KEY_SIGNATURE, sign()].join(" ");
  expect(reasonOf(headers({ "webhook-signature": signatures }))).toBeUndefined();
});

describe("verification refuses", () => {
  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("a request without %s", (name) => {
    const { [name]: _, ...rest } = { ...headers() } as Record<string, string>;
    expect(reasonOf(rest)).toBe("missing_header");
    expect(reasonOf(new Headers(rest))).toBe("missing_header");
    expect(reasonOf({ ...rest, [name]: "" })).toBe("missing_header");
  });

  test.each(["soon", "-1", "1.5", "1e9", " ", "0x10", "9".repeat(400)])("the timestamp '%s'", (timestamp) => {
    expect(reasonOf(headers({ "webhook-timestamp": timestamp }))).toBe("invalid_timestamp");
  });

  test("timestamps older or newer than five minutes, and no others", () => {
    const aged = (seconds: number) => reasonOf(headers({ "webhook-timestamp": String(now() + seconds) }));
    vi.useFakeTimers({ now: 1_800_000_000_000 });
    try {
      expect([-301, -300, 300, 301].map(aged)).toEqual(["too_old", undefined, undefined, "too_new"]);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([
    ["another body", headers(), `${BODY} `, SECRET],
    ["another id", headers({ "webhook-id": "msg_2" }), BODY, SECRET],
    ["another time", { ...headers(), "webhook-timestamp": String(now() - 1) }, BODY, SECRET],
    ["another secret", headers(), BODY, `whsec_${Buffer.alloc(32).toString("base64")}`],
    ["no signature of a known version", headers({ "webhook-signature": "v9,abc" }), BODY, SECRET],
    ["an empty signature", headers({ "webhook-signature": "v1," }), BODY, SECRET],
    [
      "a signature under another version's name",
      headers({ "webhook-signature": sign().replace("v1", "v1a") }),
      BODY,
      SECRET,
    ],
    ["a signature by a secret where a key is expected", headers(), BODY, PUBLIC_KEY],
  ])("%s", (_, given, body, secret) => {
    expect(reasonOf(given, body, secret)).toBe("no_matching_signature");
  });

  test("signed content that is not JSON", () => {
    const timestamp = String(now());
    const given = headers({ "webhook-timestamp": timestamp, "webhook-signature": sign(timestamp, "{") });
    expect(reasonOf(given, "{")).toBe("not_json");
  });
});

test("a signature by the key of an organization is verified with its public key", () => {
  const given = headers({ "webhook-timestamp": String(KEY_TIMESTAMP), "webhook-signature": KEY_SIGNATURE });
  vi.useFakeTimers({ now: KEY_TIMESTAMP * 1000 });
  try {
    expect(verifyWebhook(given, BODY, PUBLIC_KEY)).toEqual({ test: 2432232314 });
    expect(reasonOf(given, `${BODY} `, PUBLIC_KEY)).toBe("no_matching_signature");
    const short = headers({ "webhook-timestamp": String(KEY_TIMESTAMP), "webhook-signature": "v1a,AAAA" });
    expect(reasonOf(short, BODY, PUBLIC_KEY)).toBe("no_matching_signature");
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  "",
  "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "whsec_",
  "whsec_%%%",
  "whsec_c2hvcnQ=",
  `whsec_${Buffer.alloc(65).toString("base64")}`,
  "whpk_AAAA",
  "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==",
])("'%s' is an invalid secret: an error of the receiver, not of a delivery", (secret) => {
  expect(() => verifyWebhook(headers(), BODY, secret)).toThrow(InputError);
  expect(() => verifyWebhook(headers(), BODY, secret)).toThrow(/^secret: must be a secret, whsec_…/);
});

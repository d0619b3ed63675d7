import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { verifyWebhook } from "../../../../src/index.ts";
import {
  newSecret,
  newSigningKey,
  readSigningKey,
  signedHeaders,
} from "../../../../src/service/delivery/outgoing/signature.ts";

const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const body = '{"name":"Grüße","test": 2432232314}';
const now = () => Math.floor(Date.now() / 1000);

describe("a signed delivery", () => {
  test("is verified by the library of Standard Webhooks and by ours, with each secret and with the key", () => {
    const secrets = [newSecret(), newSecret()];
    const { privateKey: signingKey, publicKey } = newSigningKey();
    const headers = signedHeaders({ id, timestamp: now(), body, secrets, signingKey });

    for (const secret of secrets) {
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      expect(verifyWebhook(headers, body, secret)).toEqual(JSON.parse(body));
    }
    expect(verifyWebhook(headers, Buffer.from(body), publicKey)).toEqual(JSON.parse(body));
    expect(() => verifyWebhook(headers, body, newSecret())).toThrow("No signature");
    expect(() => verifyWebhook(headers, body, newSigningKey().publicKey)).toThrow("No signature");
  });

  test("has the signature of the newest secret first, as that library creates it", () => {
    const [newest, former] = [newSecret(), newSecret()];
    const timestamp = now();
    const headers = signedHeaders({ id, timestamp, body, secrets: [newest, former] });
    const expected = [newest, former].map((secret) =>
      new Webhook(secret).sign(id, new Date(timestamp * 1000), body),
    );
    expect(headers).toEqual({
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": expected.join(" "),
    });
  });

  test("with a key is signed as Svix signs it", () => {
    const signingKey =
      "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==";
    const given = { id, timestamp: 1_614_265_330, body: '{"test": 2432232314}', secrets: [], signingKey };
    const signature =
      "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==";
    expect(signedHeaders(given)["webhook-signature"]).toBe(signature);
    const readOnce = { ...given, signingKey: readSigningKey(signingKey) };
    expect(signedHeaders(readOnce)["webhook-signature"]).toBe(signature);
  });
});

test("secrets and keys are random and have the documented length", () => {
  expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSecret()).not.toBe(newSecret());
  const { privateKey, publicKey } = newSigningKey();
  expect(privateKey).toMatch(/^whsk_[A-Za-z0-9+/]{86}==$/);
  expect(publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
  expect(newSigningKey().publicKey).not.toBe(publicKey);
});

test.each([
  ["nothing to sign with", { secrets: [] }, "needs a secret or a key"],
  ["an id with a full stop", { id: "msg.1" }, "contain a period"],
  ["no id", { id: "" }, "contain a period"],
  ["a time with a fraction", { timestamp: 1.5 }, "whole seconds"],
  ["an invalid secret", { secrets: ["whsec_x"] }, "must be a secret"],
  ["a public key to sign with", { signingKey: newSigningKey().publicKey }, "A signing key must be whsk_"],
])("content that no receiver could verify is not signed: %s", (_, changes, words) => {
  const given = { id, timestamp: now(), body, secrets: [newSecret()], ...changes };
  expect(() => signedHeaders(given)).toThrow(words);
});

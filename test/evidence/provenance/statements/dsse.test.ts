import { createPublicKey } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  keyIdOf,
  newStatementKey,
  openStatement,
  preAuthEncoding,
  signStatement,
} from "../../../../src/evidence/provenance/statements/dsse.ts";

test("what is signed is the example of the specification, with lengths in bytes", () => {
  const encoded = (payload: string) =>
    preAuthEncoding("http://example.com/HelloWorld", Buffer.from(payload)).toString();
  expect(encoded("hello world")).toBe("DSSEv1 29 http://example.com/HelloWorld 11 hello world");
  expect(encoded("é")).toBe("DSSEv1 29 http://example.com/HelloWorld 2 é");
});

test("a key has the ID that ssh-keygen prints", () => {
  const publicKey = createPublicKey(`-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEIqBAYSLP9RZiT4iwJbn2naiG+DQF
4WweJX6tX0xzR+qMh4Jyp4xLzPXnuhj0EYWMPUDa048Tcc1cfEAAyqKdRQ==
-----END PUBLIC KEY-----
`);
  expect(keyIdOf(publicKey)).toBe("SHA256:WHKbND5HM2I93qpK2P/B+HpmClcZT0dAmPKgTZ4trpY");
});

test("only the key that signed any text opens its envelope, and no changed one", () => {
  const [key, other] = [newStatementKey(), newStatementKey()];
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(), (text, place) => {
      const payload = Buffer.from(text).toString();
      const envelope = signStatement(payload, key);
      expect(openStatement(envelope, key.publicKey)).toBe(payload);
      expect(openStatement(envelope, other.publicKey)).toBeUndefined();
      const parsed = JSON.parse(envelope);
      const bytes = Buffer.from(parsed.payload, "base64");
      if (bytes.length === 0) return;
      bytes.writeUInt8(bytes.readUInt8(place % bytes.length) ^ 1, place % bytes.length);
      const changed = JSON.stringify({ ...parsed, payload: bytes.toString("base64") });
      expect(openStatement(changed, key.publicKey)).toBeUndefined();
      const retyped = JSON.stringify({ ...parsed, payloadType: "text/plain" });
      expect(openStatement(retyped, key.publicKey)).toBeUndefined();
    }),
  );
});

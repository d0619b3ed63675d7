import { expect, test } from "vitest";
import {
  checkpointText,
  cosignatureLine,
  cosignedAt,
  cosignerKey,
  newSigner,
  openNote,
  parseCheckpoint,
  parseSigner,
  parseVerifierKey,
  proofFile,
  signerText,
  signNote,
  verifierKey,
} from "../../../src/evidence/log/note.ts";
import { entryBundle, parseTilePath, tilePath } from "../../../src/evidence/log/tiles.ts";

test("a checkpoint opens with the key that signed it alone", () => {
  const signer = newSigner("evidence.example/acme");
  const checkpoint = { origin: signer.name, size: 3, root: Buffer.alloc(32, 1) };
  const note = signNote(checkpointText(checkpoint), [signer]);
  expect(note).toMatch(/^evidence\.example\/acme\n3\nAQEB.{40}\n\n— evidence\.example\/acme \S+\n$/);
  const key = parseVerifierKey(verifierKey(signer));
  expect(openNote(note, key)).toBe(checkpointText(checkpoint));
  expect(parseCheckpoint(note)).toEqual(checkpoint);
  expect(openNote(`${note}— other.example AAAAAA==\n`, key), "an unknown signer").toBe(
    checkpointText(checkpoint),
  );
  expect(openNote(note, newSigner(signer.name))).toBeUndefined();
  for (let at = 0; at < note.length; at++) {
    const flipped = note.slice(0, at) + String.fromCharCode(note.charCodeAt(at) ^ 1) + note.slice(at + 1);
    expect(openNote(flipped, key), `${at}`).toBeUndefined();
  }
});

test("the example of the specification opens", () => {
  const key = parseVerifierKey("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW");
  const note =
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n" +
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
  expect(openNote(note, key)).toMatch(/problem is\.\n$/);
});

test("a cosignature of another implementation is read, and its key", () => {
  // Made with Go's x/mod/sumdb/note and transparency-dev/formats.
  const key = "PRIVATE+KEY+acme.example/witness+5b4a8a86+AbW7BoCskyBmdEYqcjd7FM1xiJFM252UbecCIyppZegI";
  const note =
    "log.example/api/v2/log/acme\n7\nCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=\n\n" +
    "— acme.example/witness ohttuAAAAABrCbCn/EirzkEsb4kiWylqzyijo6MPZxdoy7jSb8wVrHo9ukN6YCJcavuRTwpwKeYcAGPpyhdS2TT5kGsNycKUtUvCCA==\n";
  const witness = parseSigner(key);
  expect(signerText(witness)).toBe(key);
  expect(cosignerKey(witness)).toBe(
    "acme.example/witness+a21b6db8+BPwsKxhj2N0KMgsWyIpalJYd4LLnZRLj7O4ta1u2E+oL",
  );
  expect(cosignedAt(note, witness)).toBe(1_795_797_159);
  const text = note.slice(0, note.indexOf("\n\n") + 1);
  // Ed25519 signatures of the same text are the same.
  expect(cosignatureLine(text, witness, 1_795_797_159)).toBe(note.slice(text.length + 1));
  expect(cosignedAt(note.replace("\n7\n", "\n8\n"), witness)).toBeUndefined();
  expect(openNote(note, witness), "it is not the signature of a log").toBeUndefined();
  expect(() => parseSigner(key.replace("5b4a", "5b4b"))).toThrow(/^It is not a private key: .{0,40}$/);
});

test.each(["acme", "acme+00000000+AAAA", "acme+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"])(
  "%s is no key",
  (text) => expect(() => parseVerifierKey(text)).toThrow("is not a verifier key"),
);

test("a proof is a file with its checkpoint", () => {
  expect(proofFile(7, [Buffer.alloc(32)], "a\n8\nb\n\n— a c\n")).toBe(
    `c2sp.org/tlog-proof@v1\nindex 7\n${"A".repeat(43)}=\n\na\n8\nb\n\n— a c\n`,
  );
});

test("a tile has one path", () => {
  const paths = ["0/000", "0/x001/x234/067", "3/005.p/112", "entries/x273/000.p/1"];
  for (const path of paths)
    expect(tilePath(parseTilePath(path) ?? { level: 9, index: 9, width: 9 })).toBe(path);
  expect(parseTilePath("0/x001/x234/067")).toEqual({ level: 0, index: 1_234_067, width: 256 });
  for (const path of [
    "",
    "0",
    "0/1",
    "0/000.p/0",
    "0/000.p/256",
    "0/x000/001",
    "64/000",
    "00/000",
    "0/000/",
    "-1/000",
  ])
    expect(parseTilePath(path), path).toBeUndefined();
});

test("a bundle has the entries with their lengths", () => {
  const entries = Buffer.concat([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]);
  expect(Buffer.from(entryBundle(entries)).toString("hex")).toBe(
    `0020${"01".repeat(32)}0020${"02".repeat(32)}`,
  );
});

import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { InputError } from "../../../../src/api/client/errors.ts";
import { open, readSealingKey, seal, Unopened } from "../../../../src/service/delivery/outgoing/sealed.ts";

const bytes = randomBytes(32);
const key = readSealingKey(bytes.toString("base64"), "EVIDENCE_SECRET_KEY");
const SECRET = "whsec_Grüße";

function reasonOf(sealed: string, owner: string, by = key): string | undefined {
  try {
    open(sealed, owner, by);
    return undefined;
  } catch (error) {
    if (error instanceof Unopened) return error.reason;
    throw error;
  }
}

test("a sealed secret is opened for its owner, and does not reveal its content", () => {
  const sealed = seal(SECRET, "target 1", key);
  expect(sealed).toMatch(/^v1:[\da-f]{16}:[\w-]{16}:[\w-]+$/);
  expect(sealed).not.toContain(Buffer.from(SECRET).toString("base64url"));
  expect(open(sealed, "target 1", key)).toBe(SECRET);
  expect(seal(SECRET, "target 1", key)).not.toBe(sealed);
  expect(open(seal("", "", key), "", key)).toBe("");
});

test("it is not opened with another key, for another owner, or after any change", () => {
  const sealed = seal(SECRET, "target 1", key);
  expect(reasonOf(sealed, "target 1", readSealingKey(randomBytes(32).toString("hex"), "key"))).toBe(
    "other_key",
  );
  expect(reasonOf(sealed, "target 2")).toBe("damaged");
  const changed = [...sealed].map((letter, index) => {
    const other = letter === "A" ? "B" : "A";
    return `${sealed.slice(0, index)}${other}${sealed.slice(index + 1)}`;
  });
  // The last letter may have unused bits.
  expect(changed.slice(0, -1).filter((text) => reasonOf(text, "target 1") === undefined)).toEqual([]);
  for (const text of ["", "v1", "v1:::", SECRET, sealed.slice(0, -24), `${sealed}AAAA`]) {
    expect(reasonOf(text, "target 1")).toBe("damaged");
  }
});

test("the operator's key may be written in each usual form, and is one key", () => {
  const ways = [
    bytes.toString("base64"),
    bytes.toString("base64url"),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ` ${bytes.toString("base64")}\n`,
  ];
  const sealed = seal(SECRET, "target 1", key);
  for (const way of ways) expect(open(sealed, "target 1", readSealingKey(way, "key"))).toBe(SECRET);
});

test.each([
  "",
  "short",
  "z".repeat(64),
  "a".repeat(63),
  randomBytes(31).toString("base64"),
  randomBytes(33).toString("base64"),
])("an invalid key is refused with the name of its setting: '%s'", (text) => {
  expect(() => readSealingKey(text, "EVIDENCE_SECRET_KEY")).toThrow(InputError);
  expect(() => readSealingKey(text, "EVIDENCE_SECRET_KEY")).toThrow(
    "EVIDENCE_SECRET_KEY: must be 32 bytes as base64 or hex. Create one with openssl rand -base64 32",
  );
});

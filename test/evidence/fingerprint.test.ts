import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/api/client/errors.ts";
import { digestOfFile, fingerprintFile, normalizeFingerprint } from "../../src/evidence/fingerprint.ts";
import { refusal } from "./refusal.ts";
import { Link, planted, temporaryDirectory } from "./temporary-directory.ts";

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

describe("the fingerprint of a file", () => {
  test("is the sha256 of its bytes, whatever they are", async () => {
    const path = join(temporaryDirectory(), "artifact");
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (content) => {
        writeFileSync(path, content);
        expect(await fingerprintFile(path)).toBe(sha256(content));
      }),
    );
  });

  test.each([256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 4 * 1024 * 1024, 9 * 1024 * 1024 + 7])(
    "is correct for a file of %i bytes, which is read in one or several pieces",
    async (size) => {
      const content = Buffer.alloc(size, "0123456789abcdefghijklmnopqrstuvwxyz+");
      const path = join(planted({ artifact: content }), "artifact");
      expect(await fingerprintFile(path)).toBe(sha256(content));
    },
  );

  test("is not that of no content when a FIFO without a writer replaced it", async () => {
    const path = join(temporaryDirectory(), "pipe");
    execFileSync("mkfifo", [path]);
    await expect(digestOfFile(path)).rejects.toThrow("it has become a FIFO");
  });

  test("is that of the target of a link", async () => {
    const directory = planted({ "app.bin": "bytes", current: new Link("app.bin") });
    expect(await fingerprintFile(join(directory, "current"))).toBe(sha256("bytes"));
  });

  test.each(["dist/*.tgz", "dist/app-{1,2}.tgz", "dist/app-?.tgz"])(
    "is rejected for the pattern %s, which is not expanded",
    async (path) => {
      expect(await refusal(fingerprintFile(path))).toMatchObject({
        message: `artifact: '${path}' does not exist`,
        advice: `Patterns are not expanded here: use the path of one file or directory. Looked for '${resolve(path)}'.`,
      });
    },
  );

  test("is rejected for a path that does not exist", async () => {
    const path = join(temporaryDirectory(), "absent");
    const { message, advice, cause } = await refusal(fingerprintFile(path));
    expect(message).toBe(`artifact: '${path}' does not exist`);
    expect(advice).toBe(`Build or download it in an earlier step of this job. Looked for '${path}'.`);
    expect(cause).toMatchObject({ code: "ENOENT" });
  });

  test("is rejected for a directory, with the artifact type to use", async () => {
    const path = temporaryDirectory();
    const error = await refusal(fingerprintFile(path));
    expect(error.message).toBe(`artifact: '${path}' is a directory, not a file`);
    expect(error.advice).toContain("artifact-type: dir");
  });

  test("is rejected for a FIFO, which is never opened", async () => {
    const path = join(temporaryDirectory(), "pipe");
    execFileSync("mkfifo", [path]);
    const { message, advice } = await refusal(fingerprintFile(path));
    expect([message, advice]).toEqual([`artifact: '${path}' is a FIFO, not a file`, ""]);
  });

  test("is rejected for a device", async () => {
    const message = (await refusal(fingerprintFile("/dev/zero"))).message;
    expect(message).toBe("artifact: '/dev/zero' is a character device, not a file");
  });
});

describe("a given fingerprint", () => {
  const digits = sha256("anything");

  test.each([
    digits,
    digits.toUpperCase(),
    `sha256:${digits}`,
    `SHA256:${digits.toUpperCase()}`,
    `registry.example:5000/team/web@sha256:${digits}`,
    `  ${digits}\n`,
  ])("is normalized: %j", (text) => {
    expect(normalizeFingerprint(text)).toBe(digits);
  });

  test.each([
    "",
    "abcd",
    digits.slice(1),
    `${digits}0`,
    `g${digits.slice(1)}`,
    `sha512:${digits}`,
    `web@${digits}`,
    `${digits} x`,
    "x".repeat(100),
  ])("is rejected when it is not a whole sha256: %j", (text) => {
    expect(() => normalizeFingerprint(text, "target")).toThrow(
      new InputError([
        {
          input: "target",
          code: "fingerprint.invalid",
          problem: `must be a sha256 of 64 hex digits, not '${text}'`,
        },
      ]),
    );
  });

  test("is truncated in the error when it is long, under the input's usual name", () => {
    const problem = `must be a sha256 of 64 hex digits, not '${"x".repeat(100)}…'`;
    expect(() => normalizeFingerprint("x".repeat(101))).toThrow(
      new InputError([{ input: "fingerprint", code: "fingerprint.invalid", problem }]),
    );
  });
});

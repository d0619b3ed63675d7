import { pbkdf2 } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { BodyMemory } from "../../../src/service/http/body-memory.ts";
import { DEFAULT_LIMITS } from "../../../src/service/http/limits.ts";
import { storeFilePart } from "../../../src/service/http/multipart.ts";

test("a part that breaks off while its file is being opened leaves no file behind", async () => {
  const folder = await mkdtemp(join(tmpdir(), "evidence-part-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "file");
  // They use all the threads that open files.
  const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)("a", "b", 200_000, 32, "sha256"));
  const stream = new PassThrough();
  const room = new BodyMemory(DEFAULT_LIMITS).roomFor("acme", "key");
  const storage = { room, inTurn: async <T>(work: () => T) => work(), newPath: () => path };
  const stored = storeFilePart({ stream, fileName: "a", mediaType: "text/plain", storage });
  stream.destroy(new Error("broken off"));
  await expect(stored).rejects.toThrow("broken off");
  rmSync(path, { force: true });
  await Promise.all(busy);
  // All pending files are open by now.
  await readdir(folder);
  expect(existsSync(path)).toBe(false);
});

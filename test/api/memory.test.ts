import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { MAX_FILE_BYTES } from "../../src/api/operation.ts";
import { httpServer, json } from "./local-server.ts";
import { readParts, sha256 } from "./multipart-reader.ts";

const MIB = 1024 * 1024;
const RUNS = 3;
const program = fileURLToPath(new URL("send-file.ts", import.meta.url));

test("the largest attachment costs at most 15 MiB of memory and arrives whole", async () => {
  const folder = mkdtempSync(join(tmpdir(), "evidence-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "big.bin");
  const content = randomBytes(MAX_FILE_BYTES);
  writeFileSync(path, content);
  const server = await httpServer((response) => json(response, 201, "OK"));
  // The least of some runs, since what is collected when is up to chance.
  const peak = async (...args: string[]) => {
    const peaks: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const { stdout } = await promisify(execFile)(process.execPath, [program, server.url, ...args]);
      peaks.push(Number(stdout));
    }
    return Math.min(...peaks);
  };

  const without = await peak();
  const withFile = await peak(path);

  // To read it whole takes 18 MiB or more.
  expect((withFile - without) / MIB).toBeLessThan(15);
  const request = server.received.at(-1);
  const parts = await readParts(request?.headers["content-type"] ?? "", request?.body ?? Buffer.alloc(0));
  expect(sha256(parts[1]?.bytes ?? Buffer.alloc(0))).toBe(sha256(content));
});

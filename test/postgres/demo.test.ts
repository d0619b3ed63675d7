import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { newDatabase } from "../records.ts";

const DEMO = fileURLToPath(new URL("../../scripts/demo.ts", import.meta.url));

async function demoOn(url: string) {
  const demo = spawn(process.execPath, [DEMO], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, EVIDENCE_DATABASE_URL: url },
  });
  const ended = once(demo, "close");
  const [shown, complaints] = await Promise.all([text(demo.stdout), text(demo.stderr)]);
  return { status: await ended, shown, complaints };
}

test("the demo succeeds on an empty database, and reports in one line that it was used before", async () => {
  const url = await newDatabase();
  expect(await demoOn(url)).toEqual({
    status: [0, null],
    complaints: "",
    shown: expect.stringMatching(/Delivered to \S+, signature verified\n/),
  });
  expect(await demoOn(url)).toEqual({
    status: [1, null],
    shown: "",
    complaints: expect.stringMatching(
      /^The demo failed: EVIDENCE_DATABASE_URL must name an empty database: .+\n$/,
    ),
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { newDatabase } from "../records.ts";
import { startTestService } from "../service/running-service.ts";

const DEMO = fileURLToPath(new URL("../../scripts/demo.ts", import.meta.url));

test("the demo says in one line that a database was used before", async () => {
  const url = await newDatabase();
  const service = await startTestService({}, { database: { url } });
  await service.dispose();
  const demo = spawn(process.execPath, [DEMO], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, EVIDENCE_DATABASE_URL: url },
  });
  const ended = once(demo, "close");
  const [shown, complaints] = await Promise.all([text(demo.stdout), text(demo.stderr)]);
  expect({ status: await ended, shown, complaints }).toEqual({
    status: [1, null],
    shown: "",
    complaints: expect.stringMatching(
      /^The demo failed: EVIDENCE_DATABASE_URL must name an empty database: .+\n$/,
    ),
  });
});

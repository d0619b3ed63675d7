import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { oneFile } from "../../scripts/bundle/split.ts";
import { replacement } from "../../scripts/bundle.ts";
import { deploymentFile } from "./deployment-files.ts";
import { root } from "./pages.ts";

test("the image of the reporter copies what its build reads", async () => {
  const context = mkdtempSync(join(tmpdir(), "image-"));
  onTestFinished(() => rmSync(context, { recursive: true }));
  for (const [, paths = ""] of deploymentFile("reporter.Dockerfile").matchAll(/^COPY (?!--)(.+) \S+$/gm))
    for (const path of paths.split(" ")) cpSync(`${root}${path}`, join(context, path), { recursive: true });
  symlinkSync(`${root}node_modules`, join(context, "node_modules"));
  const { code } = await oneFile(context, join(context, "src/reporter.ts"), replacement);
  expect(code).toContain("evidence_reporter_watch_connected");
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Runner, readRunner } from "../../src/github/step/runner.ts";

/** An empty folder that is gone after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "delivery-evidence-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What a runner says when it runs for this event, the payload in a file as on a real one. */
export function runnerFor(payload: unknown, env: NodeJS.ProcessEnv = {}): Runner {
  const path = join(tempFolder(), "event.json");
  writeFileSync(path, JSON.stringify(payload));
  return readRunner({ ...env, GITHUB_EVENT_PATH: path });
}

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Runner, readRunner } from "../../src/github/step/runner.ts";

/** An empty folder that is removed after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "delivery-evidence-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The runner's variables for this event, with the payload in a file as on a real runner. */
export function runnerFor(payload: unknown, env: NodeJS.ProcessEnv = {}): Runner {
  const path = join(tempFolder(), "event.json");
  writeFileSync(path, JSON.stringify(payload));
  return readRunner({ ...env, GITHUB_EVENT_PATH: path });
}

import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { CLI } from "../cli/command.ts";
import { COMPILE_CACHE } from "../program-variables.ts";
import { ORG, type TestService } from "../service/running-service.ts";

/** Runs the commands of a page, in a folder with the given files, and returns what they print. */
export async function runCommands(
  { address, keys }: Pick<TestService, "address" | "keys">,
  commands: string,
  { files = {}, role = "member" }: { files?: Record<string, string>; role?: "admin" | "member" } = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "docs-commands-"));
  try {
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    const env = { EVIDENCE_BASE_URL: address, EVIDENCE_ORG: ORG, EVIDENCE_API_KEY: keys[role] };
    return await runCommandsIn(folder, commands, env);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the commands of a page in a folder, and returns what they print. */
export async function runCommandsIn(
  folder: string,
  commands: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const npx = `npx() { shift; '${process.execPath}' '${CLI}' "$@"; }`;
  const child = spawn("bash", ["-ec", `${npx}\n${commands}`], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...COMPILE_CACHE, PATH: process.env["PATH"] ?? "", ...env },
  });
  const status = new Promise((resolve) => child.on("close", resolve));
  const [printed, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(await status, printed + problems).toBe(0);
  return printed;
}

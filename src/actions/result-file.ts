import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ActionContext } from "../github/step/action.ts";
import { UnwritableFile } from "../github/step/unwritable-file.ts";

/**
 * Writes all of an answer to a file for later steps: bytes as they are, anything else as JSON. What the step was to do
 * is done by then, so a file that cannot be written is a warning.
 *
 * @param name how the file's name begins
 * @returns its path; empty when there is none
 */
export async function writeResultFile(
  name: string,
  answer: unknown,
  { runner, warn }: Pick<ActionContext, "runner" | "warn">,
): Promise<string> {
  const isFile = answer instanceof Uint8Array;
  const file = `${name}-${crypto.randomUUID()}.${isFile ? "bin" : "json"}`;
  const path = join(runner.tempDir ?? tmpdir(), file);
  try {
    await writeFile(path, isFile ? answer : `${JSON.stringify(answer, null, 2) ?? ""}\n`, { mode: 0o600 });
    return path;
  } catch (cause) {
    warn(`${new UnwritableFile(path, cause).message}. So the output result-file is empty.`);
    return "";
  }
}

import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ActionContext } from "../github/step/action.ts";
import { UnwritableFile } from "../github/step/file-faults.ts";

/**
 * Writes a response to a file for later steps: bytes unchanged, anything else as JSON. Returns its path, or warns and
 * returns an empty text, because the step's work is done by then.
 *
 * @param name prefix of the file's name
 * @param output the output that has the path
 */
export async function writeResultFile(
  name: string,
  answer: unknown,
  { runner, warn }: Pick<ActionContext, "runner" | "warn">,
  output = "result-file",
): Promise<string> {
  const isFile = answer instanceof Uint8Array;
  const file = `${name}-${crypto.randomUUID()}.${isFile ? "bin" : "json"}`;
  const path = join(runner.tempDir ?? tmpdir(), file);
  try {
    await writeFile(path, isFile ? answer : `${JSON.stringify(answer, null, 2) ?? ""}\n`, { mode: 0o600 });
    return path;
  } catch (cause) {
    warn(`${new UnwritableFile(path, cause).message}. The output ${output} is empty.`);
    return "";
  }
}

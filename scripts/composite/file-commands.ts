import { randomUUID } from "node:crypto";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Masks } from "./masks.ts";

/** The files with a step's commands to the runner. Each step has new ones. */
export interface StepFiles {
  output: string;
  env: string;
  path: string;
  state: string;
  summary: string;
}

/** GitHub drops a summary larger than this, in bytes. */
const SUMMARY_LIMIT = 1024 * 1024;

/** Creates the empty files of one step in the runner's temporary folder. */
export async function createStepFiles(tempDir: string): Promise<StepFiles> {
  const folder = join(tempDir, "_runner_file_commands");
  const id = randomUUID();
  const files = {
    output: join(folder, `set_output_${id}`),
    env: join(folder, `set_env_${id}`),
    path: join(folder, `add_path_${id}`),
    state: join(folder, `save_state_${id}`),
    summary: join(folder, `step_summary_${id}`),
  };
  await mkdir(folder, { recursive: true });
  await Promise.all(Object.values(files).map((file) => writeFile(file, "")));
  return files;
}

/** The variables with the paths of the files. */
export function fileVariables(files: StepFiles): Record<string, string> {
  return {
    GITHUB_OUTPUT: files.output,
    GITHUB_ENV: files.env,
    GITHUB_PATH: files.path,
    GITHUB_STATE: files.state,
    GITHUB_STEP_SUMMARY: files.summary,
  };
}

/** The content of a file; empty if the step removed it. */
export async function readStepFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

/**
 * The pairs in a file of `name=value` lines and heredocs (`name<<delimiter`, lines, `delimiter`), in order.
 *
 * @throws for any other line, or a missing delimiter, after yielding the pairs before it
 */
export function* keyValuePairs(text: string, newline = process.platform === "win32" ? /\r?\n/ : /\n/) {
  const lines = text.split(newline);
  // A trailing line break does not start another line.
  if (lines.at(-1) === "") lines.pop();
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    if (line === "") continue;
    const equals = line.indexOf("=");
    const heredoc = line.indexOf("<<");
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      if (equals === 0) throw new Error(`Invalid format '${line}'. Name must not be empty`);
      yield { name: line.slice(0, equals), value: line.slice(equals + 1) };
    } else if (heredoc >= 0) {
      const delimiter = line.slice(heredoc + 2);
      if (heredoc === 0 || delimiter === "") {
        throw new Error(`Invalid format '${line}'. Name must not be empty and delimiter must not be empty`);
      }
      const end = lines.indexOf(delimiter);
      if (end < 0) throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
      yield {
        name: line.slice(0, heredoc),
        value: lines
          .splice(0, end + 1)
          .slice(0, -1)
          .join("\n"),
      };
    } else {
      throw new Error(`Invalid format '${line}'`);
    }
  }
}

/**
 * A step's summary, secrets masked.
 *
 * @throws when it is larger than GitHub accepts
 */
export async function readSummary(file: string, masks: Masks): Promise<string> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > SUMMARY_LIMIT) {
    const kilobytes = Math.floor(size / 1024);
    throw new Error(
      `$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of 1024k, got ${kilobytes}k.`,
    );
  }
  const text = await readStepFile(file);
  return text
    .split("\n")
    .map((line) => masks.apply(line))
    .join("\n");
}

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** Arguments of each shell before the script's file. */
export const SHELL_ARGUMENTS = {
  bash: ["--noprofile", "--norc", "-e", "-o", "pipefail"],
  sh: ["-e"],
} as const;

export interface ScriptCall {
  shell: keyof typeof SHELL_ARGUMENTS;
  script: string;
  workingDirectory: string;
  env: Readonly<Record<string, string>>;
  tempDir: string;
  /** Receives each line of both streams, without its line break. */
  onLine: (line: string) => void;
}

export interface ScriptEnd {
  /** Status of the shell, or 128 plus the number of the signal that ended it. */
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs a step's script like the runner: from a file, with only the step's variables. */
export async function runScript(call: ScriptCall): Promise<ScriptEnd> {
  const file = join(call.tempDir, `${randomUUID()}.sh`);
  await writeFile(file, call.script);
  const child = spawn(call.shell, [...SHELL_ARGUMENTS[call.shell], file], {
    cwd: call.workingDirectory,
    env: { ...call.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
  const [exitCode, stdout, stderr] = await Promise.all([
    ended,
    readLines(child.stdout, call.onLine),
    readLines(child.stderr, call.onLine),
  ]);
  return { exitCode, stdout, stderr };
}

/**
 * Passes on each line of a stream and returns the whole text. As in the runner, a lone carriage
 * return also ends a line, and a command may follow it.
 */
export async function readLines(stream: Readable, onLine: (line: string) => void): Promise<string> {
  const decoder = new StringDecoder("utf8");
  let text = "";
  let pending = "";
  for await (const chunk of stream) {
    const decoded = decoder.write(chunk);
    text += decoded;
    // A trailing carriage return waits, because a line feed may follow in the next chunk.
    const lines = (pending + decoded).split(/\r\n|\n|\r(?!$)/);
    pending = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  }
  const last = decoder.end();
  for (const line of splitLines(pending + last)) onLine(line);
  return text + last;
}

function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

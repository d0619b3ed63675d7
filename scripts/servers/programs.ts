import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { open } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** The programs that no folder of the path contains. */
export function missingPrograms(names: readonly string[], path = process.env["PATH"] ?? ""): string[] {
  const isIn = (folder: string, name: string) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  return names.filter((name) => !path.split(delimiter).some((folder) => isIn(folder, name)));
}

/** A running program of another project. */
export interface Program {
  kill(): Promise<void>;
}

/** Starts a program, by default as this user. Its output is appended to a file. */
export async function startProgram(
  command: readonly string[],
  log: string,
  user: { readonly uid?: number; readonly gid?: number } = {},
): Promise<Program> {
  const [program = "", ...args] = command;
  const output = await open(log, "a");
  const child = spawn(program, args, { ...user, stdio: ["ignore", output.fd, output.fd] });
  const ended = once(child, "exit");
  await once(child, "spawn").finally(() => output.close());
  return {
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Waits until a condition is true. @throws {Error} after two minutes */
export async function waitUntil(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`After two minutes, this is not true: ${what}`);
    await delay(100);
  }
}

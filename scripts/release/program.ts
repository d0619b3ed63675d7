import { spawnSync } from "node:child_process";

export interface ProgramResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program and waits for its end. */
export function runProgram(program: string, args: readonly string[]): ProgramResult {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  if (error) throw error;
  return { status, stdout, stderr };
}

/**
 * Runs a program that must succeed, and returns its output.
 *
 * @throws {Error} with the program's message if it fails
 */
export function mustRun(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = runProgram(program, args);
  if (status !== 0) throw new Error(`${program} ${args.slice(0, 2).join(" ")} failed:\n${stdout}${stderr}`);
  return stdout;
}

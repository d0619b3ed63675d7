import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

export interface Program {
  /** Name on the PATH of `env`, or path. Started without a shell. */
  readonly program: string;
  readonly args: readonly string[];
  /** The whole environment of the program. The caller must omit secrets. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Text for its stdin; empty by default. */
  readonly input?: string;
  /** Receives its stdout in chunks. */
  readonly onStdout: (chunk: Buffer) => void;
}

export interface ProgramEnd {
  /** Null if a signal ended the program. */
  readonly exitCode: number | null;
  /** End of its stderr. */
  readonly stderr: string;
}

export class ProgramNotStarted extends Error {
  readonly absent: boolean;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.absent = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
  }
}

/** Length of the stderr tail to keep, in characters. Contains the error even after pages of warnings. */
const MAX_STDERR = 16_384;
/** Time to react to SIGTERM, and then to SIGKILL, in milliseconds. Most programs take a few. */
const GRACE_MS = 300;
/** Time to wait for output that a child of the program keeps open, in milliseconds. */
const OUTPUT_GRACE_MS = 1_000;

/** Runs a program until it ends or the signal aborts. @throws {ProgramNotStarted}, or the reason of the signal */
export async function runProgram({
  program,
  args,
  env,
  signal,
  input,
  onStdout,
}: Program): Promise<ProgramEnd> {
  signal.throwIfAborted();
  const child = start(program, args, { env, reads: input !== undefined });
  let stderr = "";
  child.stdout?.on("data", onStdout);
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR);
  });
  // A program may end without reading its input. Its exit code shows whether it failed.
  child.stdin?.on("error", () => {}).end(input);

  const ended = endOf(child);
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopChild(child, ended).then(() => stopped.reject(signal.reason));
  signal.addEventListener("abort", stop, { once: true });
  try {
    const exitCode = await Promise.race([ended, stopped.promise]);
    signal.throwIfAborted();
    return { exitCode, stderr };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Starts a program that may outlive this one, such as a browser. Without it, nothing happens. */
export function leaveRunning({ program, args, env }: Pick<Program, "program" | "args" | "env">): void {
  const child = spawn(program, args, { env: { ...env }, stdio: "ignore", detached: true });
  child.on("error", () => {}).unref();
}

function start(
  program: string,
  args: readonly string[],
  { env, reads }: Pick<Program, "env"> & { reads: boolean },
): ChildProcess {
  try {
    const stdio = [reads ? "pipe" : "ignore", "pipe", "pipe"] as const;
    return spawn(program, args, { env: { ...env }, stdio: [...stdio], windowsHide: true });
  } catch (cause) {
    throw new ProgramNotStarted(cause);
  }
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on("error", (cause) => {
      // If the child has a process id, it started, and a signal could not be sent.
      if (child.pid === undefined) reject(new ProgramNotStarted(cause));
    });
    child.once("exit", () => {
      // Reads all printed output before closing, even if this process was busy.
      setTimeout(() => setImmediate(closeOutput, child), OUTPUT_GRACE_MS).unref();
    });
    child.once("close", resolve);
  });
}

async function stopChild(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const gone = ended.catch(() => {});
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    child.kill(signal);
    await Promise.race([gone, delay(GRACE_MS, undefined, { ref: false })]);
  }
  // A program that waits for a dead disk outlives even SIGKILL. It must not keep this process alive.
  closeOutput(child);
  child.unref();
}

function closeOutput({ stdout, stderr }: ChildProcess): void {
  stdout?.destroy();
  stderr?.destroy();
}

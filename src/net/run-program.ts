import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

export interface Program {
  /** A name on the PATH of `env`, or a path. It is started by itself, without a shell. */
  readonly program: string;
  readonly args: readonly string[];
  /** All of its environment; nothing is added. It is the caller who leaves secrets out. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** What it reads from its stdin; nothing unless given. */
  readonly input?: string;
  /** Gets what it prints to its stdout, as it comes. */
  readonly onStdout: (chunk: Buffer) => void;
}

export interface ProgramEnd {
  /** Null when the system ended the program. */
  readonly exitCode: number | null;
  /** The last of what it printed to its stderr. */
  readonly stderr: string;
}

export class ProgramNotStarted extends Error {
  readonly absent: boolean;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.absent = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
  }
}

/** Enough for the last line that says why, after pages of warnings. In characters. */
const STDERR_KEPT = 16_384;
/** How long a program may take to heed SIGTERM, and then to be gone; most take a few milliseconds. */
const GRACE_MS = 300;
/** A program may leave another running with its output still open: that is not waited for any longer. */
const OUTPUT_GRACE_MS = 1_000;

/** Runs a program to its end or the signal's. @throws {ProgramNotStarted}, or the signal's reason */
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
    stderr = (stderr + text).slice(-STDERR_KEPT);
  });
  // A program may end without reading its input: its exit code says what that means.
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
      // With a process id it is a signal that could not be sent.
      if (child.pid === undefined) reject(new ProgramNotStarted(cause));
    });
    child.once("exit", () => {
      // However busy this process was: what has been printed is read before the output is closed.
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

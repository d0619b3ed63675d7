import { EOL } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { exec } from "@actions/exec";
import { ClusterFault, faultFromStderr, kubectlMissing } from "./kubectl-error.ts";

/** How to call kubectl. */
export interface Kubectl {
  /** The program: a name on the PATH of `env`, or a path. */
  program: string;
  kubeconfig?: string | undefined;
  context?: string | undefined;
  /** All of its environment; nothing is added. */
  env: Readonly<Record<string, string>>;
  /** Ends every process at once. */
  signal: AbortSignal;
  /** How long one answer may take, in milliseconds, with the login before it; two minutes unless given. */
  timeoutMs?: number | undefined;
}

export interface KubectlRun {
  /** Settles when the process has ended. Its end by a signal is no failure here. */
  ended: Promise<{ exitCode: number; stderr: string }>;
  /** Ends the process and waits until it is gone. Does nothing when it has ended. */
  stop(): Promise<void>;
}

const WINDOWS = process.platform === "win32";
/** The shell tells its process id and becomes kubectl: there is no other way to learn whom to end. */
const TELL_PID = 'echo "$$"; exec "$@"';
/** What a shell exits with when the program cannot be executed, or is not there. */
const NOT_FOUND = 127;
const NOT_STARTED = [126, NOT_FOUND];
/** Enough for the last line that says why, after pages of warnings. */
const STDERR_KEPT = 16_384;
/** What kubectl is given for the answer, and for a login before it that may wait for a person who is not there. */
const ANSWER_TIMEOUT_S = 60;
const RUN_TIMEOUT_MS = 120_000;
/** A page is a few megabytes. A text of four times this could not be held at all. */
export const MAX_PAGE_BYTES = 128 * 1024 * 1024;
export const TOO_LARGE = `one page of the list of pods has more than ${MAX_PAGE_BYTES / 1024 / 1024} MB`;
/** How long a process may take to heed SIGTERM; kubectl takes a few milliseconds. */
const GRACE_MS = 300;

/**
 * Starts kubectl. Nothing it prints reaches our own output: pod and namespace names could be commands to the runner.
 */
export function startKubectl(
  kubectl: Kubectl,
  args: readonly string[],
  onStdout: (chunk: Buffer) => void,
): KubectlRun {
  const pid = Promise.withResolvers<number | undefined>();
  let stderr = "";
  let settled = false;
  const all = [
    ...args,
    ...(kubectl.kubeconfig ? [`--kubeconfig=${kubectl.kubeconfig}`] : []),
    ...(kubectl.context ? [`--context=${kubectl.context}`] : []),
  ];
  const receive = WINDOWS ? onStdout : afterPid(pid.resolve, onStdout);
  const options = {
    env: { ...kubectl.env },
    silent: true,
    ignoreReturnCode: true,
    // A login plugin may outlive kubectl with its output still open: that is waited for in milliseconds.
    delay: 1_000,
    listeners: {
      stdout: (chunk: Buffer) => {
        receive(Buffer.from(chunk));
        endLine(chunk);
      },
      stderr: (chunk: Buffer) => {
        stderr = (stderr + chunk.toString()).slice(-STDERR_KEPT);
      },
    },
  };
  const running = WINDOWS
    ? exec(`"${kubectl.program}"`, all, options)
    : exec("sh", ["-c", TELL_PID, "sh", kubectl.program, ...all], options);
  if (WINDOWS) pid.resolve(undefined);

  const ended = running
    .then(
      (exitCode) => {
        if (NOT_STARTED.includes(exitCode) && !WINDOWS)
          throw kubectlMissing(kubectl.program, exitCode === NOT_FOUND ? undefined : stderr);
        return { exitCode, stderr };
      },
      (cause: unknown) => {
        throw kubectlMissing(kubectl.program, cause instanceof Error ? cause.message : String(cause));
      },
    )
    .finally(() => {
      settled = true;
      pid.resolve(undefined);
    });
  const gone = ended.then(
    () => {},
    () => {},
  );

  async function stop(): Promise<void> {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const id = await pid.promise;
      // An id whose process has ended may by now be somebody else's.
      if (settled || id === undefined) return;
      try {
        process.kill(id, signal);
      } catch {
        // It ended in between.
      }
      await Promise.race([gone, delay(GRACE_MS, undefined, { ref: false })]);
    }
  }
  return { ended, stop };
}

/**
 * What the API server answers to a GET of `path`, as kubectl gets it.
 *
 * @throws {ClusterFault} with what kubectl said.
 * @throws {InputError} when there is no kubectl.
 */
export async function getRaw(kubectl: Kubectl, path: string): Promise<string> {
  kubectl.signal.throwIfAborted();
  const chunks: Buffer[] = [];
  let size = 0;
  const given = new AbortController();
  const giveUp = (why: string) => given.abort(new ClusterFault(why));
  const args = ["get", `--raw=${path}`, `--request-timeout=${ANSWER_TIMEOUT_S}s`];
  const run = startKubectl(kubectl, args, (chunk) => {
    size += chunk.length;
    if (size <= MAX_PAGE_BYTES) chunks.push(chunk);
    else giveUp(TOO_LARGE);
  });
  const { timeoutMs = RUN_TIMEOUT_MS } = kubectl;
  const timer = setTimeout(giveUp, timeoutMs, `kubectl did not end within ${timeoutMs / 1000} s`);
  try {
    const signal = AbortSignal.any([kubectl.signal, given.signal]);
    const { exitCode, stderr } = await unlessAborted(run.ended, signal);
    if (exitCode !== 0) throw faultFromStderr(stderr);
  } finally {
    clearTimeout(timer);
    await run.stop();
  }
  return Buffer.concat(chunks).toString();
}

/** The promise's outcome, or the abort's reason when that comes first. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Takes the first line, which is the process id, and hands on what follows it. */
function afterPid(
  onPid: (pid: number | undefined) => void,
  onStdout: (chunk: Buffer) => void,
): (chunk: Buffer) => void {
  let line: string | undefined = "";
  return (chunk) => {
    if (line === undefined) return onStdout(chunk);
    const end = chunk.indexOf("\n");
    line += chunk.toString("latin1", 0, end < 0 ? chunk.length : end);
    if (end < 0) return;
    // Zero would be our own process group.
    onPid(Number(line) > 1 ? Number(line) : undefined);
    line = undefined;
    if (end + 1 < chunk.length) onStdout(chunk.subarray(end + 1));
  };
}

/**
 * Ends a line that has been read. `exec` searches all output since the last end of line with each chunk, and a page
 * is one line of megabytes: that took five times as long as kubectl. It looks at the chunk after its listener does.
 */
function endLine(chunk: Buffer): void {
  chunk.write(EOL, Math.max(0, chunk.length - EOL.length));
}

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export interface Clone {
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  /** Ends git at once. */
  readonly signal?: AbortSignal;
}

const WINDOWS = process.platform === "win32";
/** The shell tells its process id and becomes git: there is no other way to learn whom to end. */
const TELL_PID = 'echo "$$" >&2; exec git "$@"';
/** In milliseconds. Git answers in a few, and in seconds about a long history, unless its files are on a dead disk. */
const TIME_LIMIT_MS = 20_000;
/** How long git may take to be gone after it was ended. */
const GRACE_MS = 300;

/**
 * What a git command says of the clone in the workspace. Undefined when there is no clone or no git, and when the
 * command fails or does not end. Only for commands that run nothing which the clone's configuration names.
 */
export async function git(
  clone: Clone,
  command: readonly string[],
  timeLimitMs: number = TIME_LIMIT_MS,
): Promise<Buffer | undefined> {
  const gitDir = join(resolve(clone.workspace), ".git");
  if (!existsSync(gitDir)) return undefined;
  const { signal } = clone;
  const limit = AbortSignal.any([AbortSignal.timeout(timeLimitMs), ...(signal ? [signal] : [])]);
  const chunks: Buffer[] = [];
  let pid = "";
  /** Then its id may by now be somebody else's. */
  let ended = false;
  const end = () => {
    // Zero would be our own process group.
    if (!ended && Number(pid) > 1) process.kill(Number(pid), "SIGKILL");
  };
  try {
    const { exec } = await import("@actions/exec");
    const args = ["--no-replace-objects", ...command];
    const running = exec(WINDOWS ? "git" : "/bin/sh", WINDOWS ? args : ["-c", TELL_PID, "sh", ...args], {
      env: gitEnv(gitDir, clone.env),
      silent: true,
      ignoreReturnCode: true,
      listeners: {
        stdout: (chunk) => chunks.push(chunk),
        errline: (line) => {
          if (pid === "") pid = line;
          if (limit.aborted) end();
        },
      },
    });
    running
      .finally(() => {
        ended = true;
      })
      .catch(() => {});
    limit.addEventListener("abort", end, { once: true });
    const exitCode = await Promise.race([running, goneAfter(limit)]);
    limit.removeEventListener("abort", end);
    return exitCode === 0 && !limit.aborted ? Buffer.concat(chunks) : undefined;
  } catch {
    return undefined; // git is not installed
  }
}

/** Settles a moment after the signal: what was ended by it has gone by then. */
async function goneAfter(signal: AbortSignal): Promise<undefined> {
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  await delay(GRACE_MS, undefined, { ref: false });
}

/**
 * Git's own variables could point it at another repository. With GIT_DIR it neither searches the folders above
 * nor minds that the clone belongs to another user, as it does in a container. A clone without all objects must
 * not fetch them: it may say by which program. Releases of git that know nothing of the first variable heed the second.
 */
function gitEnv(gitDir: string, env: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !/^GIT_(?!EXEC_PATH$)/i.test(name));
  const offline = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none", GIT_TERMINAL_PROMPT: "0" };
  return { ...Object.fromEntries(kept), GIT_DIR: gitDir, ...offline };
}

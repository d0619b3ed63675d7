import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

export interface Clone {
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  /** Ends git at once. */
  readonly signal?: AbortSignal;
}

/** In milliseconds. Git answers in a few, and in seconds about a long history, unless its files are on a dead disk. */
const TIME_LIMIT_MS = 20_000;

/**
 * What a git command says of the clone in the workspace. Undefined when there is no clone or no git, and when the
 * command fails or does not end. Only for commands that run nothing which the clone's configuration names.
 */
export async function git(clone: Clone, command: readonly string[], timeLimitMs: number = TIME_LIMIT_MS) {
  const gitDir = gitDirOf(clone);
  if (!existsSync(gitDir)) return undefined;
  const limits = [AbortSignal.timeout(timeLimitMs), ...(clone.signal ? [clone.signal] : [])];
  const chunks: Buffer[] = [];
  try {
    const { runProgram } = await import("../../net/run-program.ts");
    const { exitCode } = await runProgram({
      program: "git",
      args: ["--no-replace-objects", ...command],
      env: gitEnv(gitDir, clone.env),
      signal: AbortSignal.any(limits),
      onStdout: (chunk) => chunks.push(chunk),
    });
    return exitCode === 0 ? Buffer.concat(chunks) : undefined;
  } catch {
    return undefined; // Git is not installed, or was ended by the limit or with the step.
  }
}

/** Where git keeps the clone. A work tree of another clone has a file there. */
export function gitDirOf({ workspace }: Pick<Clone, "workspace">): string {
  return join(resolve(workspace), ".git");
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

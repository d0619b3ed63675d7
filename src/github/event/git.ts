import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

export interface Clone {
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  /** Ends git at once. */
  readonly signal?: AbortSignal;
}

/** In milliseconds. Git needs a few, or seconds for a long history. Only a failing disk takes longer. */
const TIME_LIMIT_MS = 20_000;

/**
 * Runs a git command on the clone in the workspace and returns its output. Undefined without a clone or git, or if the
 * command fails or times out. Only for commands that run no programs from the clone's configuration.
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

/** The clone's `.git` folder. In a linked work tree, it is a file. */
export function gitDirOf({ workspace }: Pick<Clone, "workspace">): string {
  return join(resolve(workspace), ".git");
}

/**
 * Removes git's own variables, which could select another repository. With GIT_DIR, git does not search parent folders,
 * and accepts a clone of another user, as in a container. A partial clone must not fetch missing objects, because its
 * configuration may name the program. GIT_ALLOW_PROTOCOL is for git releases without GIT_NO_LAZY_FETCH.
 */
function gitEnv(gitDir: string, env: Readonly<Record<string, string>>): Record<string, string> {
  const others = Object.entries(env).filter(([name]) => !/^GIT_(?!EXEC_PATH$)/i.test(name));
  const offline = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none", GIT_TERMINAL_PROMPT: "0" };
  return { ...Object.fromEntries(others), GIT_DIR: gitDir, ...offline };
}

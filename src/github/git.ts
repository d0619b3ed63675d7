import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

export interface Clone {
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * What a git command says of the clone in the workspace. Undefined when there is no clone or no git, and when the
 * command fails. Only for commands that run nothing which the clone's configuration names.
 */
export async function git(clone: Clone, command: readonly string[]): Promise<Buffer | undefined> {
  const gitDir = join(resolve(clone.workspace), ".git");
  if (!existsSync(gitDir)) return undefined;
  const chunks: Buffer[] = [];
  try {
    const { exec } = await import("@actions/exec");
    const exitCode = await exec("git", ["--no-replace-objects", ...command], {
      env: gitEnv(gitDir, clone.env),
      silent: true,
      ignoreReturnCode: true,
      listeners: { stdout: (chunk) => chunks.push(chunk) },
    });
    return exitCode === 0 ? Buffer.concat(chunks) : undefined;
  } catch {
    return undefined; // git is not installed
  }
}

/**
 * Git's own variables could point it at another repository. With GIT_DIR it neither searches the folders above
 * nor minds that the clone belongs to another user, as it does in a container. A clone without all objects must
 * not fetch them.
 */
function gitEnv(gitDir: string, env: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !/^GIT_(?!EXEC_PATH$)/i.test(name));
  return { ...Object.fromEntries(kept), GIT_DIR: gitDir, GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" };
}

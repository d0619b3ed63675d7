import { execFileSync } from "node:child_process";
import { NO_MAINTENANCE } from "../program-variables.ts";

/** Variables that git needs to run and to commit, isolated from the machine's settings. */
const identity = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  ...NO_MAINTENANCE,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada Lovelace",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_AUTHOR_DATE: "1700000000 +0530",
  GIT_COMMITTER_NAME: "Build",
  GIT_COMMITTER_EMAIL: "build@example.com",
  GIT_COMMITTER_DATE: "1800000000 +0000",
};

/** Runs git in a folder and returns its output. */
export function git(cwd: string, args: readonly string[], variables: Record<string, string> = {}): string {
  return execFileSync("git", args, { cwd, env: { ...identity, ...variables }, stdio: "pipe" })
    .toString()
    .trim();
}

/** Makes a commit that changes no file and returns its SHA. */
export function emptyCommit(folder: string, message: string, variables: Record<string, string> = {}): string {
  git(folder, ["commit", "--quiet", "--allow-empty", "-m", message], variables);
  return git(folder, ["rev-parse", "HEAD"]);
}

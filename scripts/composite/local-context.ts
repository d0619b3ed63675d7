import { spawnSync } from "node:child_process";
import type { GitHubContext } from "./job.ts";

/** Describes a folder's checkout as GitHub describes a push. Empty without a checkout and a commit. */
export function localContext(folder: string): GitHubContext {
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
    return status === 0 ? stdout.trim() : "";
  };
  const sha = git("rev-parse", "HEAD");
  if (sha === "") return {};
  const branch = git("branch", "--show-current");
  const [, host, repository] =
    /^(?:\w+:\/\/)?(?:[^@/]*@)?([^/:]+)[/:](.+?)(?:\.git)?\/?$/.exec(git("remote", "get-url", "origin")) ??
    [];
  return {
    event_name: "push",
    sha,
    ...(branch !== "" && { ref: `refs/heads/${branch}`, ref_name: branch }),
    ...(host !== undefined && repository !== undefined && { repository, server_url: `https://${host}` }),
  };
}

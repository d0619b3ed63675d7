import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Version, versionOfTag } from "./version.ts";

/** The committer of release commits. */
const COMMITTER = {
  name: "github-actions[bot]",
  email: "41898282+github-actions[bot]@users.noreply.github.com",
};

/**
 * Runs git and returns its output.
 *
 * @throws {Error} with git's message if it fails
 */
export function git(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`git ${args[0]} failed in ${folder}:\n${stderr}`);
  return stdout.trim();
}

/** The commit of a ref on the remote; undefined if it does not exist. */
export function remoteRef(folder: string, remote: string, ref: string): string | undefined {
  const [commit] = git(folder, ["ls-remote", remote, ref]).split("\t");
  return commit === "" ? undefined : commit;
}

export interface ReleaseTag {
  readonly version: Version;
  readonly commit: string;
}

/** All releases on the remote, by tag. */
export function releasesOn(folder: string, remote: string): ReleaseTag[] {
  const lines = git(folder, ["ls-remote", "--refs", "--tags", remote]).split("\n");
  return lines.flatMap((line) => {
    const [commit = "", ref = ""] = line.split("\t");
    const version = versionOfTag(ref.replace("refs/tags/", ""));
    return version === undefined ? [] : [{ version, commit }];
  });
}

interface Change {
  readonly folder: string;
  /** The commit to change. */
  readonly parent: string;
  readonly subject: string;
  /** Changes files in the folder with the tree. */
  readonly edit: (tree: string) => void;
}

/**
 * Commits a change to another commit, without touching the working tree or a branch, and returns
 * the new hash. It has its parent's date, so that equal changes of a commit are equal commits.
 */
export function commitOnto({ folder, parent, subject, edit }: Change): string {
  const scratch = mkdtempSync(join(tmpdir(), "release-"));
  const tree = join(scratch, "tree");
  git(folder, ["worktree", "add", "--quiet", "--detach", tree, parent]);
  try {
    edit(tree);
    git(tree, ["add", "--all"]);
    const date = git(folder, ["show", "--no-patch", "--format=%ct +0000", parent]);
    return git(tree, ["commit-tree", git(tree, ["write-tree"]), "-p", parent, "-m", subject], {
      GIT_AUTHOR_NAME: COMMITTER.name,
      GIT_AUTHOR_EMAIL: COMMITTER.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: COMMITTER.name,
      GIT_COMMITTER_EMAIL: COMMITTER.email,
      GIT_COMMITTER_DATE: date,
    });
  } finally {
    git(folder, ["worktree", "remove", "--force", tree]);
    rmSync(scratch, { recursive: true, force: true });
  }
}

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { readLocalCommit } from "../../../src/github/event/local-git.ts";
import { NO_MAINTENANCE } from "../../program-variables.ts";
import { tempFolder } from "../runners.ts";

const env = { PATH: process.env["PATH"] ?? "" };
const identity = {
  ...env,
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

function git(cwd: string, args: string[], input?: string | Buffer, variables = {}): string {
  return execFileSync("git", args, { cwd, input, env: { ...identity, ...variables }, stdio: "pipe" })
    .toString()
    .trim();
}

function newRepository(): string {
  const folder = tempFolder();
  git(folder, ["init", "--quiet", "--initial-branch=main"]);
  return folder;
}

function commit(workspace: string, message: string | Buffer, variables = {}, options: string[] = []): string {
  git(workspace, [...options, "commit", "--quiet", "--allow-empty", "-F", "-"], message, variables);
  return git(workspace, ["rev-parse", "HEAD"]);
}

describe("a commit of a clone", () => {
  test("has the time of its author, not of its committer", async () => {
    const workspace = newRepository();
    const sha = commit(workspace, "First line\n\nBody\n");
    expect(await readLocalCommit({ workspace, sha, env })).toEqual({
      message: "First line\n\nBody\n",
      author: "Ada Lovelace <ada@example.com>",
      timestamp: 1_700_000_000,
      parents: [],
    });
  });

  test("has its one parent, or both when it is a merge", async () => {
    const workspace = newRepository();
    const base = commit(workspace, "base");
    git(workspace, ["checkout", "--quiet", "-b", "feature"]);
    const feature = commit(workspace, "feature");
    git(workspace, ["checkout", "--quiet", "main"]);
    const main = commit(workspace, "main");
    git(workspace, ["merge", "--quiet", "--no-edit", "feature"]);
    const merge = git(workspace, ["rev-parse", "HEAD"]);

    expect((await readLocalCommit({ workspace, sha: main, env }))?.parents).toEqual([base]);
    expect((await readLocalCommit({ workspace, sha: merge, env }))?.parents).toEqual([main, feature]);
  });

  test("has its parents in a shallow clone, where git's log shows none", async () => {
    const origin = newRepository();
    const parent = commit(origin, "parent");
    const sha = commit(origin, "head");
    const workspace = join(tempFolder(), "clone");
    git(origin, ["clone", "--quiet", "--depth=1", pathToFileURL(origin).href, workspace]);

    expect(git(workspace, ["log", "-1", "--format=%P"])).toBe("");
    expect((await readLocalCommit({ workspace, sha, env }))?.parents).toEqual([parent]);
    expect(await readLocalCommit({ workspace, sha: parent, env })).toBeUndefined();
  });

  test("keeps names and messages in any script, and text that looks like headers or escapes", async () => {
    const workspace = newRepository();
    const message =
      "日本語 🎉 %x00 \\0 $(id) `id`\n\nparent deadbeef\nauthor Eve <eve@example.com> 1 +0000\n";
    const sha = commit(workspace, message, { GIT_AUTHOR_NAME: "Ōta Žofie", GIT_AUTHOR_EMAIL: "o@例え.jp" });
    expect(await readLocalCommit({ workspace, sha, env })).toEqual({
      message,
      author: "Ōta Žofie <o@例え.jp>",
      timestamp: 1_700_000_000,
      parents: [],
    });
  });

  test("is decoded by the encoding that it names", async () => {
    const workspace = newRepository();
    const sha = commit(workspace, Buffer.from("Größe\n", "latin1"), {}, [
      "-c",
      "i18n.commitEncoding=ISO-8859-1",
    ]);
    expect((await readLocalCommit({ workspace, sha, env }))?.message).toBe("Größe\n");
  });

  test("with a signature and an author without a name separates them from the rest", async () => {
    const workspace = newRepository();
    const tree = git(workspace, ["write-tree"]);
    const object = [
      `tree ${tree}`,
      "author  <ghost@example.com> 1700000000 +0000",
      "committer Build <build@example.com> 1800000000 +0000",
      "gpgsig -----BEGIN PGP SIGNATURE-----",
      " ",
      " author Eve <eve@example.com> 1 +0000",
      " -----END PGP SIGNATURE-----",
      "",
      "signed",
    ].join("\n");
    const sha = git(workspace, ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], object);
    expect(await readLocalCommit({ workspace, sha, env })).toEqual({
      message: "signed",
      author: "<ghost@example.com>",
      timestamp: 1_700_000_000,
      parents: [],
    });
  });

  /** Reads a commit that git itself would not write. */
  const readObject = async (object: string) => {
    const workspace = newRepository();
    const sha = git(workspace, ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], object);
    return readLocalCommit({ workspace, sha, env });
  };

  test("may lack a message, headers or a readable author", async () => {
    const author = "author Ada <ada@example.com> 1700000000 +0000";
    const nobody = { author: undefined, timestamp: undefined, parents: [] };
    const parent = "a".repeat(40);
    expect(await readObject(`${author}\nparent ${parent}`)).toEqual({
      message: "",
      author: "Ada <ada@example.com>",
      timestamp: 1_700_000_000,
      parents: [parent],
    });
    expect(await readObject(`\n\n${author}`)).toEqual({ ...nobody, message: author });
    for (const unread of [
      "author <bad> <ada@example.com> 1 +0000",
      "author Ada <ada@example.com> 1 +0000 x",
    ]) {
      expect(await readObject(`${unread}\n\nmessage`)).toEqual({ ...nobody, message: "message" });
    }
  });

  test("is read as UTF-8 where it names an unknown encoding", async () => {
    for (const header of ["encoding klingon", "x-note encoding ISO-8859-1"]) {
      expect((await readObject(`${header}\n\nGröße`))?.message).toBe("Größe");
    }
  });

  test("is read itself, though the clone replaces it by another", async () => {
    const workspace = newRepository();
    const sha = commit(workspace, "true\n");
    const other = commit(workspace, "false\n");
    git(workspace, ["replace", sha, other]);
    expect((await readLocalCommit({ workspace, sha, env }))?.message).toBe("true\n");
  });

  test("is read in a clone that belongs to another user", async () => {
    const workspace = newRepository();
    const sha = commit(workspace, "head");
    const bin = tempFolder();
    const real = execFileSync("/bin/sh", ["-c", "command -v git"], { env }).toString().trim();
    writeFileSync(join(bin, "git"), `#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec '${real}' "$@"\n`);
    chmodSync(join(bin, "git"), 0o755);

    const ordinary = () => execFileSync(join(bin, "git"), ["log"], { cwd: workspace, env, stdio: "pipe" });
    expect(ordinary).toThrow(/dubious ownership/);
    const belongsToAnother = { ...env, PATH: `${bin}:${env["PATH"]}` };
    expect((await readLocalCommit({ workspace, sha, env: belongsToAnother }))?.parents).toEqual([]);
  });

  test("is read from the workspace, whatever git's own variables say", async () => {
    const workspace = newRepository();
    const sha = commit(workspace, "head");
    const elsewhere = { ...env, GIT_DIR: newRepository(), GIT_OBJECT_DIRECTORY: "/nonexistent" };
    expect(await readLocalCommit({ workspace, sha, env: elsewhere })).toBeDefined();
  });
});

describe("no commit is returned", () => {
  test("for a tag's object, which is not a commit", async () => {
    const workspace = newRepository();
    commit(workspace, "head");
    git(workspace, ["tag", "-a", "v1", "-m", "release"]);
    const sha = git(workspace, ["rev-parse", "v1"]);
    expect(git(workspace, ["cat-file", "-t", sha])).toBe("tag");
    expect(await readLocalCommit({ workspace, sha, env })).toBeUndefined();
  });

  test.each(["HEAD", "--help", "../x", "", "0".repeat(40)])(
    "for '%s', which is not a full SHA",
    async (sha) => {
      const workspace = newRepository();
      commit(workspace, "head");
      expect(await readLocalCommit({ workspace, sha, env })).toBeUndefined();
    },
  );

  test("without a clone, or in a folder that only looks like one", async () => {
    const workspace = tempFolder();
    const sha = "a".repeat(40);
    expect(await readLocalCommit({ workspace, sha, env })).toBeUndefined();
    mkdirSync(join(workspace, ".git"));
    expect(await readLocalCommit({ workspace, sha, env })).toBeUndefined();
  });
});

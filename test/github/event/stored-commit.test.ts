import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { readLocalCommit } from "../../../src/github/event/local-git.ts";
import { storedCommit } from "../../../src/github/event/stored-commit.ts";
import { emptyCommit, git } from "../clones.ts";
import { tempFolder } from "../runners.ts";

const withGit = { PATH: process.env["PATH"] ?? "" };

function newRepository(): string {
  const folder = tempFolder();
  git(folder, ["init", "--quiet"]);
  return folder;
}

/** The object's text in the clone's files. */
function stored(folder: string, sha: string): string | undefined {
  return storedCommit(join(folder, ".git"), sha)?.toString();
}

const asGitSays = (folder: string, sha: string) => `${git(folder, ["cat-file", "commit", sha])}\n`;

describe("a commit is read without git", () => {
  test("from a loose object file", () => {
    const folder = newRepository();
    const sha = emptyCommit(folder, "alone");
    expect(stored(folder, sha)).toBe(asGitSays(folder, sha));
  });

  test("from a pack of several commits, for messages of any length", () => {
    const folder = newRepository();
    const messages = ["short", "x".repeat(300), "Zeile für Zeile\n\n".repeat(3_000).trimEnd()];
    const commits = messages.map((message) => emptyCommit(folder, message));
    git(folder, ["repack", "-adq", "--depth=0"]);
    git(folder, ["prune-packed"]);
    expect(readdirSync(join(folder, ".git/objects")).sort()).toEqual(["info", "pack"]);
    for (const sha of commits) expect(stored(folder, sha)).toBe(asGitSays(folder, sha));
  });

  test("from a job's shallow clone, where a missing parent is not found", () => {
    const origin = newRepository();
    const parent = emptyCommit(origin, "parent");
    const sha = emptyCommit(origin, "head");
    const folder = join(tempFolder(), "clone");
    git(origin, ["clone", "--quiet", "--depth=1", pathToFileURL(origin).href, folder]);
    expect(stored(folder, sha)).toBe(asGitSays(folder, sha));
    expect(stored(folder, parent)).toBeUndefined();
  });

  test("also where git is missing, and is the requested one", async () => {
    const folder = newRepository();
    const sha = emptyCommit(folder, "no git here");
    const facts = await readLocalCommit({ workspace: folder, sha, env: { PATH: "" } });
    expect(facts?.message).toBe("no git here\n");
  });
});

describe("git is used", () => {
  test("for commits that a pack stores as deltas, with the same result", async () => {
    const folder = newRepository();
    const body = Array.from({ length: 200 }, (_, line) => `line ${line} of a long message`).join("\n");
    const commits = [1, 2, 3, 4, 5].map((number) => emptyCommit(folder, `${body}\n${number}`));
    git(folder, ["repack", "-adfq", "--depth=50", "--window=250"]);
    const found = commits.map((sha) => stored(folder, sha));
    expect(found).toContain(undefined);
    for (const [index, sha] of commits.entries()) {
      const facts = await readLocalCommit({ workspace: folder, sha, env: withGit });
      expect(facts?.message).toBe(`${body}\n${index + 1}\n`);
    }
  });

  test("for objects of the clone's alternate, or in a worktree", async () => {
    const origin = newRepository();
    const sha = emptyCommit(origin, "borrowed");
    const borrower = join(tempFolder(), "clone");
    git(origin, ["clone", "--quiet", "--shared", origin, borrower]);
    const tree = join(tempFolder(), "tree");
    git(origin, ["worktree", "add", "--quiet", "--detach", tree]);
    for (const workspace of [borrower, tree]) {
      expect((await readLocalCommit({ workspace, sha, env: withGit }))?.message).toBe("borrowed\n");
    }
  });

  test.each([
    ["is truncated", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ["is empty", () => Buffer.alloc(0)],
    ["contains something else", (bytes: Buffer) => Buffer.from(bytes).fill(7, 12)],
  ])("an index or a pack that %s returns nothing, and nothing wrong", async (_, damage) => {
    for (const ending of [".idx", ".pack"]) {
      const folder = newRepository();
      const sha = emptyCommit(folder, "whole");
      git(folder, ["repack", "-adq"]);
      const objects = join(folder, ".git/objects/pack");
      const file = join(objects, readdirSync(objects).find((name) => name.endsWith(ending)) ?? "");
      git(folder, ["config", "core.fileMode", "false"]);
      writeFileSync(file, damage(readFileSync(file)));
      expect(await readLocalCommit({ workspace: folder, sha, env: withGit })).toBeUndefined();
    }
  });
});

test("another commit stored under the requested SHA is not returned", async () => {
  const folder = newRepository();
  const fileOf = (sha: string) => join(folder, ".git/objects", sha.slice(0, 2), sha.slice(2));
  const [sha, other] = [emptyCommit(folder, "asked for"), emptyCommit(folder, "another")];
  rmSync(fileOf(sha));
  copyFileSync(fileOf(other), fileOf(sha));
  expect(stored(folder, sha)).toContain("another");
  expect(await readLocalCommit({ workspace: folder, sha, env: withGit })).toBeUndefined();
});

test("an object that is not a commit is not returned as one", () => {
  const folder = newRepository();
  emptyCommit(folder, "tagged");
  git(folder, ["tag", "-a", "-m", "a tag", "v1"]);
  const tag = git(folder, ["rev-parse", "v1"]);
  expect(stored(folder, tag)).toBeUndefined();
  git(folder, ["repack", "-adq"]);
  expect(stored(folder, tag)).toBeUndefined();
});

/*
 * Packs the npm package of a release from its tag's commit, so that its pages name the release.
 *
 *   node scripts/release/pack.ts 1.2.3 FOLDER
 *
 * That commit depends only on the released one, so the tag need not exist yet. The packages of this checkout are used.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { git } from "./git.ts";
import { repositoryOfRelease } from "./newest-release.ts";
import { Refusal, runScript, say, setOutputs } from "./outputs.ts";
import { mustRun } from "./program.ts";
import { integrityOfFile } from "./registry.ts";
import { makeReleaseCommit } from "./release-commit.ts";
import { parseVersion, tagOf } from "./version.ts";

const [version = "", target = "package"] = process.argv.slice(2);
const root = process.cwd();

await runScript(() => {
  const source = git(root, ["rev-parse", "HEAD"]);
  const release = {
    repository: repositoryOfRelease(),
    version: tagOf(parseVersion(version)),
    commit: source,
  };
  const folder = resolve(target);
  mkdirSync(folder, { recursive: true });
  pack(makeReleaseCommit(root, release), folder);
  const [file, ...others] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  if (file === undefined || others.length > 0)
    throw new Refusal(`${folder} must contain exactly one package`);
  const integrity = integrityOfFile(join(folder, file));
  setOutputs({ integrity });
  say(`Packed ${file}, ${integrity}`);
});

function pack(commit: string, folder: string): void {
  const scratch = mkdtempSync(join(tmpdir(), "pack-"));
  const tree = join(scratch, "tree");
  git(root, ["worktree", "add", "--quiet", "--detach", tree, commit]);
  try {
    const packages = join(root, "node_modules");
    if (existsSync(packages)) symlinkSync(packages, join(tree, "node_modules"), "junction");
    mustRun("npm", ["pack", tree, "--pack-destination", folder]);
  } finally {
    git(root, ["worktree", "remove", "--force", tree]);
    rmSync(scratch, { recursive: true, force: true });
  }
}

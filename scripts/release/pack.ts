/*
 * Packs the npm packages of a release from its tag's commit, so that their pages name the release, and the program of the
 * client in one file.
 *
 *   node scripts/release/pack.ts 1.2.3 FOLDER
 *
 * That commit depends only on the released one, so the tag need not exist yet. The packages of this checkout are used.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { git } from "./git.ts";
import { repositoryOfRelease } from "./newest-release.ts";
import { runScript, say, setOutputs } from "./outputs.ts";
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
  const files = {
    service: `delivery-evidence-${version}.tgz`,
    client: `delivery-evidence-client-${version}.tgz`,
    program: "cli.js",
  };
  for (const [output, file] of Object.entries(files)) {
    const integrity = integrityOfFile(join(folder, file));
    setOutputs({ [output]: integrity });
    say(`Packed ${file}, ${integrity}`);
  }
});

function pack(commit: string, folder: string): void {
  const scratch = mkdtempSync(join(tmpdir(), "pack-"));
  const tree = join(scratch, "tree");
  git(root, ["worktree", "add", "--quiet", "--detach", tree, commit]);
  try {
    const packages = join(root, "node_modules");
    if (existsSync(packages)) symlinkSync(packages, join(tree, "node_modules"), "junction");
    const built = join(scratch, "packages");
    mustRun(process.execPath, [join(tree, "scripts/build-packages.ts"), built]);
    const folders = ["service", "client"].map((name) => join(built, name));
    mustRun("npm", ["pack", ...folders, "--pack-destination", folder]);
    copyFileSync(join(built, "cli.js"), join(folder, "cli.js"));
  } finally {
    git(root, ["worktree", "remove", "--force", tree]);
    rmSync(scratch, { recursive: true, force: true });
  }
}

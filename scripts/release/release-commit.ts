import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Stamp, stampTrial, stampWorkflow } from "../workflows/stamp.ts";
import { commitOnto } from "./git.ts";
import type { NamedRelease } from "./newest-release.ts";
import { pinPages } from "./pin.ts";

/** The workflow that uses each action by the release's tag, as users do who do not pin a commit. */
const TRIAL = "try-release.yml";

/**
 * Creates the commit for a release's tag, and returns its hash. A commit cannot name itself, so it is one commit after
 * the released one: its workflows and examples name that one, and nothing else differs. The same commit and version
 * always produce the same hash, so that a repeated release recognizes its own.
 */
export function makeReleaseCommit(folder: string, release: NamedRelease): string {
  return commitOnto({
    folder,
    parent: release.commit,
    subject: `release: ${release.version}`,
    edit: (tree) => {
      stampWorkflows(tree, release);
      pinPages(tree, release);
    },
  });
}

/** Pins the workflows of a tree to the actions of a release. Returns the changed files. */
export function stampWorkflows(tree: string, stamp: Stamp): string[] {
  const folder = join(tree, ".github/workflows");
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => ({ name, path: join(folder, name) }))
    .filter(({ name, path }) => {
      const text = readFileSync(path, "utf8");
      const stamped = name === TRIAL ? stampTrial(text, stamp) : stampWorkflow(text, stamp);
      if (stamped === text) return false;
      writeFileSync(path, stamped);
      return true;
    })
    .map(({ path }) => path);
}

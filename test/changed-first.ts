import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { relative, sep } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Runs first what tests the files that are not committed yet: those tests themselves, and those that stand where the
 * changed source stands. The rest comes in Vitest's own order, what failed and what takes longest before the others.
 */
export default class ChangedFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const changed = new Set(changedFiles(this.ctx.config.root).map(testOf));
    const isChanged = ({ moduleId }: TestSpecification) =>
      changed.has(relative(this.ctx.config.root, moduleId).split(sep).join("/"));
    const sorted = await super.sort(files);
    return [...sorted.filter(isChanged), ...sorted.filter((file) => !isChanged(file))];
  }
}

/** `src/api/client/call.ts` is tested by `test/api/client/call.test.ts`. */
function testOf(path: string): string {
  return path.startsWith("src/") ? path.replace(/^src\/(.*)\.ts$/, "test/$1.test.ts") : path;
}

/** What differs from the last commit, relative to the root; nothing where there is no repository. */
function changedFiles(root: string): string[] {
  if (!existsSync(`${root}/.git`)) return [];
  const args = ["status", "--porcelain", "--no-renames", "--untracked-files=all", "-z"];
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8" });
  return listed.split("\0").map((line) => line.slice("XY ".length));
}

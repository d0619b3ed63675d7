import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { posix, relative, sep } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Runs the tests of uncommitted files first: changed tests, and the tests of changed sources. The rest runs in
 * Vitest's order, which begins with files that failed or are slow.
 */
export default class ChangedFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const pathOf = ({ moduleId }: TestSpecification) =>
      relative(this.ctx.config.root, moduleId).split(sep).join("/");
    const tests = files.map(pathOf);
    const first = new Set(changedFiles(this.ctx.config.root).flatMap((path) => testsOf(path, tests)));
    const isFirst = (file: TestSpecification) => first.has(pathOf(file));
    const sorted = await super.sort(files);
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}

/** `test/api/client/call.test.ts` for `src/api/client/call.ts`, or the tests of the nearest folder that has any. */
export function testsOf(path: string, tests: readonly string[]): readonly string[] {
  if (!path.startsWith("src/")) return [path];
  const own = path.replace(/^src\//, "test/").replace(/\.ts$/, ".test.ts");
  if (tests.includes(own)) return [own];
  for (let folder = posix.dirname(own); folder !== "test"; folder = posix.dirname(folder)) {
    const near = tests.filter((test) => test.startsWith(`${folder}/`));
    if (near.length > 0) return near;
  }
  return [];
}

/** The files that differ from the last commit, relative to the root. None outside of a repository. */
function changedFiles(root: string): string[] {
  if (!existsSync(`${root}/.git`)) return [];
  const args = ["status", "--porcelain", "--no-renames", "--untracked-files=all", "-z"];
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8" });
  return listed.split("\0").map((line) => line.slice("XY ".length));
}

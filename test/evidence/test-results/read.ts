import { readTestResults } from "../../../src/evidence/test-results/read-test-results.ts";
import type { TestResults } from "../../../src/evidence/test-results/test-results.ts";
import { planted, type Tree } from "../temporary-directory.ts";

/** Results of the JUnit XML files of a workspace. */
export async function resultsOf(
  tree: Tree,
  patterns: readonly string[] = ["**/*.xml"],
): Promise<TestResults> {
  return await readTestResults({ patterns, workspace: planted(tree), allowOutsideWorkspace: false });
}

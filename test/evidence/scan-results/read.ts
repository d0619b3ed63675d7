import { readScanResults } from "../../../src/evidence/scan-results/read-scan-results.ts";
import type { ScanResults } from "../../../src/evidence/scan-results/scan-results.ts";
import type { FailLevel } from "../../../src/evidence/scan-results/severity.ts";
import { planted, type Tree } from "../temporary-directory.ts";

/** Results of the SARIF files of a workspace. */
export async function scanOf(tree: Tree, failLevel: FailLevel = "high"): Promise<ScanResults> {
  return await readScanResults({
    patterns: ["**/*.sarif"],
    workspace: planted(tree),
    allowOutsideWorkspace: false,
    failLevel,
  });
}

/** A SARIF log of one run with these results, and other properties of the run. */
export function sarif(results: readonly unknown[] | undefined, run: object = {}): string {
  return JSON.stringify({
    version: "2.1.0",
    runs: [{ tool: { driver: { name: "scan", version: "1" } }, ...run, results }],
  });
}

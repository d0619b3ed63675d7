import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with one machine-readable line: the numbers of passed and failed tests. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0;
    // A file that cannot be loaded has no tests to count, and an error outside of tests belongs to no test.
    let failed = errors.length;
    const skipped: string[] = [];
    for (const module of modules) {
      if (module.state() === "failed" && module.errors().length > 0) failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "skipped") skipped.push(test.fullName);
        else failed += 1;
      }
    }
    for (const name of skipped) process.stdout.write(`\nSkipped, as what it needs is not here: ${name}`);
    if (skipped.length > 0) process.stdout.write("\n");
    // CI can install everything, so a skipped test has proven nothing there.
    if (process.env["CI"]) failed += skipped.length;
    if (failed > 0) process.exitCode = 1;
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  }
}

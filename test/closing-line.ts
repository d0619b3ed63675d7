import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with one line that machines read: how many tests passed and how many failed. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0;
    // A file that cannot be loaded has no tests to count, and an error outside of tests is nobody's.
    let failed = errors.length;
    for (const module of modules) {
      if (module.state() === "failed" && module.errors().length > 0) failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else failed += 1;
      }
    }
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  }
}

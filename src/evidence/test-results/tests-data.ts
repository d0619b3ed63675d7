import type { TestResults } from "./test-results.ts";

/** The counts of tests in the names of the interface, to stand in `user_data`. */
export function testsData({ counts, suiteCount }: TestResults): Record<string, number> {
  const { total, passed, failures, errors, skipped, flaky, duration } = counts;
  return { suites: suiteCount, tests: total, passed, failures, errors, skipped, flaky, duration };
}

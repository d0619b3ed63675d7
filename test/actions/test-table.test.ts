import { expect, test } from "vitest";
import { testTable } from "../../src/actions/attest/results.ts";

test("the totals row counts all suites, not only the listed ones", () => {
  const suite = { name: "s", failures: 0, errors: 0, skipped: 0, total: 1, duration: 0 };
  const suites = [
    ...Array.from({ length: 1000 }, () => suite),
    { ...suite, name: "500 further suites", total: 500 },
  ];
  const { name: _, ...sums } = { ...suite, total: 1500 };
  const { rows } = testTable({ suites, suiteCount: 1500, counts: { ...sums, passed: 1500, flaky: 0 } });
  expect(rows.at(-1)).toEqual(["All 1500 suites", "1500", "0", "0", "0.00 s"]);
});

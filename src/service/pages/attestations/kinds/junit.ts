import { empty } from "../../parts/empty.ts";
import { table } from "../../parts/table.ts";
import { text } from "../../parts/text.ts";
import { time, utc } from "../../parts/time.ts";
import { badge } from "../../parts/verdict.ts";
import { counted, type ShowKind } from "../kind.ts";
import { failedTests } from "./failed-tests.ts";

/** Test suites. Those with failures come first. */
export const junit: ShowKind = (record, { here }) => {
  const { junitResults } = record;
  const suites = (junitResults ?? []).map((suite) => {
    const failed = (suite.failures ?? 0) + (suite.errors ?? 0);
    return { ...suite, failed, total: suite.total ?? 0 };
  });
  const [failed, total] = [sum(suites.map((suite) => suite.failed)), sum(suites.map((suite) => suite.total))];
  const broken = suites.filter((suite) => suite.failed > 0).length;
  const all = counted(total, "test");
  return {
    sentence:
      failed === 0
        ? `${all} in ${counted(suites.length, "suite")}, none failed`
        : `${failed} of ${all} failed in ${broken} of ${counted(suites.length, "suite")}`,
    tables: [
      ...failedTests(record, { here }),
      table({
        id: "suites",
        caption: "Test suites",
        columns: [
          { head: "Suite", cell: ({ name }) => text(name), csv: ({ name }) => name },
          {
            head: "Result",
            cell: ({ failed: count }) => (count > 0 ? badge("FAILED", "fail") : badge("PASSED", "ok")),
            csv: ({ failed: count }) => (count > 0 ? "FAILED" : "PASSED"),
          },
          { head: "Tests", cell: (suite) => suite.total, csv: (suite) => suite.total, isNumber: true },
          {
            head: "Failures",
            cell: ({ failures }) => failures,
            csv: ({ failures }) => failures,
            isNumber: true,
          },
          { head: "Errors", cell: ({ errors }) => errors, csv: ({ errors }) => errors, isNumber: true },
          { head: "Skipped", cell: ({ skipped }) => skipped, csv: ({ skipped }) => skipped, isNumber: true },
          {
            head: "Seconds",
            cell: ({ duration }) => duration,
            csv: ({ duration }) => duration,
            isNumber: true,
          },
          {
            head: "Run",
            cell: ({ timestamp }) => (timestamp ? time(timestamp) : ""),
            csv: ({ timestamp }) => (timestamp ? utc(timestamp) : null),
          },
        ],
        rows: suites.toSorted((one, other) => Number(other.failed > 0) - Number(one.failed > 0)),
        empty: empty("No suite was recorded."),
        here,
      }),
    ],
  };
};

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

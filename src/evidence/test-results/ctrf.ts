import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";
import { ReportFault } from "../report-fault.ts";
import type { Tally } from "./tally.ts";
import { type CountedTest, TestCounter } from "./test-counter.ts";

const OUTCOMES: ReadonlyMap<unknown, CountedTest["outcome"]> = new Map([
  ["passed", "passed"],
  ["failed", "failure"],
  ["skipped", "skipped"],
  ["pending", "skipped"],
]);

/** Whether a document is of the Common Test Report Format. Older ones do not name it. */
export function isCtrf(document: Untyped): boolean {
  const { tests, summary } = asObject(document["results"]);
  return document["reportFormat"] === "CTRF" || (Array.isArray(tests) && summary !== undefined);
}

/** Counts the tests of a CTRF document. A status that the format does not define is an error. */
export function readCtrf(document: Untyped, report: string, tally: Tally): void {
  const { tests, summary } = asObject(document["results"]);
  if (!Array.isArray(tests)) throw new ReportFault("is CTRF without `results.tests`, so it is not whole");
  const counter = new TestCounter(report, tally);
  for (const test of asObjects(tests)) {
    const { suite, status, duration, line } = test;
    counter.add({
      suite: Array.isArray(suite) ? suite.map(asText).join(" > ") : asText(suite),
      name: asText(test["name"]),
      outcome: OUTCOMES.get(status) ?? "error",
      isFlaky: test["flaky"] === true,
      seconds: typeof duration === "number" && duration > 0 ? duration / 1000 : 0,
      message: asText(test["message"]),
      text: asText(test["trace"]),
      file: asText(test["filePath"]),
      line: typeof line === "number" && line > 0 ? line : undefined,
    });
  }
  const { failed, tests: total, start } = asObject(summary);
  if (typeof total === "number" && total > tests.length)
    throw new ReportFault(`is not whole: it counts ${total} tests and lists ${tests.length}`);
  if (typeof failed === "number") counter.addUnlisted(failed, "a test that the report only counts");
  counter.end(typeof start === "number" && start > 0 ? Math.floor(start / 1000) : undefined);
}

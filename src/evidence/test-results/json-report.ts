import { asObject, asObjects, asText, isObject, type Untyped } from "../../api/untyped.ts";
import { findJsonFault } from "../json-syntax.ts";
import { ReportFault } from "../report-fault.ts";
import { decodeText } from "../text-encoding.ts";
import { READ_FORMATS } from "./junit.ts";
import type { Tally } from "./tally.ts";
import { type CountedTest, type ReportReader, TestCounter } from "./test-counter.ts";

/** Documents are kept in memory. The largest known one is a tenth of this size. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads CTRF, the only supported report that is one JSON document. */
export const readJsonReport: ReportReader = async (parts, report, tally) => {
  const document = parse(await wholeOf(parts));
  if (!isObject(document) || !isCtrf(document)) throw new ReportFault(whyNotRead(asObject(document)));
  readCtrf(document, report, tally);
};

async function wholeOf(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const part of parts) {
    size += part.length;
    if (size > MAX_BYTES) throw new ReportFault(`is JSON of more than ${MAX_BYTES / 1024 / 1024} MB`);
    chunks.push(Buffer.from(part));
  }
  return decodeText(Buffer.concat(chunks));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { problem, ...position } = findJsonFault(text) ?? { problem: "is not JSON", line: 1, column: 1 };
    throw new ReportFault(`is not a test report: the JSON ${problem}`, position);
  }
}

/** Unsupported reports by their fields, with advice on how to write a supported one. */
const OTHERS: readonly (readonly [format: string, fields: readonly string[], advice: string])[] = [
  [
    "Playwright's JSON",
    ["config", "suites", "stats"],
    "set PLAYWRIGHT_JUNIT_OUTPUT_NAME=unit.xml, and let `npx playwright test --reporter=junit` write the file",
  ],
  [
    "mochawesome's JSON",
    ["stats", "results", "meta"],
    "let `npx mocha --reporter xunit --reporter-option output=unit.xml` write the file",
  ],
  [
    "Mocha's JSON",
    ["stats", "tests", "passes"],
    "let `npx mocha --reporter xunit --reporter-option output=unit.xml` write the file",
  ],
  [
    "the JSON of Jest or Vitest",
    ["numTotalTests", "testResults"],
    "use the reporter `jest-junit`, or `--reporter=junit --outputFile=unit.xml` of Vitest",
  ],
];

function whyNotRead(document: Untyped): string {
  const known = OTHERS.find(([, fields]) => fields.every((field) => field in document));
  return known === undefined
    ? `is unsupported JSON; ${READ_FORMATS}`
    : `is ${known[0]}, which is not supported: ${known[2]}`;
}

const OUTCOMES: ReadonlyMap<unknown, CountedTest["outcome"]> = new Map([
  ["passed", "passed"],
  ["failed", "failure"],
  ["skipped", "skipped"],
  ["pending", "skipped"],
]);

/** Common Test Report Format. Older documents do not name it. */
function isCtrf(document: Untyped): boolean {
  const { tests, summary } = asObject(document["results"]);
  return document["reportFormat"] === "CTRF" || (Array.isArray(tests) && summary !== undefined);
}

/** A status that the format does not define is an error. */
function readCtrf(document: Untyped, report: string, tally: Tally): void {
  const { tests, summary } = asObject(document["results"]);
  if (!Array.isArray(tests)) throw new ReportFault("is incomplete: it is CTRF without `results.tests`");
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
    throw new ReportFault(`is incomplete: it counts ${total} tests but lists ${tests.length}`);
  if (typeof failed === "number") counter.addUnlisted(failed);
  counter.end(typeof start === "number" && start > 0 ? Math.floor(start / 1000) : undefined);
}

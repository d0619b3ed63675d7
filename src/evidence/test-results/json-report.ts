import { asObject, isObject, type Untyped } from "../../api/untyped.ts";
import { findJsonFault } from "../json-syntax.ts";
import { ReportFault } from "../report-fault.ts";
import { decodeText } from "../text-encoding.ts";
import { isCtrf, readCtrf } from "./ctrf.ts";
import { READ_FORMATS } from "./other-formats.ts";
import type { ReportReader } from "./test-counter.ts";

/** A document is held whole. The largest of these formats that is known has a tenth of it. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads a report that is one JSON document: CTRF, the only such format that is understood. */
export const readJsonReport: ReportReader = async (parts, report, tally) => {
  const document = parse(await wholeOf(parts));
  if (!isObject(document) || !isCtrf(document)) throw new ReportFault(whyNotRead(asObject(document)));
  readCtrf(document, report, tally);
};

async function wholeOf(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const part of parts) {
    size += part.length;
    if (size > MAX_BYTES) throw new ReportFault(`is JSON of more than ${MAX_BYTES / 1024 / 1024} MB`);
    kept.push(Buffer.from(part));
  }
  return decodeText(Buffer.concat(kept));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { problem, ...position } = findJsonFault(text) ?? { problem: "is not JSON", line: 1, column: 1 };
    throw new ReportFault(`is no report of tests: the JSON ${problem}`, position);
  }
}

/** Reports that are not read, by fields that they have, and how the tool writes one that is. */
const OTHERS: readonly (readonly [format: string, fields: readonly string[], wayOut: string])[] = [
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
    ? `is JSON that is not understood; ${READ_FORMATS}`
    : `is ${known[0]}, which is not read: ${known[2]}`;
}

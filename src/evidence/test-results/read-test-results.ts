import { setImmediate } from "node:timers/promises";
import { InputError } from "../../api/client/errors.ts";
import { chunksOfFile } from "../file-chunks.ts";
import type { FileRequest } from "../file-selection.ts";
import { readingReport } from "../report-fault.ts";
import { selectReports } from "../report-files.ts";
import { findInWorkspace, type SourceLocation } from "../source-location.ts";
import { decoderFor } from "../text-encoding.ts";
import type { Workspace } from "../workspace.ts";
import { readXml } from "../xml.ts";
import { placesIn } from "./failure-location.ts";
import { JunitReader } from "./junit.ts";
import { MAX_SUITES, type ReportedFailure, Tally } from "./tally.ts";
import type { ReportReader } from "./test-counter.ts";
import type { TestCounts, TestFailure, TestResults } from "./test-results.ts";

const INPUT = "test-results";
/** Files are streamed, so this only bounds the time. */
export const MAX_TEST_RESULTS_BYTES = 1024 * 1024 * 1024;

const FILES_AT_ONCE = 100;

export type TestResultsRequest = Omit<FileRequest, "input" | "ifNoFilesFound">;

/**
 * Reads JUnit XML, TRX, NUnit, xUnit.net, TAP, CTRF and the events of `go test -json`.
 *
 * @throws InputError (`test-results`) for a pattern without a match, an invalid or incomplete file, or no test at all
 */
export async function readTestResults(request: TestResultsRequest): Promise<TestResults> {
  const { files, workspace, warnings } = await selectReports({
    ...request,
    input: INPUT,
    maxBytes: MAX_TEST_RESULTS_BYTES,
  });
  const tally = new Tally();
  const empty: string[] = [];
  for (const [index, { realPath, shown }] of files.entries()) {
    // Lets other work run, such as an interrupt.
    if (index % FILES_AT_ONCE === 0) await setImmediate();
    const before = tally.counts.total;
    await readingReport(INPUT, shown, () => readReport(realPath, shown, tally));
    if (tally.counts.total === before) empty.push(shown);
  }
  const { counts } = tally;
  if (counts.total === 0) throw noTests(files.map(({ shown }) => shown));
  const failures: TestFailure[] = [];
  for (const failure of tally.failures) failures.push(await located(failure, workspace));
  return {
    suites: tally.suites,
    suiteCount: tally.suiteCount,
    counts,
    failures,
    furtherFailures: counts.failures + counts.errors - failures.length,
    reports: files.map(({ shown }) => shown),
    ...verdict(counts),
    warnings: [
      ...warnings,
      ...empty.map((shown) => `'${shown}' contains no tests`),
      ...tally.disagreements.warnings,
      ...cutNote(tally.suiteCount),
    ],
  };
}

async function readReport(path: string, shown: string, tally: Tally): Promise<void> {
  const chunks = chunksOfFile(path);
  try {
    const first = await chunks.next();
    if (first.done) return await readJunit(chunks, shown, tally);
    const read = (await otherReader(first.value)) ?? readJunit;
    await read(beginningWith(first.value, chunks), shown, tally);
  } finally {
    await chunks.return(undefined);
  }
}

const readJunit: ReportReader = (parts, report, tally) => readXml(parts, new JunitReader(report, tally));

async function* beginningWith(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

function cutNote(suites: number): string[] {
  if (suites <= MAX_SUITES) return [];
  return [`Only ${MAX_SUITES} of ${suites} suites are recorded by name; the others are recorded as one sum`];
}

function noTests(shown: readonly string[]): InputError {
  const [only] = shown;
  const where =
    shown.length === 1 && only !== undefined ? `'${only}' contains` : `the ${shown.length} files contain`;
  return new InputError(
    [{ input: INPUT, code: "report.no_tests", problem: `${where} no tests, which proves nothing` }],
    { advice: "Check that the tests ran, and that they write their results to these files." },
  );
}

function verdict({ total, failures, errors, skipped }: TestCounts) {
  const failed = failures + errors;
  const tests = total === 1 ? "test" : "tests";
  if (failed > 0) return { compliant: false, reason: `${failed} of ${total} ${tests} failed` };
  if (skipped === total) {
    return { compliant: false, reason: `no test ran: all of ${total} ${tests} were skipped` };
  }
  return { compliant: true, reason: "" };
}

async function located(failure: ReportedFailure, workspace: Workspace): Promise<TestFailure> {
  const { file, line, text, ...rest } = failure;
  const location = await locate(failure, workspace);
  return location === undefined ? rest : { ...rest, location };
}

/** The report's location, else one in the text, else the file that a suite or class is named after. */
async function locate(failure: ReportedFailure, workspace: Workspace): Promise<SourceLocation | undefined> {
  const { file, line, report, className, suite } = failure;
  const inText = placesIn(failure.text, className);
  if (file !== "") {
    const named = line === undefined ? { file } : { file, line };
    const found = await findInWorkspace([named], workspace, report);
    if (found !== undefined && line !== undefined) return found;
    for (const place of found === undefined ? [] : inText) {
      const inFile = await findInWorkspace([place], workspace, report);
      if (inFile?.file === found?.file && inFile?.line !== undefined) return inFile;
    }
    if (found !== undefined) return found;
  }
  const named = [className, suite]
    .filter((name) => /\.\w+$/.test(name) && name !== report)
    .map((name) => ({ file: name, mustExist: true }));
  return await findInWorkspace([...inText, ...named], workspace, report);
}

/** The first element, after declarations and comments. */
const ROOT = /^\s*(?:<\?[^>]*>\s*|<!--[\s\S]*?-->\s*)*<([\w.:-]+)/;
const GO_EVENT = /^\{(?:"(?:Time|ImportPath)":"[^"\n]*",)?"Action":"/m;
const TAP_LINE = /^(?:TAP version \d|1\.\.\d|(?:not )?ok\b|Bail out!)/m;

/**
 * Chooses a reader by the start of a report; undefined for JUnit XML and unknown formats. Each is loaded on demand.
 *
 * @throws ReportFault if the bytes are not text
 */
async function otherReader(start: Uint8Array): Promise<ReportReader | undefined> {
  const text = decoderFor(start).decode(start);
  const root = ROOT.exec(text)?.[1];
  if (root !== undefined) {
    switch (root.slice(root.indexOf(":") + 1)) {
      case "TestRun":
        return (await import("./trx.ts")).readTrx;
      case "test-run":
      case "test-results":
        return (await import("./nunit.ts")).readNunit;
      case "assemblies":
      case "assembly":
        return (await import("./xunit-net.ts")).readXunitNet;
      default:
        return undefined;
    }
  }
  if (GO_EVENT.test(text)) return (await import("./go-test.ts")).readGoTest;
  if (/^\s*[{[]/.test(text)) return (await import("./json-report.ts")).readJsonReport;
  return TAP_LINE.test(text) ? (await import("./tap.ts")).readTap : undefined;
}

/** For `user_data`, in the interface's names. */
export function testsData({ counts, suiteCount }: TestResults): Record<string, number> {
  const { total, passed, failures, errors, skipped, flaky, duration } = counts;
  return { suites: suiteCount, tests: total, passed, failures, errors, skipped, flaky, duration };
}

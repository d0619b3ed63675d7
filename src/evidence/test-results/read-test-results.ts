import { setImmediate } from "node:timers/promises";
import { InputError } from "../../api/client/errors.ts";
import { chunksOfFile } from "../file-chunks.ts";
import type { FileRequest } from "../file-selection.ts";
import { readingReport } from "../report-fault.ts";
import { selectReports } from "../report-files.ts";
import { findInWorkspace, type SourceLocation } from "../source-location.ts";
import type { Workspace } from "../workspace.ts";
import { readXml } from "../xml.ts";
import { placesIn } from "./failure-location.ts";
import { JunitReader } from "./junit.ts";
import { otherReader } from "./report-format.ts";
import { MAX_SUITES, type ReportedFailure, Tally } from "./tally.ts";
import type { ReportReader } from "./test-counter.ts";
import type { TestCounts, TestFailure, TestResults } from "./test-results.ts";

const INPUT = "test-results";
/** Files are read as a stream and not kept, so this only bounds the time. */
export const MAX_TEST_RESULTS_BYTES = 1024 * 1024 * 1024;

const FILES_AT_ONCE = 100;

export type TestResultsRequest = Omit<FileRequest, "input" | "ifNoFilesFound">;

/**
 * Reads reports of tests as their tools write them, and counts their tests: JUnit XML, TRX, NUnit, xUnit.net, TAP, CTRF
 * and the events of `go test -json`.
 *
 * @throws InputError (`test-results`) when a pattern finds nothing, a file is not whole and sound, or there is no test in
 * any of them.
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
    // Others get their turn: an interrupt, for example.
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
      ...empty.map((shown) => `'${shown}' holds no tests`),
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
  return [
    `${suites} suites are more than the ${MAX_SUITES} that are recorded by name: the counts of the others are summed up`,
  ];
}

function noTests(shown: readonly string[]): InputError {
  const [only] = shown;
  const where =
    shown.length === 1 && only !== undefined ? `'${only}' holds` : `the ${shown.length} files hold`;
  return new InputError([{ input: INPUT, problem: `${where} no tests, which proves nothing` }], {
    advice: "Check that the tests ran, and that they write their results to the files named here.",
  });
}

function verdict({
  total,
  failures,
  errors,
  skipped,
}: TestCounts): Pick<TestResults, "compliant" | "reason"> {
  const failed = failures + errors;
  const tests = total === 1 ? "test" : "tests";
  if (failed > 0) return { compliant: false, reason: `${failed} of ${total} ${tests} failed` };
  if (skipped === total) {
    return { compliant: false, reason: `no test ran: all of ${total} ${tests} were skipped` };
  }
  return { compliant: true, reason: "" };
}

async function located(failure: ReportedFailure, workspace: Workspace): Promise<TestFailure> {
  const { file, line, text, ...told } = failure;
  const location = await locate(failure, workspace);
  return location === undefined ? told : { ...told, location };
}

/** The place that the report names, else one in the text, else the file that a suite or class is named after. */
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

import { ReportFault } from "../report-fault.ts";
import type { XmlAttributes, XmlHandler } from "../xml.ts";
import { count, lineNumber, seconds, unixSeconds } from "./attribute-values.ts";
import { type Failed, MAX_TEXT_CHARACTERS, short, sum, type Tally, unlistedFailures } from "./tally.ts";

export const READ_FORMATS =
  "use JUnit XML, TRX, NUnit, xUnit.net, TAP, CTRF or the events of `go test -json`";

/** Why XML with this root is not JUnit XML, to follow the file's name. */
function whyNotJunit(root: string): string {
  return root === "robot"
    ? "is Robot Framework's own XML, not JUnit XML: let `robot --xunit unit.xml` write the file"
    : `is not JUnit XML: its root element is '${root.slice(0, 50)}', not testsuites or testsuite; ${READ_FORMATS}`;
}

interface Suite extends Failed {
  readonly name: string;
  readonly file: string;
  readonly attributes: XmlAttributes;
  readonly isSuite: boolean;
  hasSuites: boolean;
  skipped: number;
  flaky: number;
  total: number;
  /** Failures and errors of its failed tests, including reruns, and of its nested suites. */
  readonly listed: Failed;
  /** Failures and errors of tests that passed in a rerun. */
  readonly listedByPassed: Failed;
  /** Undefined until a test has a time. */
  duration: number | undefined;
}

interface Case {
  readonly name: string;
  readonly className: string;
  readonly file: string;
  readonly line: number | undefined;
  isSkipped: boolean;
  isFlaky: boolean;
  outcome: Outcome | undefined;
  /** Its elements for failures and errors, including reruns. */
  readonly listed: Failed;
}

interface Outcome {
  kind: "failure" | "error";
  message: string;
  text: string;
}

/** The contents of unknown elements are read as well, so that none can hide a test. */
type Kind = "suite" | "case" | "outcome" | "lone outcome" | "unknown";

const NO_ATTRIBUTES: XmlAttributes = { get: () => undefined, values: () => [] };
const FAILED = new Set(["failed", "failure", "fail"]);
const BROKEN = new Set(["error", "errored", "broken"]);
const LEFT_OUT = new Set(["notrun", "disabled", "skipped", "ignored", "suppressed"]);
/** Elements of reruns, and the counter of each. */
const RERUNS: ReadonlyMap<string, "failures" | "errors"> = new Map([
  ["flakyFailure", "failures"],
  ["rerunFailure", "failures"],
  ["flakyError", "errors"],
  ["rerunError", "errors"],
]);

/**
 * Counts the tests of one JUnit XML file by their elements, with two exceptions: the counts of a suite without tests
 * are used, and failures that a suite counts beyond its tests are added. These never belong to nested suites, and errors
 * that only the root counts are not failed tests.
 */
export class JunitReader implements XmlHandler {
  readonly #report: string;
  readonly #tally: Tally;
  readonly #kinds: Kind[] = [];
  readonly #suites: Suite[] = [];
  readonly #cases: Case[] = [];
  #hasTests = false;
  /** True if a suite below the root has the attribute `errors`. */
  #suitesCountErrors = false;
  #reading: Outcome | undefined;

  constructor(report: string, tally: Tally) {
    this.#report = report;
    this.#tally = tally;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.#kinds.length === 0 && name !== "testsuites" && name !== "testsuite") {
      throw new ReportFault(whyNotJunit(name));
    }
    this.#kinds.push(this.#begin(name, attributes));
  }

  text(part: string): void {
    const outcome = this.#reading;
    if (outcome === undefined || outcome.text.length >= MAX_TEXT_CHARACTERS) return;
    outcome.text += part.slice(0, MAX_TEXT_CHARACTERS - outcome.text.length);
  }

  close(): void {
    const kind = this.#kinds.pop();
    if (kind === "outcome" || kind === "lone outcome") this.#reading = undefined;
    if (kind === "case" || kind === "lone outcome") this.#endCase();
    if (kind === "suite") this.#endSuite();
  }

  #begin(name: string, attributes: XmlAttributes): Kind {
    const test = this.#cases.at(-1);
    if (name === "testsuites" || name === "testsuite") {
      this.#beginSuite(name === "testsuite", attributes);
      return "suite";
    }
    if (name === "testcase") {
      this.#beginCase(attributes);
      return "case";
    }
    if (name === "failure" || name === "error") {
      if (test === undefined) this.#beginCase(NO_ATTRIBUTES);
      this.#beginOutcome(name, attributes);
      return test === undefined ? "lone outcome" : "outcome";
    }
    if (test !== undefined && (name === "skipped" || name === "disabled")) test.isSkipped = true;
    const rerun = RERUNS.get(name);
    if (test !== undefined && rerun !== undefined) {
      test.isFlaky = true;
      test.listed[rerun] += 1;
    }
    return "unknown";
  }

  #beginSuite(isSuite: boolean, attributes: XmlAttributes): void {
    const around = this.#suites.at(-1);
    if (around !== undefined) {
      around.hasSuites = true;
      this.#suitesCountErrors ||= attributes.get("errors") !== undefined;
    }
    this.#suites.push({
      name: short(attributes.get("name")) || around?.name || this.#report,
      file: short(attributes.get("file") ?? attributes.get("filepath")) || around?.file || "",
      attributes,
      isSuite,
      hasSuites: false,
      failures: 0,
      errors: 0,
      skipped: 0,
      flaky: 0,
      total: 0,
      listed: { failures: 0, errors: 0 },
      listedByPassed: { failures: 0, errors: 0 },
      duration: undefined,
    });
  }

  #beginCase(attributes: XmlAttributes): void {
    this.#hasTests = true;
    const suite = this.#suites.at(-1);
    const file = short(attributes.get("file"));
    const status = (attributes.get("status") ?? "").toLowerCase();
    const result = (attributes.get("result") ?? "").toLowerCase();
    const kind = FAILED.has(status) ? "failure" : BROKEN.has(status) ? "error" : undefined;
    this.#cases.push({
      name: short(attributes.get("name")),
      className: short(attributes.get("classname")),
      file: file || suite?.file || "",
      line: lineNumber(attributes.get("line")),
      isSkipped: LEFT_OUT.has(status) || LEFT_OUT.has(result),
      isFlaky: false,
      outcome: kind && { kind, message: "", text: "" },
      listed: { failures: 0, errors: 0 },
    });
    const time = seconds(attributes.get("time"));
    if (suite !== undefined && time !== undefined) suite.duration = (suite.duration ?? 0) + time;
  }

  /** A test with several outcomes failed once: its first failure counts, else its first error. */
  #beginOutcome(kind: "failure" | "error", attributes: XmlAttributes): void {
    const test = this.#cases.at(-1);
    if (test === undefined) return;
    const known = test.outcome;
    test.listed[kind === "failure" ? "failures" : "errors"] += 1;
    const isFailure = kind === "failure" || known?.kind === "failure";
    const message = attributes.get("message") ?? "";
    const found: Outcome = { kind: isFailure ? "failure" : "error", message, text: "" };
    const isReported = known !== undefined && (known.message !== "" || known.text !== "");
    if (!isReported || (known.kind === "error" && kind === "failure")) test.outcome = found;
    this.#reading = test.outcome === found ? found : undefined;
  }

  #endCase(): void {
    const test = this.#cases.pop();
    const suite = this.#suites.at(-1);
    if (test === undefined || suite === undefined) return;
    suite.total += 1;
    add(test.outcome === undefined ? suite.listedByPassed : suite.listed, test.listed);
    if (test.outcome !== undefined) this.#fail(suite, test, test.outcome);
    else if (test.isSkipped) suite.skipped += 1;
    else if (test.isFlaky) suite.flaky += 1;
  }

  #fail(suite: Suite, test: Case, { kind, message, text }: Outcome): void {
    const counted = kind === "failure" ? "failures" : "errors";
    suite[counted] += 1;
    // Failed only by its status.
    if (sum(test.listed) === 0) suite.listed[counted] += 1;
    const { className, file, line } = test;
    const name = test.name || className || suite.name;
    const named = { suite: suite.name, className, name };
    this.#tally.addFailure({ kind, ...named, message, report: this.#report, file, line, text });
  }

  #endSuite(): void {
    const suite = this.#suites.pop();
    if (suite === undefined) return;
    const { name, attributes, flaky } = suite;
    const isSummaryOnly = suite.isSuite && suite.total === 0 && !suite.hasSuites;
    const { failures, errors, skipped, total } = isSummaryOnly
      ? reportedCounts(attributes)
      : this.#withUnlisted(suite);
    const around = this.#suites.at(-1);
    if (around !== undefined) {
      add(around.listed, isSummaryOnly ? { failures, errors } : suite.listed);
      if (!countsFlakesApart(attributes)) add(around.listedByPassed, suite.listedByPassed);
    }
    if (total === 0) return;
    const timestamp = unixSeconds(attributes.get("timestamp"));
    // A suite's own time includes the suites in it, which are added separately.
    const stated = suite.hasSuites ? undefined : seconds(attributes.get("time"));
    const duration = suite.duration ?? stated ?? 0;
    const result = { name, failures, errors, skipped, total, duration };
    this.#tally.addSuite(timestamp === undefined ? result : { ...result, timestamp }, flaky);
  }

  /** Adds failures that only the suite itself counts. */
  #withUnlisted(suite: Suite): Counts {
    const { name, attributes, listed, listedByPassed, skipped } = suite;
    const counted = reportedFailures(attributes);
    const explained = { ...listed };
    if (!countsFlakesApart(attributes)) add(explained, listedByPassed);
    const unlisted = unlistedFailures(counted, explained);
    if (this.#hasErrorsOfNoTest(suite) && unlisted.errors > 0) {
      this.#tally.disagreements.addErrorsOfNoTest(this.#report, unlisted.errors);
      unlisted.errors = 0;
    }
    if (sum(unlisted) > 0) {
      const sums = { counted: sum(counted), listed: sum(explained) };
      this.#tally.disagreements.add({ suite: name, report: this.#report, ...sums });
    }
    add(listed, unlisted);
    const failures = suite.failures + unlisted.failures;
    const errors = suite.errors + unlisted.errors;
    return { failures, errors, skipped, total: Math.max(suite.total, failures + errors + skipped) };
  }

  /** gotestsum counts each line on standard error as an error of the root. Its suites never count errors. */
  #hasErrorsOfNoTest({ hasSuites }: Suite): boolean {
    return this.#suites.length === 0 && hasSuites && this.#hasTests && !this.#suitesCountErrors;
  }
}

type Counts = Pick<Suite, "failures" | "errors" | "skipped" | "total">;

/** A suite with `flakes` does not count failures of tests that passed in a rerun. */
function countsFlakesApart({ get }: XmlAttributes): boolean {
  return get("flakes") !== undefined;
}

function reportedFailures({ get }: XmlAttributes): Failed {
  return { failures: count("failures", get("failures")), errors: count("errors", get("errors")) };
}

function reportedCounts(attributes: XmlAttributes): Counts {
  const { get } = attributes;
  const { failures, errors } = reportedFailures(attributes);
  const skipped =
    count("skipped", get("skipped") ?? get("skip") ?? get("skips")) + count("disabled", get("disabled"));
  // A total without the failures would hide them.
  const total = Math.max(count("tests", get("tests")), failures + errors + skipped);
  return { failures, errors, skipped, total };
}

function add(to: Failed, more: Readonly<Failed>): void {
  to.failures += more.failures;
  to.errors += more.errors;
}

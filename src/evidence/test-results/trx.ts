import type { XmlAttributes } from "../xml.ts";
import { count, unixSeconds } from "./attribute-values.ts";
import type { CountedTest } from "./test-counter.ts";
import { type XmlTestFormat, xmlReader } from "./xml-tests.ts";

/** By the schema, a result without an outcome is an error. */
const OUTCOMES: ReadonlyMap<string, CountedTest["outcome"]> = new Map([
  ["Passed", "passed"],
  ["PassedButRunAborted", "passed"],
  ["Completed", "passed"],
  ["Warning", "passed"],
  ["Failed", "failure"],
  ["Inconclusive", "skipped"],
  ["NotExecuted", "skipped"],
  ["Pending", "skipped"],
]);
const FAILED_RUNS = new Set(["Failed", "Error", "Timeout", "Aborted", "Disconnected"]);

/** TRX of `dotnet test --logger trx` and Visual Studio. */
export const readTrx = xmlReader(() => new Trx());

class Trx implements XmlTestFormat {
  readonly message = "Message";
  readonly trace = "StackTrace";
  started: number | undefined;
  hasFailed = false;
  failed = 0;

  /** Rows of a data-driven test are results within its result. The counters include all of them. */
  test(name: string, { get }: XmlAttributes): CountedTest | undefined {
    const testName = get("testName");
    if (testName === undefined || !/Result(?:Aggregation)?$/.test(name)) return undefined;
    return {
      suite: classOf(testName),
      className: classOf(testName),
      name: testName.slice(classOf(testName).length).replace(/^\./, ""),
      outcome: OUTCOMES.get(get("outcome") ?? "") ?? "error",
      seconds: secondsOf(get("duration")),
    };
  }

  other(name: string, { get }: XmlAttributes): void {
    if (name === "Times") this.started = unixSeconds(get("start"));
    if (name === "ResultSummary") this.hasFailed = FAILED_RUNS.has(get("outcome") ?? "");
    if (name === "Counters") {
      const counted = ["failed", "error", "timeout", "aborted", "notRunnable", "disconnected"];
      this.failed = counted.reduce((sum, each) => sum + count(each, get(each)), 0);
    }
  }
}

/** `Acme.CartTest` of `Acme.CartTest.Adds(1.5)`; empty for a bare method name. */
function classOf(testName: string): string {
  return /^([\w.+`]+)\.\w+(?:$|\W)/.exec(testName)?.[1] ?? "";
}

/** Parses `00:00:01.2345678`. */
function secondsOf(duration = ""): number {
  const [, hours, minutes, rest] = /^(\d{1,9}):(\d\d):(\d\d(?:\.\d+)?)$/.exec(duration) ?? [];
  return rest === undefined ? 0 : Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
}

import type { XmlAttributes } from "../xml.ts";
import { count, seconds, unixSeconds } from "./attribute-values.ts";
import type { CountedTest } from "./test-counter.ts";
import { type XmlTestFormat, xmlReader } from "./xml-tests.ts";

/** Outcomes of NUnit 3, then those of NUnit 2 only. */
const OUTCOMES: ReadonlyMap<string, CountedTest["outcome"]> = new Map([
  ["Passed", "passed"],
  ["Warning", "passed"],
  ["Failed", "failure"],
  ["Skipped", "skipped"],
  ["Inconclusive", "skipped"],
  ["Success", "passed"],
  ["Failure", "failure"],
  ["Ignored", "skipped"],
  ["NotRunnable", "error"],
]);
/** NUnit 3's labels of tests that failed other than by an assertion. */
const BROKEN = new Set(["Error", "Invalid", "Cancelled"]);

/** NUnit 3, NUnit 2 and Unity. */
export const readNunit = xmlReader(() => new Nunit());

class Nunit implements XmlTestFormat {
  readonly message = "message";
  readonly trace = "stack-trace";
  started: number | undefined;
  hasFailed = false;
  failed = 0;

  test(name: string, { get }: XmlAttributes): CountedTest | undefined {
    if (name !== "test-case") return undefined;
    const fullName = get("fullname") ?? get("name") ?? "";
    const className = get("classname") ?? /^([\w.+`]+)\.\w+(?:$|\W)/.exec(fullName)?.[1] ?? "";
    const outcome = OUTCOMES.get(get("result") ?? "") ?? "error";
    const isBroken = outcome === "failure" && BROKEN.has(get("label") ?? "");
    return {
      suite: className,
      className,
      name: fullName.startsWith(`${className}.`) ? fullName.slice(className.length + 1) : fullName,
      outcome: get("executed") === "False" ? "skipped" : isBroken ? "error" : outcome,
      seconds: seconds(get("duration") ?? get("time")),
    };
  }

  other(name: string, { get }: XmlAttributes): void {
    if (name === "test-run") {
      this.started = unixSeconds(get("start-time"));
      this.failed = count("failed", get("failed"));
      this.hasFailed = (get("result") ?? "").startsWith("Failed");
    }
    if (name === "test-results") {
      this.failed = count("errors", get("errors")) + count("failures", get("failures"));
    }
  }
}

import type { XmlAttributes } from "../xml.ts";
import { count, lineNumber, seconds } from "./attribute-values.ts";
import type { CountedTest } from "./test-counter.ts";
import { type XmlTestFormat, xmlReader } from "./xml-tests.ts";

const OUTCOMES: ReadonlyMap<string, CountedTest["outcome"]> = new Map([
  ["Pass", "passed"],
  ["Fail", "failure"],
  ["Skip", "skipped"],
  ["NotRun", "skipped"],
]);

/** All versions of xUnit.net. */
export const readXunitNet = xmlReader(() => new XunitNet());

class XunitNet implements XmlTestFormat {
  readonly message = "message";
  readonly trace = "stack-trace";
  failed = 0;

  test(name: string, { get }: XmlAttributes): CountedTest | undefined {
    const className = get("type") ?? "";
    const written = get("name") ?? get("method") ?? "";
    if (name === "test") {
      return {
        suite: className,
        className,
        name: written.startsWith(`${className}.`) ? written.slice(className.length + 1) : written,
        outcome: OUTCOMES.get(get("result") ?? "") ?? "error",
        seconds: seconds(get("time")),
        file: get("source-file"),
        line: lineNumber(get("source-line")),
      };
    }
    // Setup or teardown of a class, collection or assembly failed; `type` is not a class here.
    return name === "error" ? { suite: "", name: written || className, outcome: "error" } : undefined;
  }

  other(name: string, { get }: XmlAttributes): void {
    if (name === "assembly") this.failed += count("failed", get("failed")) + count("errors", get("errors"));
  }
}

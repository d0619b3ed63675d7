import { asText, isObject, type Untyped } from "../../api/untyped.ts";
import { ReportFault } from "../report-fault.ts";
import { unixSeconds } from "./attribute-values.ts";
import { MAX_TEXT_CHARACTERS } from "./tally.ts";
import { linesIn, type ReportReader, TestCounter } from "./test-counter.ts";

const OUTCOMES = new Map([
  ["pass", "passed"],
  ["fail", "failure"],
  ["skip", "skipped"],
] as const);

interface Package {
  readonly running: Set<string>;
  failed: number;
  isOver: boolean;
}

/** Reads the events of `go test -json`. As in gotestsum, subtests and their parents are tests. */
export const readGoTest: ReportReader = async (parts, report, tally) => {
  const reader = new GoTest(new TestCounter(report, tally));
  let number = 0;
  for await (const line of linesIn(parts)) {
    number += 1;
    reader.read(line, number);
  }
  reader.end();
};

class GoTest {
  readonly #counter: TestCounter;
  readonly #packages = new Map<string, Package>();
  /** Output of running tests, packages and builds by name. */
  readonly #output = new Map<string, string>();
  #started: number | undefined;

  constructor(counter: TestCounter) {
    this.#counter = counter;
  }

  read(line: string, number: number): void {
    if (line.startsWith("{")) this.#event(parse(line, number));
    else this.#plain(line);
  }

  #event(event: Untyped): void {
    const action = asText(event["Action"]);
    const name = asText(event["Package"]);
    const test = asText(event["Test"]);
    this.#started ??= unixSeconds(asText(event["Time"]));
    if (action === "output") this.#print(`${name}\n${test}`, asText(event["Output"]));
    else if (action === "build-output") this.#print(asText(event["ImportPath"]), asText(event["Output"]));
    else if (name !== "" && test === "") this.#endPackage(action, name, event);
    else if (name !== "") this.#test(action, name, test, event);
  }

  #test(action: string, name: string, test: string, event: Untyped): void {
    const of = this.#packageOf(name);
    if (action === "run") of.running.add(test);
    const outcome = OUTCOMES.get(action as "pass");
    if (outcome === undefined) return;
    of.running.delete(test);
    const text = this.#printed(`${name}\n${test}`);
    if (outcome === "failure") of.failed += 1;
    const elapsed = event["Elapsed"];
    const seconds = typeof elapsed === "number" && elapsed > 0 ? elapsed : 0;
    this.#counter.add({ suite: name, className: name, name: test, outcome, seconds, ...cleaned(text) });
  }

  end(): void {
    const open = [...this.#packages].find(([, { isOver }]) => !isOver);
    if (open !== undefined)
      throw new ReportFault(`is incomplete: it has no result of the package '${open[0]}'`);
    this.#counter.end(this.#started);
  }

  /** Before Go 1.24, build errors are plain lines between events. */
  #plain(line: string): void {
    const [, name] = /^FAIL\t(\S+) \[\w+ failed\]$/.exec(line) ?? [];
    if (name === undefined || this.#packages.has(name)) return;
    this.#packages.set(name, { running: new Set(), failed: 1, isOver: true });
    this.#counter.add({ suite: name, className: name, name: "TestMain", outcome: "error", message: line });
  }

  #endPackage(action: string, name: string, event: Untyped): void {
    const of = this.#packageOf(name);
    if (!OUTCOMES.has(action as "pass")) return;
    of.isOver = true;
    const printed = this.#printed(`${name}\n`);
    if (action !== "fail") return;
    // A panic or exit also fails the tests that are still running.
    for (const test of of.running) {
      const text = this.#printed(`${name}\n${test}`);
      this.#counter.add({ suite: name, className: name, name: test, outcome: "error", ...cleaned(text) });
      of.failed += 1;
    }
    of.running.clear();
    if (of.failed > 0) return;
    const text = this.#printed(asText(event["FailedBuild"])) || printed;
    this.#counter.add({ suite: name, className: name, name: "TestMain", outcome: "error", ...cleaned(text) });
    of.failed = 1;
  }

  #packageOf(name: string): Package {
    const known = this.#packages.get(name);
    // The package may run again: with -count, or in a second, appended run.
    if (known !== undefined && !known.isOver) return known;
    const begun = { running: new Set<string>(), failed: 0, isOver: false };
    this.#packages.set(name, begun);
    return begun;
  }

  #print(name: string, text: string): void {
    const before = this.#output.get(name) ?? "";
    if (before.length < MAX_TEXT_CHARACTERS) this.#output.set(name, before + text);
  }

  #printed(name: string): string {
    const text = this.#output.get(name) ?? "";
    this.#output.delete(name);
    return text;
  }
}

function parse(line: string, number: number): Untyped {
  try {
    const event: unknown = JSON.parse(line);
    if (isObject(event)) return event;
  } catch {}
  throw new ReportFault("is incomplete: a line of `go test -json` is truncated", {
    line: number,
    column: 1,
  });
}

/** Strips Go's own lines from a test's output. */
function cleaned(text: string): { text: string } {
  return { text: text.replace(/^=== .*\n|^\s*--- .*\n|^# .*\n/gm, "") };
}

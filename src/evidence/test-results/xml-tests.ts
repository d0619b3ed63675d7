import { readXml, type XmlAttributes, type XmlHandler } from "../xml.ts";
import { MAX_TEXT_CHARACTERS, type Tally } from "./tally.ts";
import { type CountedTest, type ReportReader, TestCounter } from "./test-counter.ts";

/** The tests in an XML format, and further facts of a report. */
export interface XmlTestFormat {
  /** The test that an element starts; undefined for other elements. */
  test(name: string, attributes: XmlAttributes): CountedTest | undefined;
  /** Elements with the reason of a failure. */
  readonly message: string;
  /** Elements with the location of a failure. */
  readonly trace: string;
  other(name: string, attributes: XmlAttributes): void;
  /** Failed tests by the report's own counters. */
  readonly failed: number;
  /** Whether the run failed. It can fail although all tests passed, as in its teardown. */
  readonly hasFailed?: boolean;
  /** Unix seconds. */
  readonly started?: number | undefined;
}

export function xmlReader(format: () => XmlTestFormat): ReportReader {
  return async (parts, report, tally) => {
    const reader = new XmlTests(format(), report, tally);
    await readXml(parts, reader);
    reader.end();
  };
}

interface OpenTest {
  readonly test: CountedTest;
  message: string;
  text: string;
}

class XmlTests implements XmlHandler {
  readonly #format: XmlTestFormat;
  readonly #counter: TestCounter;
  readonly #open: { readonly name: string; readonly test: OpenTest | undefined }[] = [];
  /** Output outside of any test. */
  readonly #around: OpenTest = { test: { suite: "", name: "", outcome: "passed" }, message: "", text: "" };
  /** The first message outside of any test, such as that of a broken run. */
  #message = "";

  constructor(format: XmlTestFormat, report: string, tally: Tally) {
    this.#format = format;
    this.#counter = new TestCounter(report, tally);
  }

  open(name: string, attributes: XmlAttributes): void {
    const test = this.#format.test(name, attributes);
    this.#open.push({ name, test: test && { test, message: "", text: "" } });
    if (test === undefined) this.#format.other(name, attributes);
  }

  text(part: string): void {
    const name = this.#open.at(-1)?.name;
    const field =
      name === this.#format.message ? "message" : name === this.#format.trace ? "text" : undefined;
    if (field === undefined) return;
    const test = this.#current();
    test[field] += part.slice(0, Math.max(0, MAX_TEXT_CHARACTERS - test[field].length));
  }

  close(): void {
    const closed = this.#open.pop();
    if (closed?.test !== undefined) {
      const { test, message, text } = closed.test;
      this.#counter.add({ ...test, message, text: `${message}\n${text}` });
    } else if (closed?.name === this.#format.message && this.#around.message !== "") {
      this.#message ||= this.#around.message;
      this.#around.message = "";
    }
  }

  end(): void {
    const { failed, hasFailed = false, started } = this.#format;
    this.#counter.addUnlisted(failed);
    if (hasFailed && this.#counter.failed === 0)
      this.#counter.add({ suite: "", name: "the run itself", outcome: "error", message: this.#message });
    this.#counter.end(started);
  }

  #current(): OpenTest {
    return this.#open.findLast(({ test }) => test !== undefined)?.test ?? this.#around;
  }
}
